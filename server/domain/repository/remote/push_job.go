package remote

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"svc/server/domain/repository/push"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// PushMirror is the job that pushes to a repository on another server.
type PushMirror struct {
	MirrorID int64 `json:"mirror_id"`
}

// Kind returns the name of the job in the queue.
func (PushMirror) Kind() string { return "push_mirror" }

// Pushed marks the mirrors of a project for an update. It runs in the transaction of the push.
func (s *Service) Pushed(ctx context.Context, p push.Result) error {
	return s.Store.RemoteMirrors.MarkChanged(ctx, p.ProjectID)
}

// RunPush makes the branches and tags of a mirror those of the project. It can be repeated at any point.
func (s *Service) RunPush(ctx context.Context, job PushMirror) error {
	m, err := s.Store.RemoteMirrors.Find(ctx, job.MirrorID)
	if err != nil {
		return ignoreNotFound(err)
	}
	if !m.Enabled { // it was switched off after the push was queued
		return s.Store.RemoteMirrors.Update(ctx, m.ID, map[string]any{"update_status": model.MirrorNone})
	}
	row, err := s.Store.Projects.Get(ctx, m.ProjectID, "", &store.Reader{Admin: true})
	if err != nil {
		return ignoreNotFound(err)
	}
	began := clock.Now(ctx).UTC()
	err = s.Store.RemoteMirrors.Update(ctx, m.ID, map[string]any{"update_status": model.MirrorStarted, "last_update_started_at": began})
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, importTime, errTooLong)
	defer cancel()
	u, err := s.openSealed(m.Sealed, m.ProjectID)
	var left []string
	if err == nil {
		left, err = s.push(limited, m, row.Project, u)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // the service is stopping; the job starts again
	}
	return s.Store.RemoteMirrors.End(ctx, s.pushed(ctx, m, row.Project, began, outcome{u, left, err}))
}

// outcome is how an update of a mirror has ended.
type outcome struct {
	from *url.URL // or to; nil if it could not be read
	left []string // refs that were not updated, with the reasons
	err  error
}

// text returns which refs were not updated.
func (o outcome) text() string {
	return withoutSecrets("Some refs were not updated: "+strings.Join(o.left[:min(len(o.left), 10)], ", ")+".", o.from)
}

// pushed returns the state of a mirror after a push. A push that fails is tried again, each time later.
func (s *Service) pushed(ctx context.Context, m model.RemoteMirror, p model.Project, began time.Time, o outcome) store.Mirrored {
	pause := pushPause
	if m.OnlyProtectedBranches {
		pause = protectedPause
	}
	now := clock.Now(ctx).UTC()
	r := store.Mirrored{ID: m.ID, Began: began, At: now, Status: model.MirrorFinished, NextAt: began.Add(pause)}
	switch {
	case o.err != nil:
		reason := s.reason(ctx, o.err, p, o.from)
		r.Status, r.Error, r.Failures = model.MirrorToRetry, &reason, m.Failures+1
		r.NextAt = now.Add(later(pushPause, r.Failures))
		if r.Failures >= maxFailures {
			r.Status = model.MirrorFailed
		}
	case len(o.left) > 0:
		reason := o.text()
		r.Status, r.Error = model.MirrorFailed, &reason
	}
	return r
}

// push updates the remote repository. It returns the refs that it could not, or must not, change, with the reasons.
func (s *Service) push(ctx context.Context, m model.RemoteMirror, p model.Project, u *url.URL) ([]string, error) {
	repo, err := s.Repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
	if err != nil || p.EmptyRepo {
		return nil, err // an empty project deletes nothing elsewhere
	}
	f, err := s.newFilter(ctx, p, m.OnlyProtectedBranches, m.MirrorBranchRegex)
	if err != nil {
		return nil, err
	}
	o, err := s.open(ctx, u, git.ReceivePack)
	if err != nil {
		return nil, err
	}
	if !o.Caps["report-status"] {
		return nil, &git.RemoteError{Why: "the server does not report whether a push succeeds"}
	}
	commands, left, err := pushCommands(ctx, repo, o, f, m.KeepDivergentRefs)
	if err != nil {
		return nil, err
	}
	var has []string
	for _, ref := range o.Refs {
		has = append(has, ref.ID)
	}
	for part := range slices.Chunk(commands, pushPart) {
		refused, err := o.push(ctx, repo, part, has)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(refused)) {
			left = append(left, name+" ("+refused[name]+")")
		}
	}
	return left, nil
}

// pushPart is how many refs are pushed at once.
const pushPart = 1000

// push sends commands with their objects.
func (o *session) push(ctx context.Context, repo git.Repo, commands []git.Command, has []string) (map[string]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	read, write := io.Pipe()
	written := make(chan error, 1)
	go func() {
		err := repo.WritePush(ctx, write, commands, has, o.Caps)
		write.CloseWithError(err)
		written <- err
	}()
	body, err := o.postPush(ctx, read)
	read.CloseWithError(io.ErrClosedPipe) // ends the goroutine if the server has not read everything
	if err != nil {
		<-written
		return nil, err
	}
	defer body.Close()
	refused, err := git.ReadPushReport(body, o.Caps)
	cancel()
	<-written
	return refused, err
}

// smallPush is the size up to which a push is sent with its length: not all servers take requests of unknown length.
const smallPush = 1 << 20

// postPush sends a push.
func (o *session) postPush(ctx context.Context, from io.Reader) (io.ReadCloser, error) {
	first, err := io.ReadAll(io.LimitReader(from, smallPush+1))
	if err != nil {
		return nil, err
	}
	if len(first) <= smallPush {
		return o.post(ctx, bytes.NewReader(first), int64(len(first)))
	}
	return o.post(ctx, io.MultiReader(bytes.NewReader(first), from), 0)
}

// pushCommands returns the changes that make the refs of the remote repository those of ours. left are refs that differ
// there and are kept.
func pushCommands(
	ctx context.Context, repo git.Repo, o *session, f filter, keep bool,
) (commands []git.Command, left []string, err error) {
	ours, err := repo.Refs("refs/")
	if err != nil || len(ours) == 0 {
		return nil, nil, err
	}
	theirs, own := map[string]string{}, map[string]bool{}
	for _, ref := range o.Refs {
		theirs[ref.Name] = ref.ID
	}
	for _, ref := range ours {
		own[ref.Name] = true
		old := theirs[ref.Name]
		if !f.has(ref.Name) || old == ref.ID {
			continue
		}
		if old == "" {
			old = git.Zero
		} else if keep && !follows(ctx, repo, ref, old) {
			left = append(left, ref.Name+" (it has diverged)")
			continue
		}
		commands = append(commands, git.Command{Ref: ref.Name, Old: old, New: ref.ID})
	}
	for _, ref := range o.Refs {
		if !keep && f.has(ref.Name) && !own[ref.Name] && o.Caps["delete-refs"] {
			commands = append(commands, git.Command{Ref: ref.Name, Old: ref.ID, New: git.Zero})
		}
	}
	return commands, left, ctx.Err()
}

// follows reports whether a ref only moves forward from an old value. A tag never does.
func follows(ctx context.Context, repo git.Repo, ref git.Ref, old string) bool {
	if !strings.HasPrefix(ref.Name, branches) {
		return false
	}
	forward, err := repo.IsAncestor(ctx, old, ref.ID)
	return err == nil && forward
}
