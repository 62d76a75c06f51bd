package account

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/setting"
)

// Registration is the form that a visitor fills in to get an account.
type Registration struct {
	Name, Username, Email, Password string
}

// Check returns the rules that a registration breaks.
func (r Registration) Check(rules *setting.Values) FieldErrors {
	broken := FieldErrors{}
	CheckName(broken, r.Name)
	CheckUsername(broken, r.Username)
	CheckEmail(broken, "email", r.Email)
	if len(broken["email"]) == 0 && !acceptsAddress(rules, r.Email) {
		broken.Add("email", "is not allowed for sign-up. Please use another address, or ask an administrator")
	}
	CheckPassword(broken, rules, r.Password, r.Name, r.Username, r.Email)
	return broken
}

// Register creates an account whose address the user must confirm. If the address is taken, only its owner learns that,
// by mail. A taken username is reported, because usernames are public.
func (l *Mails) Register(ctx context.Context, r Registration) (FieldErrors, error) {
	settings := l.store.Settings.Current()
	if broken := r.Check(&settings.Values); len(broken) > 0 {
		return broken, nil
	}
	hash, err := secret.HashPassword(ctx, r.Password)
	if err != nil {
		return nil, err
	}
	u := settings.NewUser()
	u.Name, u.Username, u.Email, u.PasswordHash = r.Name, r.Username, r.Email, hash
	if settings.RequireAdminApprovalAfterUserSignup {
		u.State = model.UserPendingApproval
	}
	err = l.store.Tx(ctx, func(ctx context.Context) error {
		if err := l.store.Users.Create(ctx, &u); err != nil {
			return err
		}
		made := events.OfUser(u, "user_created", "User registered")
		made.Author = &events.Author{ID: u.ID, Name: u.Name, Email: u.Email}
		if err := events.Audit(ctx, l.store, made); err != nil {
			return err
		}
		if err := l.hooks.User(ctx, payload.EventUserCreate, u, ""); err != nil {
			return err
		}
		return l.SendConfirmation(ctx, u, u.Email)
	})
	var taken *store.ConflictError
	if !errors.As(err, &taken) {
		return nil, err
	}
	// Check the username first, so that the response does not depend on the address.
	names, err := l.store.Namespaces.Taken(ctx, nil, []string{r.Username})
	switch {
	case err != nil:
		return nil, err
	case names[strings.ToLower(r.Username)]:
		return FieldErrors{"username": {"has already been taken"}}, nil
	}
	return nil, l.SendTaken(ctx, r.Email)
}
