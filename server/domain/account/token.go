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

// NewPersonalToken is the request for a new personal access token.
type NewPersonalToken struct {
	Name          string
	Description   *string
	Scopes        []string
	Expires       *time.Time
	Impersonation bool
	CreatorID     *int64 // the user who creates an impersonation token
	DefaultDays   int    // days until it expires, if Expires is not set; 0 means the longest lifetime allowed
}

// BrokenRule is a broken rule: the field that breaks it, and the message.
type BrokenRule struct{ Member, Text string }

// Build returns the row of a new token and the rules that it breaks.
func (n NewPersonalToken) Build(owner model.Caller, lifetime access.Lifetime, now time.Time) (model.PersonalAccessToken, []BrokenRule) {
	var broken []BrokenRule
	switch {
	case strings.TrimSpace(n.Name) == "":
		broken = append(broken, BrokenRule{"name", "can't be blank"})
	case utf8.RuneCountInString(n.Name) > maxText:
		broken = append(broken, BrokenRule{"name", "is too long (maximum is 255 characters)"})
	}
	if n.Description != nil && utf8.RuneCountInString(*n.Description) > maxText {
		broken = append(broken, BrokenRule{"description", "is too long (maximum is 255 characters)"})
	}
	if !access.MayCarry(owner.Admin, n.Scopes) {
		broken = append(broken, BrokenRule{"scopes", "can only contain available scopes"})
	}
	expires, err := lifetime.Expiry(n.Expires, n.DefaultDays, now)
	var late *access.ExpiryError
	if errors.As(err, &late) {
		broken = append(broken, BrokenRule{"expires_at", late.Reason})
	}
	return model.PersonalAccessToken{
		UserID: owner.ID, Name: n.Name, Description: n.Description, Scopes: strings.Join(n.Scopes, " "), ExpiresAt: &expires,
		Impersonation: n.Impersonation, CreatedByID: n.CreatorID,
	}, broken
}

// Sentence joins broken rules into one text: "Name can't be blank and Expires at must be in the future".
func Sentence(broken []BrokenRule) string {
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
func ByField(broken []BrokenRule) map[string][]string {
	fields := map[string][]string{}
	for _, r := range broken {
		fields[r.Member] = append(fields[r.Member], r.Text)
	}
	return fields
}
