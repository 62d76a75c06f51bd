// Package role creates and deletes custom roles, and decides which members can have them.
package role

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// maxRoles is how many custom roles the instance or a group has.
const maxRoles = 100

// Service creates and deletes custom roles.
type Service struct{ store *store.Store }

// New returns a Service.
func New(st *store.Store) *Service { return &Service{store: st} }

// Settings describe a custom role to create.
type Settings struct {
	Name        string
	Description *string
	Base        model.Access
	Permissions []string
}

// Create adds a custom role to a group or, for nil, to the instance.
func (s *Service) Create(ctx context.Context, group *model.Namespace, given Settings) (model.MemberRole, error) {
	made := model.MemberRole{Name: strings.TrimSpace(given.Name), Description: given.Description, BaseAccessLevel: given.Base}
	if group != nil {
		made.GroupID = &group.ID
	}
	switch {
	case made.Name == "":
		return made, apierr.Invalid("name", "can't be blank")
	case len(given.Permissions) == 0:
		return made, apierr.Invalid("base", "Cannot create a member role with no enabled permissions")
	}
	slices.Sort(given.Permissions)
	text, err := json.Marshal(given.Permissions)
	if err != nil {
		return made, err
	}
	made.Permissions = string(text)
	_, total, err := s.store.MemberRoles.List(ctx, made.GroupID, store.Page{Limit: maxRoles})
	if err != nil {
		return made, err
	}
	if total.Count >= maxRoles {
		return made, apierr.Invalid("base", "Maximum number of custom roles (100) exceeded")
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		err := s.store.MemberRoles.Create(ctx, &made)
		return change(group, made, "member_role_created", "Added a custom role"), err
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) {
		err = apierr.Invalid("name", "has already been taken")
	}
	return made, err
}

// Delete deletes a custom role that no member has. With unmodifiedSince, it fails if the role has changed since then.
func (s *Service) Delete(ctx context.Context, group *model.Namespace, row model.MemberRole, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		used, err := s.store.MemberRoles.InUse(ctx, row.ID)
		if err == nil && used {
			err = apierr.Refused("Role is assigned to one or more members. Remove the role from all members, then delete it.")
		}
		if err == nil {
			err = s.store.MemberRoles.Delete(ctx, row, unmodifiedSince)
		}
		return change(group, row, "member_role_deleted", "Removed a custom role"), err
	})
}

// change describes a change of a custom role for the audit log.
func change(group *model.Namespace, row model.MemberRole, kind, message string) events.Change {
	entity := events.Instance
	if group != nil {
		entity = events.Group(*group)
	}
	return events.Change{
		Type: kind, Entity: entity, Message: message,
		Target: events.Target{Type: "MemberRole", ID: row.ID, Details: row.Name},
	}
}
