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
	in := statusInput{row: model.UserStatus{UserID: userID, Emoji: model.DefaultEmoji, Availability: model.AvailabilityNotSet}}
	emoji, message, availability := given(body.Emoji), given(body.Message), body.Availability.Ptr()
	broken := account.FieldErrors{}
	if account.CheckStatus(broken, emoji, message); len(broken) > 0 {
		return in, apierr.InvalidFields(broken)
	}
	if emoji != nil {
		in.row.Emoji = *emoji
	}
	in.row.Message = message
	if availability != nil {
		in.row.Availability = string(*availability)
	}
	if after := body.ClearStatusAfter.Ptr(); after != nil {
		end := now.UTC().Add(account.StatusDurations[string(*after)])
		in.row.ClearStatusAt = &end
	}
	in.hasContent = emoji != nil || message != nil || availability != nil
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
