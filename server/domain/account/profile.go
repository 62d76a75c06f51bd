package account

import (
	"fmt"
	"net/url"
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
