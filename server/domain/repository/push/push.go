// Package push receives pushes: it checks what a caller may change, changes the refs and writes the event. A server
// that is killed in between leaves both or neither.
//
//	push.go            receives a push, changes the refs and ends the push
//	rules.go           which refs a caller may change
//	branches.go        the rules as lists of branches and tags show them
//	change.go          changes of refs by the API
//	merge.go           changes of refs by a merge
//	line.go            commits by the API, many callers at once
//	collaborate.go     pushes to a fork by users who may merge its merge requests
//	pushrules.go       what the push rule of a project forbids
//	since.go           what commits bring that a branch does not have
//	large.go           locks and pointers of large files
//	events.go          the events of a push
//	links.go           links to merge requests for the user who pushes
//	floor.go           the minimum speed of a client
//	recover.go         ends pushes that killed servers have left
//	recover_worker.go  the job that does so
package push

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"

	"svc/openapi/wire"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storage"
)

// FollowUp starts something that follows from a push, in the transaction that writes the event of the push.
type FollowUp func(ctx context.Context, p Result) error

// FollowUps are the follow-ups of pushes, in the order in which they run. Commits that are served together count as one
// push each.
type FollowUps struct {
	Each []FollowUp // for every push
	// Once runs once for pushes that are served together, with all their changes: for work on the final state of the
	// project.
	Once []FollowUp
}

// Result describes what a push has changed.
type Result struct {
	ProjectID int64
	Project   model.Project // with its current default branch
	UserID    int64
	Batch     string // its unique name
	Changes   []git.Command
	Options   []string
}

// Pusher receives pushes.
type Pusher struct {
	store  *store.Store
	repos  *git.Repositories
	logger *slog.Logger
	follow FollowUps
	lines  commitQueues
	base   string // URL of the service, for links; empty for none
}

// New returns a Pusher. The settings limit the size of a push.
func New(st *store.Store, repos *git.Repositories, logger *slog.Logger, follow FollowUps) *Pusher {
	return &Pusher{store: st, repos: repos, logger: logger, follow: follow}
}

// Repo returns the repository of a project. It creates the repository if nothing was written to it yet; otherwise the
// repository must exist.
func (p *Pusher) Repo(project model.Project) (git.Repo, error) {
	repo, err := p.repos.OpenProject(project.RepositoryStorage, project.ID, project.EmptyRepo)
	if err == nil && project.EmptyRepo {
		err = repo.Create(project.DefaultBranch)
	}
	return repo, err
}

// Serve reads a push and responds to it. The caller may push to the project; Serve checks which refs.
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
	kept, err := repo.Receive(ctx, asked, wire.Value(p.store.Settings.Current().ReceiveMaxInputSize)<<20)
	defer kept.Discard()
	if errors.Is(err, context.Canceled) || errors.Is(err, ErrTooSlow) {
		return err // nobody would receive a report
	}
	if err != nil {
		return p.reportUnpackError(ctx, row.Project, asked, out, err)
	}
	repo.CheckOld(asked)
	if err := p.check(ctx, row, actor, repo, asked, kept); err != nil {
		return err
	}
	if len(refUpdates(asked)) > 0 { // a refused push leaves nothing behind
		if err := kept.Accept(); err != nil {
			return err
		}
	}
	if err := p.Apply(ctx, row, actor, repo, asked); err != nil {
		return err
	}
	err = p.sendLinks(ctx, row, asked, func(lines []string) error { return asked.Say(out, lines) })
	if err != nil {
		return err
	}
	return asked.Report(out, "")
}

// reportUnpackError tells the client that the objects of its push could not be stored.
func (p *Pusher) reportUnpackError(
	ctx context.Context, project model.Project, asked *git.Push, out io.Writer, err error,
) error {
	if storage.Full(err) {
		p.logger.ErrorContext(ctx, "a push failed because the disk is full", "project", project.ID, "error", err)
	}
	asked.RefuseAll("unpacker error")
	return errors.Join(asked.Report(out, reason(err)), ctx.Err())
}

// check refuses the commands of a push that the caller may not give, that touch locked files, or that lack large files.
func (p *Pusher) check(
	ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, repo git.Repo, asked *git.Push, kept *git.Quarantine,
) error {
	rules, err := p.rulesWithCollaboration(ctx, row)
	if err != nil {
		return err
	}
	if err := rules.check(ctx, asked, kept); err != nil {
		return err
	}
	if err := p.checkPushRule(ctx, row, actor, asked, kept); err != nil {
		return err
	}
	if err := p.checkLocks(ctx, row, actor, asked, kept); err != nil {
		return err
	}
	return p.checkPointers(ctx, row, asked, repo, kept)
}

// reason returns the message for the caller. It hides paths on the server's disks.
func reason(err error) string {
	if storage.Full(err) {
		return "the disk of the server is full"
	}
	var failed *git.CommandError
	if errors.As(err, &failed) && !strings.Contains(failed.Stderr, "/") {
		return failed.Stderr
	}
	return "the objects could not be stored"
}

// Busy is the message for a caller who has waited too long for other pushes.
const Busy = "Other pushes to this project are in progress. Please try again."

// Apply changes the refs of a checked push. It first notes what is about to change; the transaction that writes the
// event deletes the note. Apply holds the lock of the repository meanwhile, so notes that already exist were left by a
// process that is gone, and it ends those first. Once begun, it continues if the client disconnects. It must not be
// called in a transaction.
func (p *Pusher) Apply(ctx context.Context, row model.ProjectRow, actor *reqctx.Actor, repo git.Repo, asked *git.Push) error {
	return p.apply(ctx, row, actor, repo, asked, "")
}

// apply is Apply with a prefix for the name of the change.
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
		return fmt.Errorf("update refs: %w", err) // the next push finds out what happened
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

// begin notes what is about to change. The caller holds the lock of the repository. It first ends what others have
// left. It returns the current state of the project, which may have been empty when the caller read it.
func (p *Pusher) begin(
	ctx context.Context, row model.ProjectRow, repo git.Repo, notes func(now model.ProjectRow) []model.Push,
) (model.ProjectRow, error) {
	for {
		var left []model.Push
		err := p.store.Pushes.BeginWith(ctx, row.Project.ID, func(now store.RepositoryState, open []model.Push) []model.Push {
			left = nil // the transaction may be repeated
			if refreshRow(&row, now) {
				left = open
			}
			if len(left) > 0 {
				return nil
			}
			return notes(row)
		})
		if err != nil {
			return row, fmt.Errorf("record a push: %w", err)
		}
		if len(left) == 0 {
			return row, nil
		}
		if row, err = p.endLeft(ctx, row, repo, left); err != nil {
			return row, err
		}
	}
}

// notes returns the rows for what a push is about to change. All have one name, which begins with mark.
func notes(row model.ProjectRow, actor *reqctx.Actor, asked *git.Push, mark string) (string, []model.Push) {
	batch := mark + rand.Text()
	var all []model.Push
	for _, c := range asked.Commands {
		if c.Refused == "" {
			all = append(
				all,
				model.Push{ProjectID: row.Project.ID, UserID: &actor.User.ID, Batch: batch, Ref: c.Ref, OldID: c.Old, NewID: c.New},
			)
		}
	}
	if len(all) > 0 {
		all[0].Options = strings.Join(asked.Options, "\n") // the first row holds the options of all
	}
	return batch, all
}

// end writes the events of what was changed and deletes its notes. It returns the new state of the project.
func (p *Pusher) end(ctx context.Context, row model.ProjectRow, repo git.Repo, batch string, result Result) (model.Project, error) {
	done, result, err := p.plan(ctx, row, repo, batch, result)
	if err != nil {
		return row.Project, err
	}
	return result.Project, p.store.Tx(ctx, func(ctx context.Context) error {
		ended, err := p.store.Pushes.End(ctx, done)
		if err != nil || !ended[batch] || len(result.Changes) == 0 {
			return err // ended before, or nothing follows
		}
		return runAll(ctx, slices.Concat(p.follow.Each, p.follow.Once), result)
	})
}

// plan computes what is written when a change ends, and completes the result.
func (p *Pusher) plan(
	ctx context.Context,
	row model.ProjectRow,
	repo git.Repo,
	batch string,
	result Result,
) (store.PushResult, Result, error) {
	done := store.PushResult{ProjectID: row.Project.ID, Batch: batch}
	result.Project, result.Batch = row.Project, batch
	var err error
	if done.Events, err = events(ctx, repo, result); err != nil {
		return done, result, err
	}
	result.readTip(ctx, repo)
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

// readTip brings the commit and the root folder of a single pushed ref into memory, so that what follows in the transaction
// does not wait for git there. If they cannot be read, those who need them say why.
func (r Result) readTip(ctx context.Context, repo git.Repo) {
	if len(r.Changes) != 1 || r.Changes[0].New == git.Zero {
		return
	}
	if commit, err := repo.Commit(ctx, r.Changes[0].New); err == nil {
		_, _ = repo.Tree(ctx, commit.Tree)
	}
}

func runAll(ctx context.Context, followUps []FollowUp, result Result) error {
	for _, run := range followUps {
		if err := run(ctx, result); err != nil {
			return err
		}
	}
	return nil
}

// firstBranch returns the default branch of a repository that was empty: the intended one or, if it was not pushed, the
// first branch that was.
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
