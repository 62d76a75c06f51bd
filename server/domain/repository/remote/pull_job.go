package remote

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"time"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// PullMirror is the job that pulls from a repository on another server.
type PullMirror struct {
	ProjectID int64 `json:"project_id"`
}

// Kind returns the name of the job in the queue.
func (PullMirror) Kind() string { return "pull_mirror" }

const (
	pullPause = 30 * time.Minute // between two pulls
	maxHaves  = 1000             // of our commits that are named to the other server
)

// RunPull pulls the branches and tags of the mirror of a project. It can be repeated at any point.
func (s *Service) RunPull(ctx context.Context, job PullMirror) error {
	m, err := s.Store.PullMirrors.Find(ctx, job.ProjectID)
	if err != nil {
		return ignoreNotFound(err)
	}
	if !m.Enabled { // it was switched off after the pull was queued
		return s.Store.PullMirrors.Update(ctx, m.ID, map[string]any{"update_status": model.MirrorNone})
	}
	row, err := s.Store.Projects.Get(ctx, m.ProjectID, "", &store.Reader{Admin: true})
	if err != nil {
		return ignoreNotFound(err)
	}
	now := clock.Now(ctx).UTC()
	err = s.Store.PullMirrors.Update(ctx, m.ID, map[string]any{
		"update_status": model.MirrorStarted, "last_update_started_at": now, "next_at": now.Add(pullPause),
	})
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, importTime, errTooLong)
	defer cancel()
	u, err := s.openSealed(m.Sealed, m.ProjectID)
	var left []string
	if err == nil {
		left, err = s.pull(limited, m, row, u)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // the service is stopping; the job starts again
	}
	return s.endPull(ctx, m, row.Project, outcome{u, left, err})
}

// endPull stores the result of a pull. A pull that fails is tried again, each time later.
func (s *Service) endPull(ctx context.Context, m model.PullMirror, p model.Project, o outcome) error {
	now := clock.Now(ctx).UTC()
	set := map[string]any{"last_update_at": now, "last_error": nil, "failures": 0}
	switch {
	case o.err != nil:
		set["update_status"], set["last_error"] = model.MirrorToRetry, s.reason(ctx, o.err, p, o.from)
		set["failures"], set["next_at"] = m.Failures+1, now.Add(later(pullPause, m.Failures+1))
		if m.Failures+1 >= maxFailures {
			set["update_status"], set["next_at"] = model.MirrorFailed, nil
		}
	case len(o.left) > 0:
		set["update_status"], set["last_error"] = model.MirrorFailed, o.text()
	default:
		set["update_status"], set["last_successful_update_at"] = model.MirrorFinished, now
	}
	return s.Store.PullMirrors.Update(ctx, m.ID, set)
}

// pull updates the project. It returns the refs that it must not change, with the reasons.
func (s *Service) pull(ctx context.Context, m model.PullMirror, row model.ProjectRow, u *url.URL) ([]string, error) {
	actor, row, err := s.mirrorUser(ctx, m, row)
	if err != nil {
		return nil, err
	}
	f, err := s.newFilter(ctx, row.Project, m.OnlyMirrorProtectedBranches, m.MirrorBranchRegex)
	if err != nil {
		return nil, err
	}
	repo, err := s.Pusher.Repo(row.Project)
	if err != nil {
		return nil, err
	}
	o, err := s.open(ctx, u, git.UploadPack)
	if err != nil {
		return nil, err
	}
	ours, err := repo.Refs("refs/")
	if err != nil {
		return nil, err
	}
	wanted, own := o.Copied(), map[string]string{}
	for _, ref := range ours {
		own[ref.Name] = ref.ID
	}
	maps.DeleteFunc(wanted, func(name, id string) bool { return !f.has(name) || own[name] == id })
	if len(wanted) == 0 {
		return nil, nil
	}
	if err := s.fetchMissing(ctx, o, repo, wanted, own); err != nil {
		return nil, err
	}
	return s.applyPull(ctx, m, row, actor, repo, wanted, own)
}

// fetchMissing fetches the objects of refs that the repository does not have.
func (s *Service) fetchMissing(ctx context.Context, o *session, repo git.Repo, wanted, own map[string]string) error {
	missing, err := repo.Missing(ctx, slices.Collect(maps.Values(wanted)))
	if err != nil || len(missing) == 0 {
		return err
	}
	lacks := map[string]bool{}
	for _, id := range missing {
		lacks[id] = true
	}
	refs := map[string]string{}
	for name, id := range wanted {
		if lacks[id] {
			refs[name] = id
		}
	}
	haves := slices.Compact(slices.Sorted(maps.Values(own)))
	if err := s.receive(ctx, o, repo, refs, haves[:min(len(haves), maxHaves)]); err != nil {
		return err
	}
	for name, id := range wanted {
		if lacks[id] && refs[name] == "" { // a tag whose object the server has not sent
			delete(wanted, name)
		}
	}
	return nil
}

// applyPull changes the refs, as a push of the mirror's user.
func (s *Service) applyPull(
	ctx context.Context, m model.PullMirror, row model.ProjectRow, actor *reqctx.Actor, repo git.Repo, wanted, own map[string]string,
) (left []string, err error) {
	var commands []git.Command
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		c := git.Command{Ref: name, Old: own[name], New: wanted[name]}
		if c.Old == "" {
			c.Old = git.Zero
		} else if !m.MirrorOverwritesDivergedBranches && !follows(ctx, repo, git.Ref{Name: name, ID: c.New}, c.Old) {
			left = append(left, name+" (it has diverged)")
			continue
		}
		commands = append(commands, c)
	}
	for part := range slices.Chunk(commands, pushPart) {
		asked := &git.Push{Commands: part}
		if !m.MirrorTriggerBuilds {
			asked.Options = []string{"ci.skip"}
		}
		if err := s.Pusher.Apply(ctx, row, actor, repo, asked); err != nil {
			return left, err
		}
		for _, c := range asked.Commands {
			if c.Refused != "" {
				left = append(left, c.Ref+" ("+c.Refused+")")
			}
		}
	}
	return left, nil
}

// mirrorUser returns the user who pushes what was pulled, and the project as that user sees it. The user must still be a
// maintainer.
func (s *Service) mirrorUser(
	ctx context.Context, m model.PullMirror, row model.ProjectRow,
) (*reqctx.Actor, model.ProjectRow, error) {
	refused := &FailedError{"The user of the mirror may no longer maintain the project. Another maintainer has to set the mirror."}
	if m.UserID == nil {
		return nil, row, refused
	}
	u, err := s.Store.Users.Get(ctx, *m.UserID)
	if err != nil {
		return nil, row, err
	}
	seen, err := s.Store.Projects.Get(ctx, row.Project.ID, "", &store.Reader{UserID: u.ID, Admin: u.Admin, External: u.External})
	if store.IsNotFound(err) {
		return nil, row, refused
	}
	if err != nil {
		return nil, row, err
	}
	if u.State != model.UserActive || seen.Role() < model.Maintainer || seen.Project.Archived {
		return nil, row, refused
	}
	return &reqctx.Actor{User: u.Caller()}, seen, nil
}
