package account

import (
	"context"
	"regexp"
	"time"
	"unicode/utf8"

	"svc/store"
	"svc/store/model"
)

const maxMessage = 100

var emojiFormat = regexp.MustCompile(`\A[a-z0-9_+-]{1,64}\z`)

// StatusDurations maps the API's names of the times after which a status is cleared to durations.
var StatusDurations = map[string]time.Duration{
	"30_minutes": 30 * time.Minute,
	"3_hours":    3 * time.Hour,
	"8_hours":    8 * time.Hour,
	"1_day":      24 * time.Hour,
	"3_days":     3 * 24 * time.Hour,
	"7_days":     7 * 24 * time.Hour,
	"30_days":    30 * 24 * time.Hour,
}

// Status is what a user tells others about the moment. Nil and empty fields are not given.
type Status struct {
	Emoji, Message, Availability *string
	ClearAfter                   string // a name of StatusDurations
}

// HasContent reports whether the status has something to show.
func (s Status) HasContent() bool { return s.Emoji != nil || s.Message != nil || s.Availability != nil }

// Row returns the row of a status, with defaults for what is not given, and the rules that the status breaks.
func (s Status) Row(userID int64, now time.Time) (model.UserStatus, FieldErrors) {
	row := model.UserStatus{
		UserID: userID, Emoji: model.DefaultEmoji, Message: s.Message, Availability: model.AvailabilityNotSet,
	}
	broken := FieldErrors{}
	if s.Emoji != nil {
		if row.Emoji = *s.Emoji; !emojiFormat.MatchString(*s.Emoji) {
			broken.Add("emoji", "is not a valid emoji name")
		}
	}
	if s.Message != nil && utf8.RuneCountInString(*s.Message) > maxMessage {
		broken.Add("message", "is too long (maximum is 100 characters)")
	}
	if s.Availability != nil {
		row.Availability = *s.Availability
	}
	if lasting := StatusDurations[s.ClearAfter]; lasting > 0 {
		end := now.UTC().Add(lasting)
		row.ClearStatusAt = &end
	}
	return row, broken
}

// SetStatus replaces the status of a user. A status without content is deleted.
func SetStatus(ctx context.Context, st *store.Store, row model.UserStatus, hasContent bool) error {
	if hasContent {
		return st.UserStatuses.Replace(ctx, &row)
	}
	return st.UserStatuses.Delete(ctx, row.UserID)
}
