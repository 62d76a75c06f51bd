package webhook

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Owner is the project, the group or the instance that hooks belong to.
type Owner struct {
	store.HookOwner
	Scope  store.HookScope // the owner and the groups above
	Entity events.Entity
}

// OfProject returns a project as the owner of hooks.
func OfProject(p model.Project) Owner {
	return Owner{HookOwner: store.HookOwner{ProjectID: &p.ID}, Scope: events.InProject(p), Entity: events.Project(p)}
}

// OfGroup returns a group as the owner of hooks.
func OfGroup(g model.Namespace) Owner {
	return Owner{HookOwner: store.HookOwner{GroupID: &g.ID}, Scope: events.InGroup(g.ID), Entity: events.Group(g)}
}

// OfInstance returns the instance as the owner of hooks.
func OfInstance() Owner { return Owner{Entity: events.Instance} }

const (
	maxProjectHooks = 100
	maxGroupHooks   = 50
	maxSystemHooks  = 100
)

var (
	errHeaders       = errors.New("the custom headers break a rule")
	errHeadersCreate = apierr.UnprocessableParameter("Custom headers must be a valid json schema")
	errHeadersUpdate = apierr.UnprocessableParameter("Custom headers validation failed")
)

// Create creates a hook.
func (s *Service) Create(ctx context.Context, in Owner, c Change) (model.Hook, error) {
	h := model.Hook{
		ProjectID: in.ProjectID, GroupID: in.GroupID, Events: model.HookPush, EnableSSLVerification: true,
		BranchFilterStrategy: model.FilterWildcard,
	}
	if h.IsSystem() {
		h.Events = model.HookRepositoryUpdate | model.HookInstance
	}
	var open Secrets
	err := s.apply(ctx, &h, &open, c)
	if errors.Is(err, errHeaders) {
		err = errHeadersCreate
	}
	if err != nil {
		return h, err
	}
	if h.Sealed, err = s.seal(h, open); err != nil {
		return h, err
	}
	most, tooMany := limitOf(h)
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.Store.Hooks.Create(ctx, &h, most)
		return in.change(h, "hook_created", "Added a webhook"), err
	})
	if errors.Is(err, store.ErrTooMany) {
		err = apierr.UnprocessableParameter(tooMany)
	}
	return h, err
}

// limitOf returns how many hooks the owner of a hook may have, and the text for one more.
func limitOf(h model.Hook) (most int64, text string) {
	switch {
	case h.ProjectID != nil:
		return maxProjectHooks, "Maximum number of project hooks (100) exceeded"
	case h.GroupID != nil:
		return maxGroupHooks, "Maximum number of group hooks (50) exceeded"
	}
	return maxSystemHooks, "Maximum number of system hooks (100) exceeded"
}

// Update changes a hook.
func (s *Service) Update(ctx context.Context, in Owner, id int64, c Change) (model.Hook, error) {
	return s.edit(ctx, in, id, func(ctx context.Context, h *model.Hook, open *Secrets) error {
		err := s.apply(ctx, h, open, c)
		if errors.Is(err, errHeaders) {
			err = errHeadersUpdate
		}
		return err
	})
}

// editor changes a hook and its secrets.
type editor func(ctx context.Context, h *model.Hook, open *Secrets) error

// edit reads a hook, lets a function change it, and stores it. If another caller has changed the hook in the meantime, it
// begins again.
func (s *Service) edit(ctx context.Context, in Owner, id int64, change editor) (model.Hook, error) {
	for {
		h, done, err := s.tryEdit(ctx, in, id, change)
		if done || err != nil {
			return h, err
		}
	}
}

// tryEdit is edit without the repetition. It returns false if the hook has changed in the meantime. The URL is checked
// before the transaction, because that may take some seconds.
func (s *Service) tryEdit(ctx context.Context, in Owner, id int64, change editor) (h model.Hook, done bool, err error) {
	before, err := s.Store.Hooks.Get(ctx, in.HookOwner, id)
	if err != nil {
		return before, false, apierr.OrNotFound(err)
	}
	open, err := s.Open(before)
	if err != nil {
		return before, false, err
	}
	h = before
	if err := change(ctx, &h, &open); err != nil {
		return before, false, err
	}
	if h.Sealed, err = s.seal(h, open); err != nil {
		return before, false, err
	}
	err = events.AuditedAll(ctx, s.Store, func(ctx context.Context) ([]events.Change, error) {
		if done, err = s.Store.Hooks.Update(ctx, &h, before.Sealed); err != nil || !done {
			return nil, err
		}
		return []events.Change{in.change(h, "hook_updated", "Changed a webhook")}, nil
	})
	return h, done, err
}

// Delete deletes a hook, unless it has changed after the time.
func (s *Service) Delete(ctx context.Context, in Owner, id int64, unchangedSince *time.Time) error {
	h, err := s.Store.Hooks.Get(ctx, in.HookOwner, id)
	if err != nil {
		return apierr.OrNotFound(err)
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.Store.Hooks.Delete(ctx, h, unchangedSince)
		return in.change(h, "hook_deleted", "Removed a webhook"), err
	})
	return apierr.OrNotFound(err)
}

// change describes a change of a hook for the audit events.
func (in Owner) change(h model.Hook, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: in.Entity, Target: events.Target{Type: "WebHook", ID: h.ID, Details: maskURL(h.URL)}, Message: message,
	}
}
