// Package push takes pushes in: it checks what a caller may change, changes the refs and writes the event, so that a
// server that is killed in between leaves both or neither.
package push

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storage"
)

// After is told of a push that is done, in the transaction that writes its event: whatever follows from it is begun there.
type After func(ctx context.Context, p Result) error

// Follow is what follows from pushes. Commits that are taken in together are a push each.
type Follow struct {
	Each []After // for every push
	Once []After // once for all that are taken in together, with their changes: it concerns the project as it is then
}

// Result is what a push has changed.
type Result struct {
	ProjectID int64
	Project   model.Project // with the default branch that it has now
	UserID    int64
	Batch     string // its name, which no other push has
	Changes   []git.Command
	Options   []string
}

// Pusher takes pushes in.
type Pusher struct {
	store  *store.Store
	repos  *git.Repositories
	logger *slog.Logger
	limit  int64 // bytes of one push; 0 for any
	follow Follow
	lines  lines
}

// New needs the store, the repositories and how large a push may be.
func New(st *store.Store, repos *git.Repositories, logger *slog.Logger, limit int64, follow Follow) *Pusher {
	return &Pusher{store: st, repos: repos, logger: logger, limit: limit, follow: follow}
}

// Repo is the repository of a project. One that nothing was written to yet is made if it is not there; any other must be there.
func (p *Pusher) Repo(project model.Project) (git.Repo, error) {
	repo, err := p.repos.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
	if err == nil && project.EmptyRepo {
		err = repo.Create(project.DefaultBranch)
	}
	return repo, err
}

// Serve reads a push and answers it. The caller may push to the project; which refs is looked at here.
func (p *Pusher) Serve(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, in io.Reader, out io.Writer) error {
	repo, err := p.Repo(row.Project)
	if err != nil {
		return err
	}
	asked, err := git.ReadPush(in)
	if err != nil || asked == nil {
		return err
	}
	if done, err := asked.Refuse(ctx, out); done {
		return err
	}
	told := asked.Progress(out)
	kept, err := repo.Receive(ctx, asked, p.limit, told)
	defer kept.Discard()
	if errors.Is(err, context.Canceled) || errors.Is(err, ErrTooSlow) {
		return err // nobody is there for a report
	}
	if err != nil {
		if storage.Full(err) {
			p.logger.ErrorContext(ctx, "a push found no space", "project", row.Project.ID, "error", err)
		}
		asked.RefuseAll("unpacker error")
		return errors.Join(asked.Report(out, reason(err)), ctx.Err())
	}
	repo.CheckOld(asked)
	rules, err := p.rules(ctx, row)
	if err != nil {
		return err
	}
	if row.Role() < model.Developer {
		if rules.only, err = p.offered(ctx, row); err != nil {
			return err
		}
	}
	if err := rules.check(ctx, asked, kept); err != nil {
		return err
	}
	if err := p.checkLocks(ctx, row, actor, asked, kept); err != nil {
		return err
	}
	if err := p.checkPointers(ctx, row, asked, repo, kept); err != nil {
		return err
	}
	if len(brought(asked)) > 0 { // what is refused leaves nothing behind
		if err := kept.Accept(); err != nil {
			return err
		}
	}
	if err := p.Apply(ctx, row, actor, repo, asked); err != nil {
		return err
	}
	return asked.Report(out, "")
}

// reason is what the caller is told; where things lie on our disks is not for them.
func reason(err error) string {
	if storage.Full(err) {
		return "the disk of the server is full"
	}
	var failed *git.CommandError
	if errors.As(err, &failed) && !strings.Contains(failed.Stderr, "/") {
		return failed.Stderr
	}
	return "the objects could not be taken in"
}

// Busy is the answer to who has waited for others for too long.
const Busy = "Others are pushing to this project. Please try again."

// Apply changes the refs of a push that was checked: first it is noted what is about to change, and with the event the
// note goes. Who does that has the repository's lock, so what is noted already was left by somebody who is gone, and is
// ended first. Once begun it is not broken off by a caller who hangs up. It must not be called in a transaction.
func (p *Pusher) Apply(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, repo git.Repo, asked *git.Push) error {
	return p.apply(ctx, row, actor, repo, asked, "")
}

// apply is Apply for a change whose name begins with a mark.
func (p *Pusher) apply(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, repo git.Repo, asked *git.Push, mark string) error {
	lock, err := repo.Lock(ctx)
	if errors.Is(err, git.ErrBusy) {
		asked.RefuseAll(Busy)
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	ctx = context.WithoutCancel(ctx)
	batch, noted := "", []model.Push(nil)
	row, err = p.begin(ctx, row, repo, func(now model.ProjectRow) []model.Push {
		if now.Project.RepositoryReadOnly {
			asked.RefuseAll(ReadOnly)
			return nil
		}
		repo.CheckOld(asked)
		if asked.Atomic() && asked.Refuses() {
			asked.RefuseAll("atomic push failed")
		}
		batch, noted = notes(now, actor, asked, mark)
		return noted
	})
	if err != nil || len(noted) == 0 {
		return err
	}
	if err := lock.Advance(ctx, asked); err != nil {
		return fmt.Errorf("update refs: %w", err) // the next push looks up what became of it
	}
	result := Result{ProjectID: row.Project.ID, UserID: actor.User.ID, Options: asked.Options}
	for _, c := range asked.Commands {
		if c.Refused == "" {
			result.Changes = append(result.Changes, c)
		}
	}
	_, err = p.end(ctx, row, repo, batch, result)
	return err
}

// begin notes what is about to change; the caller has the lock of the repository. What others have left is ended first. It returns the project
// as it is now: it may have been empty when the caller looked.
func (p *Pusher) begin(ctx context.Context, row model.ProjectRow, repo git.Repo, notes func(now model.ProjectRow) []model.Push) (model.ProjectRow, error) {
	for {
		var left []model.Push
		err := p.store.Pushes.BeginWith(ctx, row.Project.ID, func(now store.State, open []model.Push) []model.Push {
			left = nil // the transaction may be tried again
			if known(&row, now) {
				left = open
			}
			if len(left) > 0 {
				return nil
			}
			return notes(row)
		})
		if err != nil {
			return row, fmt.Errorf("note a push: %w", err)
		}
		if len(left) == 0 {
			return row, nil
		}
		if row, err = p.endLeft(ctx, row, repo, left); err != nil {
			return row, err
		}
	}
}

// notes are what a push is about to change, under one name that begins with a mark.
func notes(row model.ProjectRow, actor *reqctx.Actor, asked *git.Push, mark string) (string, []model.Push) {
	batch := mark + rand.Text()
	var all []model.Push
	for _, c := range asked.Commands {
		if c.Refused == "" {
			all = append(all, model.Push{ProjectID: row.Project.ID, UserID: &actor.User.ID, Batch: batch, Ref: c.Ref, OldID: c.Old, NewID: c.New})
		}
	}
	if len(all) > 0 {
		all[0].Options = strings.Join(asked.Options, "\n") // the first speaks for all
	}
	return batch, all
}

// end writes the events of what was changed, and forgets the notes of it. It returns the project as it is then.
func (p *Pusher) end(ctx context.Context, row model.ProjectRow, repo git.Repo, batch string, result Result) (model.Project, error) {
	done, result, err := p.plan(ctx, row, repo, batch, result)
	if err != nil {
		return row.Project, err
	}
	return result.Project, p.store.Tx(ctx, func(ctx context.Context) error {
		first, err := p.finish(ctx, done, result)
		if err != nil || !first {
			return err
		}
		return all(ctx, p.follow.Once, result)
	})
}

// plan works out what is written when a change is ended; the result is complete then.
func (p *Pusher) plan(ctx context.Context, row model.ProjectRow, repo git.Repo, batch string, result Result) (store.Done, Result, error) {
	done := store.Done{ProjectID: row.Project.ID, Batch: batch}
	result.Project, result.Batch = row.Project, batch
	var err error
	if done.Events, err = events(ctx, repo, result); err != nil {
		return done, result, err
	}
	if row.Project.EmptyRepo {
		if done.DefaultBranch, err = firstBranch(ctx, repo, row.Project.DefaultBranch, result.Changes); err != nil {
			return done, result, err
		}
		done.Protect = FirstRule(row, done.DefaultBranch)
	}
	if done.DefaultBranch != "" {
		result.Project.EmptyRepo, result.Project.DefaultBranch = false, done.DefaultBranch
	}
	return done, result, nil
}

// finish ends a change, in the transaction of the context. It is false if there is nothing that follows from it, or it was ended before.
func (p *Pusher) finish(ctx context.Context, done store.Done, result Result) (bool, error) {
	first, err := p.store.Pushes.End(ctx, done)
	if err != nil || !first || len(result.Changes) == 0 {
		return false, err
	}
	return true, all(ctx, p.follow.Each, result)
}

func all(ctx context.Context, follow []After, result Result) error {
	for _, after := range follow {
		if err := after(ctx, result); err != nil {
			return err
		}
	}
	return nil
}

// firstBranch is the default branch of a repository that was empty: the one that was meant or, if that did not come, the
// first that did.
func firstBranch(ctx context.Context, repo git.Repo, meant string, changes []git.Command) (string, error) {
	first := ""
	for _, c := range changes {
		branch, ok := branchOf(c.Ref)
		switch {
		case !ok || c.New == git.Zero:
		case branch == meant:
			return meant, nil
		case first == "":
			first = branch
		}
	}
	if first == "" {
		return "", nil
	}
	return first, repo.SetHead(ctx, first)
}
