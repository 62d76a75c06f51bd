package account

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/store/model"
)

// maxText is the length of a token's name and of its description.
const maxText = 255

// NewPersonal is a personal access token as it is asked for.
type NewPersonal struct {
	Name          string
	Description   *string
	Scopes        []string
	Expires       *time.Time
	Impersonation bool
	Maker         *int64 // of an impersonation token
	Usual         int    // days, unless Expires says otherwise; 0 for as many as may be
}

// Rule is a broken rule: which member breaks it, and how it is told.
type Rule struct{ Member, Text string }

// Build is the row of a new token, and the rules that it breaks.
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

// Sentence tells broken rules in one text: "Name can't be blank and Expires at must be in the future".
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

// ByField tells broken rules by their members.
func ByField(broken []Rule) map[string][]string {
	fields := map[string][]string{}
	for _, r := range broken {
		fields[r.Member] = append(fields[r.Member], r.Text)
	}
	return fields
}
