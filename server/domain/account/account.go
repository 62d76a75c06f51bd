// Package account makes users and tokens outside of a request: at the first start and from the command line.
package account

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// MinPassword is the least length of a password.
const MinPassword = 8

var usernameFormat = regexp.MustCompile(`\A[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,253}[a-zA-Z0-9_-]\z|\A[a-zA-Z0-9_]\z`)

// NewUser is what is needed to make a user.
type NewUser struct {
	Username, Name, Email, Password string
	Admin                           bool
}

// Create makes a user whose address counts as confirmed.
func Create(ctx context.Context, st *store.Store, n NewUser) (model.User, error) {
	if n.Name == "" {
		n.Name = n.Username
	}
	var mistakes []string
	broken := Broken{} // the same rules as in the API, told as the command line does
	CheckUsername(broken, n.Username)
	CheckEmail(broken, "email", n.Email)
	switch {
	case naming.Reserved(n.Username):
		mistakes = append(mistakes, "username "+n.Username+" is a reserved name")
	case len(broken["username"]) > 0:
		mistakes = append(mistakes, "username may hold letters, digits, '_', '-' and '.', and must not begin with '-' or '.' or end with '.', '.git', '.atom' or '.json'")
	default:
		if CheckName(broken, n.Name); len(broken["name"]) > 0 {
			mistakes = append(mistakes, "full name must be one line of at most 255 characters")
		}
	}
	if len(broken["email"]) > 0 {
		mistakes = append(mistakes, "email must be a mail address")
	}
	if utf8.RuneCountInString(n.Password) < MinPassword {
		mistakes = append(mistakes, fmt.Sprintf("password must have at least %d characters", MinPassword))
	}
	if len(mistakes) > 0 {
		return model.User{}, errors.New(strings.Join(mistakes, "\n"))
	}
	u := model.DefaultUser()
	u.Username, u.Name, u.Email, u.Admin = n.Username, n.Name, n.Email, n.Admin
	var err error
	if u.PasswordHash, err = secret.HashPassword(ctx, n.Password); err != nil {
		return u, err
	}
	now := time.Now().UTC()
	u.ConfirmedAt = &now
	err = events.Audited(ctx, st, func(ctx context.Context) (events.Change, error) {
		err := st.Users.Create(ctx, &u)
		return events.OfUser(u, "user_created", "Created user"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		what := "name"
		if strings.Contains(taken.Constraint, "email") {
			what = "address"
		}
		return u, fmt.Errorf("a user or group with this %s exists already", what)
	}
	return u, err
}

// SetPassword gives a user a new password, and ends the sessions that the old one has opened.
func SetPassword(ctx context.Context, st *store.Store, username, password string) error {
	if utf8.RuneCountInString(password) < MinPassword {
		return fmt.Errorf("password must have at least %d characters", MinPassword)
	}
	u, err := st.Users.GetByUsername(ctx, username)
	if err != nil {
		return err
	}
	return NewPassword(ctx, st, u.ID, password)
}

// MakeAdmin makes a user an administrator.
func MakeAdmin(ctx context.Context, st *store.Store, username string) error {
	u, err := st.Users.GetByUsername(ctx, username)
	if err != nil {
		return err
	}
	return events.Audited(ctx, st, func(ctx context.Context) (events.Change, error) {
		c := events.OfUser(u, "user_updated", "Made user an administrator")
		c.Field, c.From, c.To = "admin", u.Admin, true
		return c, st.Users.Update(ctx, u.ID, map[string]any{"admin": true})
	})
}

// NewToken is what is needed to make a personal access token; without a day it is good for as long as may be.
type NewToken struct {
	Username, Name string
	Scopes         []string
	Expires        *time.Time
	Lifetime       access.Lifetime
}

// CreateToken makes a personal access token and returns its clear text, which is stored nowhere.
func CreateToken(ctx context.Context, st *store.Store, n NewToken) (string, error) {
	for _, scope := range n.Scopes {
		if !slices.Contains(access.Scopes, scope) {
			return "", fmt.Errorf("scope %q is not one of %s", scope, strings.Join(access.Scopes, ", "))
		}
	}
	if len(n.Scopes) == 0 {
		return "", errors.New("a token needs at least one scope")
	}
	expires, err := n.Lifetime.Expiry(n.Expires, 0, time.Now())
	if err != nil {
		return "", err
	}
	u, err := st.Users.GetByUsername(ctx, n.Username)
	if err != nil {
		return "", err
	}
	if !access.MayCarry(u.Admin, n.Scopes) {
		return "", fmt.Errorf("%s is not an administrator, whose tokens alone may have the scopes sudo, admin_mode and read_service_ping", u.Username)
	}
	token := secret.NewToken()
	return token, AddToken(ctx, st, newToken(u.ID, n.Name, token, n.Scopes, &expires))
}

func newToken(userID int64, name, token string, scopes []string, expires *time.Time) *model.PersonalAccessToken {
	return &model.PersonalAccessToken{
		UserID: userID, Name: name, Digest: secret.Digest(token), Scopes: strings.Join(scopes, " "), ExpiresAt: expires,
	}
}
