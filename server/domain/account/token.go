package account

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/store/model"
)

// maxText is the maximum length of a token's name, and of its description.
const maxText = 255

// NewPersonal is the request for a new personal access token.
type NewPersonal struct {
	Name          string
	Description   *string
	Scopes        []string
	Expires       *time.Time
	Impersonation bool
	Maker         *int64 // the user who creates an impersonation token
	Usual         int    // days until it expires, if Expires is not set; 0 means the longest lifetime allowed
}

// Rule is a broken rule: the field that breaks it, and the message.
type Rule struct{ Member, Text string }

// Build returns the row of a new token and the rules that it breaks.
func (n NewPersonal) Build(owner model.Caller, lifetime access.Lifetime, now time.Time) (model.PersonalAccessToken, []Rule) {
	var broken []Rule
	switch {
	case strings.TrimSpace(n.Name) == "":
		broken = append(broken, Rule{"name", "can't be blank"})
	case utf8.RuneCountInString(n.Name) > maxText:
		broken = append(broken, Rule{"name", "is too long (maximum is 255 characters)"})
	}
	if n.Description != nil && utf8.RuneCountInString(*n.Description) > maxText {
		broken = append(broken, Rule{"description", "is too long (maximum is 255 characters)"})
	}
	if !access.MayCarry(owner.Admin, n.Scopes) {
		broken = append(broken, Rule{"scopes", "can only contain available scopes"})
	}
	expires, err := lifetime.Expiry(n.Expires, n.Usual, now)
	var late *access.ExpiryError
	if errors.As(err, &late) {
		broken = append(broken, Rule{"expires_at", late.Reason})
	}
	return model.PersonalAccessToken{
		UserID: owner.ID, Name: n.Name, Description: n.Description, Scopes: strings.Join(n.Scopes, " "), ExpiresAt: &expires,
		Impersonation: n.Impersonation, CreatedByID: n.Maker,
	}, broken
}

// Sentence joins broken rules into one text: "Name can't be blank and Expires at must be in the future".
func Sentence(broken []Rule) string {
	told := make([]string, len(broken))
	for i, r := range broken {
		words := strings.ReplaceAll(r.Member, "_", " ")
		told[i] = strings.ToUpper(words[:1]) + words[1:] + " " + r.Text
	}
	last := len(told) - 1
	if last == 0 {
		return told[0]
	}
	return strings.Join(told[:last], ", ") + " and " + told[last]
}

// ByField groups the messages of broken rules by field.
func ByField(broken []Rule) map[string][]string {
	fields := map[string][]string{}
	for _, r := range broken {
		fields[r.Member] = append(fields[r.Member], r.Text)
	}
	return fields
}
