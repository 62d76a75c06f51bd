// Package account creates and changes user accounts: users, their passwords, addresses and second factors, and the
// rules that input must keep. The API, the web pages and the command line share it.
//
//	account.go        users made on the command line
//	first.go          the administrator of a new instance
//	register.go       registration of a new user
//	service.go        what administrators do with users: construction
//	settings.go       the fields that administrators set
//	create.go         a new user
//	update.go         changes of a user
//	address.go        changes of the primary, public and commit address
//	delete.go         deletion of a user
//	delete_worker.go  the background job that deletes a user
//	attribute.go      custom attributes
//	identity.go       identities at external providers
//	state.go          block, deactivate and ban users
//	approval.go       approve and reject users who wait for approval
//	rules.go          rules for usernames, names, addresses and passwords
//	profile.go        rules for profile texts
//	status.go         the status of a user
//	email.go          secondary mail addresses
//	password.go       new passwords, and confirmation of addresses by mailed tokens
//	letters.go        mails to users about their accounts
//	expire.go         what expires: sessions, mailed tokens, statuses, unconfirmed addresses, idle bots, locks
//	two_factor.go     authenticator apps and recovery codes
package account

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"svc/server/platform/events"
	"svc/server/platform/naming"
	"svc/store"
	"svc/store/clock"
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
	now := clock.Now(ctx).UTC()
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
