// Package serviceaccount creates, changes and deletes the users that programs use and nobody signs in as. They belong to the
// instance, to a group or to a project.
package serviceaccount

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// defaultName is the name of an account whose creator gives none.
const defaultName = "Service account user"

// Service creates, changes and deletes service accounts.
type Service struct {
	store    *store.Store
	accounts *account.Service
	mailHost string
}

// New returns the service. Accounts get mail addresses below mailHost, which receive no mail.
func New(st *store.Store, accounts *account.Service, mailHost string) *Service {
	return &Service{store: st, accounts: accounts, mailHost: mailHost}
}

// Owner is what a service account belongs to: the instance, a group or a project.
type Owner struct {
	store.Source // zero for the instance

	Entity   events.Entity
	TopLevel bool // it is no subgroup
}

// Instance is the instance as an owner.
var Instance = Owner{Entity: events.Instance, TopLevel: true}

// OfGroup returns a group as an owner.
func OfGroup(g model.Namespace) Owner {
	return Owner{store.Source{Type: model.SourceGroup, ID: g.ID}, events.Group(g), g.ParentID == nil}
}

// OfProject returns a project as an owner.
func OfProject(p model.Project) Owner {
	return Owner{store.Source{Type: model.SourceProject, ID: p.ID}, events.Project(p), true}
}

// Change describes an account; nil fields stay as they are, or get their defaults in a new account.
type Change struct{ Name, Username, Email *string }

// Create creates a service account.
func (s *Service) Create(ctx context.Context, in Owner, c Change) (model.User, error) {
	actor := reqctx.Of(ctx).Actor
	if err := refusePrograms(actor); err != nil {
		return model.User{}, err
	}
	if !in.TopLevel {
		return model.User{}, apierr.BadRequest("Service accounts can be created only in groups at the top level")
	}
	now := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	u := model.DefaultUser()
	u.Kind, u.Name, u.Username = model.UserServiceAccount, defaultName, in.username()
	u.CreatedByID, u.ConfirmedAt, u.CanCreateGroup, u.ProjectsLimit = &actor.User.ID, &now, false, 0
	set, err := c.check(actor, &u)
	if err != nil {
		return u, err
	}
	if set["email"] == nil {
		u.Email = u.Username + "@noreply." + s.mailHost
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.ServiceAccounts.Create(ctx, in.Source, &u)
		return in.change(u, "service_account_created", "Created service account"), err
	})
	return u, explainTaken(err)
}

// refusePrograms refuses callers who are no people: a program would multiply itself.
func refusePrograms(actor *reqctx.Actor) error {
	if actor.User.Kind != model.UserHuman {
		return apierr.Forbidden()
	}
	return nil
}

// username returns a username that nobody has.
func (o Owner) username() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	text := hex.EncodeToString(random[:])
	switch o.Type {
	case model.SourceGroup:
		return fmt.Sprintf("service_account_group_%d_%s", o.ID, text)
	case model.SourceProject:
		return fmt.Sprintf("service_account_project_%d_%s", o.ID, text)
	}
	return "service_account_" + text
}

// check writes the given fields into an account, and returns them as columns after their validation.
func (c Change) check(actor *reqctx.Actor, u *model.User) (map[string]any, error) {
	set, broken := map[string]any{}, account.FieldErrors{}
	if c.Name != nil {
		u.Name = *c.Name
		set["name"] = u.Name
		account.CheckName(broken, u.Name)
	}
	if c.Username != nil {
		u.Username = *c.Username
		set["username"] = u.Username
		account.CheckUsername(broken, u.Username)
	}
	if c.Email != nil {
		if !actor.User.Admin {
			return nil, apierr.BadRequest("Only administrators can set the email address of a service account")
		}
		u.Email = *c.Email
		set["email"] = u.Email
		account.CheckEmail(broken, "email", u.Email)
	}
	if len(broken) > 0 {
		return nil, apierr.InvalidFields(broken)
	}
	return set, nil
}

// explainTaken turns a conflict into a 400 that names the value.
func explainTaken(err error) error {
	var taken *store.ConflictError
	if !errors.As(err, &taken) {
		return err
	}
	if strings.Contains(taken.Constraint, "email") {
		return apierr.Refused("Email has already been taken")
	}
	return apierr.Refused("Username has already been taken")
}

// Find returns a service account of an owner, or a 404.
func (s *Service) Find(ctx context.Context, in Owner, id int64) (model.User, error) {
	u, err := s.store.ServiceAccounts.Get(ctx, in.Source, id)
	return u, apierr.OrNotFound(err, "User")
}

// Apply changes a service account.
func (s *Service) Apply(ctx context.Context, in Owner, id int64, c Change) (model.User, error) {
	u, err := s.Find(ctx, in, id)
	if err != nil {
		return u, err
	}
	set, err := c.check(reqctx.Of(ctx).Actor, &u)
	if err != nil || len(set) == 0 {
		return u, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		if u.NamespaceID != nil && (c.Username != nil || c.Name != nil) {
			if err := s.store.Namespaces.Rename(ctx, *u.NamespaceID, c.Name, c.Username); err != nil {
				return events.Change{}, err
			}
		}
		return in.change(u, "service_account_updated", "Changed service account"), s.store.Users.Update(ctx, u.ID, set)
	})
	return u, explainTaken(err)
}

// Delete blocks a service account and queues the job that deletes it, unless it was changed after the given time.
func (s *Service) Delete(ctx context.Context, in Owner, id int64, hard bool, unchangedSince *time.Time) error {
	u, err := s.Find(ctx, in, id)
	if err != nil {
		return err
	}
	return s.accounts.Delete(ctx, u.ID, hard, unchangedSince)
}

// change describes a change of an account for the audit events.
func (o Owner) change(u model.User, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: o.Entity, Message: message, Target: events.Target{Type: "User", ID: u.ID, Details: u.Username},
	}
}
