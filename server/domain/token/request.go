package token

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

// Request is the request for a new access token.
type Request struct {
	Name          string
	Description   *string
	Scopes        []string
	Expires       *time.Time
	Impersonation bool
	CreatorID     *int64 // the user who creates an impersonation token
	DefaultDays   int    // days until it expires, if Expires is not set; 0 means the longest lifetime allowed
}

// Build returns the row of a new token and the rules that it breaks.
func (r Request) Build(
	owner model.Caller, lifetime access.Lifetime, now time.Time,
) (model.PersonalAccessToken, []BrokenRule) {
	var broken []BrokenRule
	switch {
	case strings.TrimSpace(r.Name) == "":
		broken = append(broken, BrokenRule{"name", "can't be blank"})
	case utf8.RuneCountInString(r.Name) > maxText:
		broken = append(broken, BrokenRule{"name", "is too long (maximum is 255 characters)"})
	}
	if r.Description != nil && utf8.RuneCountInString(*r.Description) > maxText {
		broken = append(broken, BrokenRule{"description", "is too long (maximum is 255 characters)"})
	}
	if !access.MayCarry(owner.Admin, r.Scopes) {
		broken = append(broken, BrokenRule{"scopes", "can only contain available scopes"})
	}
	expires, err := lifetime.Expiry(r.Expires, r.DefaultDays, now)
	var late *access.ExpiryError
	if errors.As(err, &late) {
		broken = append(broken, BrokenRule{"expires_at", late.Reason})
	}
	return model.PersonalAccessToken{
		UserID: owner.ID, Name: r.Name, Description: r.Description, Scopes: strings.Join(r.Scopes, " "),
		ExpiresAt: &expires, Impersonation: r.Impersonation, CreatedByID: r.CreatorID,
	}, broken
}
