package remote

import (
	"bytes"
	"context"
	"net/url"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// PullChange describes changes of the mirror that a project pulls from; fields that are not set stay as they are.
type PullChange struct {
	URL, User, Password                               *string
	Enabled, TriggerBuilds, OnlyProtected, Overwrites *bool
	Regex                                             wire.Optional[string]
}

// address returns the new address of a mirror; nil if it stays.
func (c PullChange) address(old *url.URL) (*url.URL, error) {
	u := old
	if c.URL != nil {
		given, err := parseAddress(*c.URL)
		if err != nil {
			return nil, err
		}
		u = given
	}
	if u == nil || (c.URL == nil && c.User == nil && c.Password == nil) {
		return nil, nil
	}
	next := *u
	if c.User != nil || c.Password != nil {
		user := wire.Value(c.User)
		if c.User == nil && u.User != nil {
			user = u.User.Username()
		}
		password, _ := u.User.Password()
		if c.Password != nil {
			password = *c.Password
		}
		next.User = url.UserPassword(user, password)
	}
	return &next, nil
}

func (c PullChange) apply(m model.PullMirror) (model.PullMirror, error) {
	for _, f := range []struct{ to, given *bool }{
		{&m.Enabled, c.Enabled},
		{&m.MirrorTriggerBuilds, c.TriggerBuilds},
		{&m.OnlyMirrorProtectedBranches, c.OnlyProtected},
		{&m.MirrorOverwritesDivergedBranches, c.Overwrites},
	} {
		if f.given != nil {
			*f.to = *f.given
		}
	}
	if c.Regex.IsSet() {
		m.MirrorBranchRegex = c.Regex.Ptr()
	}
	return m, checkFilter(m.MirrorBranchRegex, m.OnlyMirrorProtectedBranches, "only_mirror_protected_branches")
}

// Pull returns the mirror that a project pulls from.
func (s *Service) Pull(ctx context.Context, p model.Project) (model.PullMirror, error) {
	m, err := s.Store.PullMirrors.Of(ctx, p.ID)
	if store.IsNotFound(err) {
		err = apierr.Refused("The project is not mirrored")
	}
	return m, err
}

// SetPull sets the mirror that a project pulls from. Pulled commits are pushed in the name of the caller.
func (s *Service) SetPull(ctx context.Context, p model.Project, c PullChange) (model.PullMirror, error) {
	old, err := s.Store.PullMirrors.Of(ctx, p.ID)
	fresh := store.IsNotFound(err)
	if err != nil && !fresh {
		return old, err
	}
	if fresh && c.URL == nil {
		return old, apierr.BadParameter("url is missing")
	}
	changed, err := s.changePull(ctx, p, old, c)
	if err != nil {
		return old, err
	}
	renewed := !bytes.Equal(changed.Sealed, old.Sealed)
	starts := changed.Enabled && (!old.Enabled || renewed)
	err = events.AuditedAll(ctx, s.Store, func(ctx context.Context) (all []events.Change, err error) {
		if fresh {
			all = []events.Change{pullEvent(p, changed, "pull_mirror_created", "Added pull mirror")}
			err = s.Store.PullMirrors.Create(ctx, &changed)
		} else {
			all, err = s.updatePull(ctx, p, old, changed)
		}
		if err == nil && starts {
			err = s.pullSoon(ctx, changed)
		}
		if err == nil {
			changed, err = s.Store.PullMirrors.Find(ctx, p.ID)
		}
		return all, err
	})
	return changed, err
}

// updatePull stores the changes of a mirror, and returns their audit events.
func (s *Service) updatePull(ctx context.Context, p model.Project, old, changed model.PullMirror) ([]events.Change, error) {
	like := pullEvent(p, old, "pull_mirror_updated", "")
	same := old
	same.Sealed = changed.Sealed // nobody may read it
	all := events.Differences(same, changed, like)
	if !bytes.Equal(changed.Sealed, old.Sealed) && changed.URL == old.URL {
		like.Message = "Changed the user or password"
		all = append(all, like)
	}
	return all, s.Store.PullMirrors.Update(ctx, old.ID, map[string]any{
		"url": changed.URL, "sealed": changed.Sealed, "user_id": changed.UserID, "enabled": changed.Enabled,
		"mirror_trigger_builds":               changed.MirrorTriggerBuilds,
		"only_mirror_protected_branches":      changed.OnlyMirrorProtectedBranches,
		"mirror_overwrites_diverged_branches": changed.MirrorOverwritesDivergedBranches,
		"mirror_branch_regex":                 changed.MirrorBranchRegex,
	})
}

// changePull returns a mirror with its changes.
func (s *Service) changePull(ctx context.Context, p model.Project, old model.PullMirror, c PullChange) (model.PullMirror, error) {
	m, err := c.apply(old)
	if err != nil {
		return m, err
	}
	user := reqctx.Of(ctx).Actor.User.ID
	m.UserID, m.ProjectID = &user, p.ID
	if m.UpdateStatus == "" {
		m.UpdateStatus = model.MirrorNone
	}
	var before *url.URL
	if old.ID != 0 {
		before, _ = s.openSealed(old.Sealed, p.ID) // without it, the request has to have a URL
	}
	u, err := c.address(before)
	if err == nil && u == nil && before == nil {
		return m, apierr.BadParameter("url is missing")
	}
	if err != nil {
		_, err = s.checkAddress(ctx, "url", wire.Value(c.URL))
		return m, err
	}
	if u == nil {
		return m, nil
	}
	if _, err := s.checkAddress(ctx, "url", u.String()); err != nil {
		return m, err
	}
	m.URL, m.Sealed = shownAddress(u), s.vault.Seal([]byte(u.String()), owner(p.ID))
	return m, nil
}

// StartPull queues a pull.
func (s *Service) StartPull(ctx context.Context, p model.Project) (model.PullMirror, error) {
	m, err := s.Pull(ctx, p)
	if err != nil {
		return m, err
	}
	if !m.Enabled {
		return m, apierr.BadRequest("The mirror is not enabled")
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		if err := s.pullSoon(ctx, m); err != nil {
			return events.Change{}, err
		}
		m, err = s.Store.PullMirrors.Find(ctx, p.ID)
		return pullEvent(p, m, "pull_mirror_started", "Started an update of a pull mirror"), err
	})
	return m, err
}

// pullSoon queues a pull, after the one that is running if there is one. Failures of the past no longer count.
func (s *Service) pullSoon(ctx context.Context, m model.PullMirror) error {
	err := s.Store.PullMirrors.Update(ctx, m.ID, map[string]any{"failures": 0, "next_at": clock.Now(ctx).UTC()})
	if err != nil {
		return err
	}
	_, err = s.startPull(ctx, m)
	return err
}

// startPull queues a pull, and reports whether it did: not if one is queued or running already.
func (s *Service) startPull(ctx context.Context, m model.PullMirror) (started bool, err error) {
	err = s.Store.Tx(ctx, func(ctx context.Context) error {
		started, err = s.Store.PullMirrors.Claim(ctx, m.ID, clock.Now(ctx).Add(-longestUpdate))
		if err != nil || !started {
			return err
		}
		return s.Enqueue(ctx, PullMirror{ProjectID: m.ProjectID})
	})
	return started, err
}

func pullEvent(p model.Project, m model.PullMirror, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "PullMirror", ID: m.ID, Details: m.URL},
	}
}
