package remote

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"svc/openapi/wire"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// maxMirrors is how many mirrors a project may have.
const maxMirrors = 10

// MirrorChange describes changes of a mirror that is pushed to; fields that are not set stay as they are.
type MirrorChange struct {
	Enabled, OnlyProtected, KeepDivergent *bool
	Regex                                 wire.Optional[string]
}

func (c MirrorChange) apply(m model.RemoteMirror) (model.RemoteMirror, error) {
	for _, f := range []struct{ to, given *bool }{
		{&m.Enabled, c.Enabled}, {&m.OnlyProtectedBranches, c.OnlyProtected}, {&m.KeepDivergentRefs, c.KeepDivergent},
	} {
		if f.given != nil {
			*f.to = *f.given
		}
	}
	if c.Regex.IsSet() {
		m.MirrorBranchRegex = c.Regex.Ptr()
	}
	return m, checkFilter(m.MirrorBranchRegex, m.OnlyProtectedBranches, "only_protected_branches")
}

// CreateMirror adds a repository that a project pushes to, and queues the first push if the mirror is enabled.
func (s *Service) CreateMirror(ctx context.Context, p model.Project, to string, c MirrorChange) (m model.RemoteMirror, err error) {
	u, err := s.checkAddress(ctx, "url", to)
	if err != nil {
		return m, err
	}
	m, err = c.apply(model.RemoteMirror{
		ProjectID: p.ID, URL: shownAddress(u), Sealed: s.vault.Seal([]byte(to), owner(p.ID)), UpdateStatus: model.MirrorNone,
	})
	if err != nil {
		return m, err
	}
	err = events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		if err := s.Store.RemoteMirrors.Create(ctx, &m, maxMirrors); err != nil {
			return events.Change{}, err
		}
		if m.Enabled {
			if _, err := s.startPush(ctx, m.ID); err != nil {
				return events.Change{}, err
			}
		}
		m, err = s.Store.RemoteMirrors.Find(ctx, m.ID)
		return mirrorChange(p, m, "remote_mirror_created", "Added push mirror"), err
	})
	var full *store.LimitError
	if errors.As(err, &full) {
		err = apierr.Invalid("base", fmt.Sprintf("Maximum number of mirrors (%d) exceeded", full.Most))
	}
	return m, err
}

// UpdateMirror changes a repository that a project pushes to.
func (s *Service) UpdateMirror(ctx context.Context, p model.Project, m model.RemoteMirror, c MirrorChange) (model.RemoteMirror, error) {
	changed, err := c.apply(m)
	if err == nil && changed.Enabled && !m.Enabled && string(m.Sealed) == model.LostSecrets {
		err = apierr.Invalid("enabled", "cannot be set: the secret key of the service was replaced, so the credentials are lost")
	}
	if err != nil {
		return m, err
	}
	err = events.AuditedAll(ctx, s.Store, func(ctx context.Context) ([]events.Change, error) {
		err := s.Store.RemoteMirrors.Update(ctx, m.ID, map[string]any{
			"enabled": changed.Enabled, "only_protected_branches": changed.OnlyProtectedBranches,
			"keep_divergent_refs": changed.KeepDivergentRefs, "mirror_branch_regex": changed.MirrorBranchRegex,
		})
		if err == nil && changed.Enabled && !m.Enabled {
			err = s.pushSoon(ctx, m.ID)
		}
		if err != nil {
			return nil, err
		}
		all := events.Differences(m, changed, mirrorChange(p, m, "remote_mirror_updated", ""))
		changed, err = s.Store.RemoteMirrors.Find(ctx, m.ID)
		return all, err
	})
	return changed, err
}

// DeleteMirror removes a repository that a project pushes to. With unmodifiedSince, it fails if the mirror has changed
// since then.
func (s *Service) DeleteMirror(ctx context.Context, p model.Project, m model.RemoteMirror, unmodifiedSince *time.Time) error {
	return events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.Store.RemoteMirrors.Delete(ctx, m, unmodifiedSince)
		return mirrorChange(p, m, "remote_mirror_deleted", "Removed push mirror"), err
	})
}

// pushSoon queues a push to a mirror, after the one that is running if there is one. Failures of the past no longer count.
func (s *Service) pushSoon(ctx context.Context, id int64) error {
	set := map[string]any{"failures": 0, "next_at": nil, "changed_at": clock.Now(ctx).UTC()}
	if err := s.Store.RemoteMirrors.Update(ctx, id, set); err != nil {
		return err
	}
	_, err := s.startPush(ctx, id)
	return err
}

// SyncMirror queues a push to a repository.
func (s *Service) SyncMirror(ctx context.Context, p model.Project, m model.RemoteMirror) error {
	if !m.Enabled {
		return apierr.BadRequest("The mirror is not enabled")
	}
	return events.Audited(ctx, s.Store, func(ctx context.Context) (events.Change, error) {
		err := s.pushSoon(ctx, m.ID)
		return mirrorChange(p, m, "remote_mirror_synced", "Started an update of a push mirror"), err
	})
}

func mirrorChange(p model.Project, m model.RemoteMirror, kind, message string) events.Change {
	return events.Change{
		Type: kind, Entity: events.Project(p), Message: message,
		Target: events.Target{Type: "RemoteMirror", ID: m.ID, Details: m.URL},
	}
}

// SweepMirrors is the job that finds mirrors whose update is due.
type SweepMirrors struct{}

// Kind returns the name of the job in the queue.
func (SweepMirrors) Kind() string { return "sweep_mirrors" }

const (
	pushPause      = 5 * time.Minute // between two pushes to a mirror
	protectedPause = time.Minute     // the same, with protected branches only
	longestPause   = 4 * time.Hour   // after failures
	maxFailures    = 14              // in a row, after which an update is not tried again by itself
	longestUpdate  = 3 * time.Hour   // in which an update that was queued has ended, unless its job was lost
	someMirrors    = 200
)

// later returns the pause after a number of failures in a row: it doubles with each of them.
func later(pause time.Duration, failures int64) time.Duration {
	for range failures - 1 {
		if pause *= 2; pause >= longestPause {
			return longestPause
		}
	}
	return pause
}

// RunSweep queues the updates of mirrors that are due.
func (s *Service) RunSweep(ctx context.Context, _ SweepMirrors) error {
	now := clock.Now(ctx)
	due, err := s.Store.RemoteMirrors.Due(ctx, now, now.Add(-longestUpdate), someMirrors)
	if err != nil {
		return err
	}
	for _, m := range due {
		if _, err := s.startPush(ctx, m.ID); err != nil {
			return err
		}
	}
	pulls, err := s.Store.PullMirrors.Due(ctx, now, now.Add(-longestUpdate), someMirrors)
	if err != nil {
		return err
	}
	for _, m := range pulls {
		if _, err := s.startPull(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// startPush queues a push to a mirror, and reports whether it did: not if one is queued or running already.
func (s *Service) startPush(ctx context.Context, id int64) (started bool, err error) {
	err = s.Store.Tx(ctx, func(ctx context.Context) error {
		started, err = s.Store.RemoteMirrors.Claim(ctx, id, clock.Now(ctx).Add(-longestUpdate))
		if err != nil || !started {
			return err
		}
		return s.Enqueue(ctx, PushMirror{MirrorID: id})
	})
	return started, err
}

// openSealed returns an address that was sealed for a project.
func (s *Service) openSealed(sealed []byte, projectID int64) (*url.URL, error) {
	text, err := s.vault.Open(sealed, owner(projectID))
	if err != nil {
		return nil, &FailedError{"The URL cannot be read any more, because the secret key of the service was replaced."}
	}
	return parseAddress(string(text))
}
