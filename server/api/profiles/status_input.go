package profiles

import (
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// statusInput is a status from a request: the row that a user without a status would get, and which fields were given.
type statusInput struct {
	row        model.UserStatus
	columns    []string // the columns of the given fields
	hasContent bool     // the status has something to show
	clears     bool     // emoji, message and availability are all given as null or empty
}

// readStatus reads a status from a request. An empty text counts as null, because forms send it that way.
func readStatus(body gen.UserStatusUpdate, userID int64, now time.Time) (statusInput, error) {
	status := account.Status{
		Emoji: given(body.Emoji), Message: given(body.Message), Availability: (*string)(body.Availability.Ptr()),
		ClearAfter: string(wire.Value(body.ClearStatusAfter.Ptr())),
	}
	row, broken := status.Row(userID, now)
	if len(broken) > 0 {
		return statusInput{}, apierr.InvalidFields(broken)
	}
	in := statusInput{row: row, hasContent: status.HasContent()}
	in.clears = !in.hasContent && body.Emoji.IsSet() && body.Message.IsSet() && body.Availability.IsSet()
	for _, c := range []struct {
		column string
		given  bool
	}{
		{"emoji", body.Emoji.IsSet()},
		{"message", body.Message.IsSet()},
		{"availability", body.Availability.IsSet()},
		{"clear_status_at", body.ClearStatusAfter.IsSet()},
	} {
		if c.given {
			in.columns = append(in.columns, c.column)
		}
	}
	return in, nil
}

// given returns nil for a text that is absent, null or empty.
func given(text wire.Optional[string]) *string {
	if v := text.Ptr(); v != nil && *v != "" {
		return v
	}
	return nil
}
