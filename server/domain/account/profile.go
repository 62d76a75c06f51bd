package account

import (
	"fmt"
	"net/url"
	"regexp"
	"time"
	"unicode/utf8"
)

// textRule says how long a text may be, and whether an empty text is stored as null.
type textRule struct {
	most int
	null bool
}

var textRules = map[string]textRule{
	"bio": {255, false}, "discord": {500, false}, "linkedin": {500, false}, "location": {255, true}, "note": {5000, true},
	"organization": {255, true}, "pronouns": {50, true}, "skype": {500, false}, "twitter": {500, false}, "website_url": {2048, false},
}

// TextColumn returns the value to store in a text column of a user, and adds the rules that the text breaks to b.
func TextColumn(b FieldErrors, column, value string) any {
	rule := textRules[column]
	if utf8.RuneCountInString(value) > rule.most {
		b.Add(column, fmt.Sprintf("is too long (maximum is %d characters)", rule.most))
	}
	if column == "website_url" && value != "" && !isWebURL(value) {
		b.Add(column, "is not a valid URL")
	}
	if value == "" && rule.null {
		return nil
	}
	return value
}

func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

const maxMessage = 100

var emojiFormat = regexp.MustCompile(`\A[a-z0-9_+-]{1,64}\z`)

// CheckStatus checks the emoji and the message of a user's status.
func CheckStatus(b FieldErrors, emoji, message *string) {
	if emoji != nil && !emojiFormat.MatchString(*emoji) {
		b.Add("emoji", "is not a valid emoji name")
	}
	if message != nil && utf8.RuneCountInString(*message) > maxMessage {
		b.Add("message", "is too long (maximum is 100 characters)")
	}
}

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
