// Package account creates and changes user accounts: users, their passwords, tokens, keys, addresses and second
// factors, and the rules that input must keep. The API, the web pages and the command line share it.
//
//	account.go     users and tokens made on the command line
//	first.go       the administrator of a new instance
//	register.go    registration of a new user
//	rules.go       rules for usernames, names, addresses and passwords
//	profile.go     rules for profile texts and status
//	email.go       a further mail address
//	password.go    new passwords, and confirmation of addresses by mailed tokens
//	letters.go     mails to users about their accounts
//	own.go         SSH keys, addresses and tokens of a user, with audit events
//	token.go       rules for new personal access tokens
//	ssh.go         reads SSH public keys
//	expire.go      what expires: sessions, mailed tokens, statuses, unconfirmed addresses, idle bots, locks
//	state.go       block, deactivate, ban and approve users
//	two_factor.go  authenticator apps and recovery codes
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

// MinPassword is the minimum number of characters of a password.
const MinPassword = 8

var usernameFormat = regexp.MustCompile(`\A[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,253}[a-zA-Z0-9_-]\z|\A[a-zA-Z0-9_]\z`)

// NewUser describes a user to create.
type NewUser struct {
	Username, Name, Email, Password string
	Admin                           bool
}

// Create creates a user whose mail address counts as confirmed.
func Create(ctx context.Context, st *store.Store, n NewUser) (model.User, error) {
	if n.Name == "" {
		n.Name = n.Username
	}
	var mistakes []string
	broken := FieldErrors{} // the same rules as in the API, but with messages for the command line
	CheckUsername(broken, n.Username)
	CheckEmail(broken, "email", n.Email)
	switch {
	case naming.Reserved(n.Username):
		mistakes = append(mistakes, "username "+n.Username+" is a reserved name")
	case len(broken["username"]) > 0:
		mistakes = append(mistakes, "username can contain letters, digits, '_', '-' and '.', "+
			"and must not start with '-' or '.' or end with '.', '.git', '.atom' or '.json'")
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
		return u, fmt.Errorf("a user or group with this %s already exists", what)
	}
	return u, err
}

// SetPassword sets the password of a user and ends all sessions of that user.
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

// NewToken describes a personal access token to create. Without Expires, the token gets the longest lifetime allowed.
type NewToken struct {
	Username, Name string
	Scopes         []string
	Expires        *time.Time
	Lifetime       access.Lifetime
}

// CreateToken creates a personal access token and returns its plain text, which is not stored.
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
		return "", fmt.Errorf(
			"%s is not an administrator; only tokens of administrators can have the scopes sudo, admin_mode and read_service_ping",
			u.Username,
		)
	}
	token := secret.NewToken()
	return token, AddToken(ctx, st, newToken(u.ID, n.Name, token, n.Scopes, &expires))
}

func newToken(userID int64, name, token string, scopes []string, expires *time.Time) *model.PersonalAccessToken {
	return &model.PersonalAccessToken{
		UserID: userID, Name: name, Digest: secret.Digest(token), Scopes: strings.Join(scopes, " "), ExpiresAt: expires,
	}
}
