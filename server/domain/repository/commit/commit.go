// Package commit creates commits for API callers: many file changes, one commit, one update of a branch.
package commit

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/repository/push"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Writer creates commits.
type Writer struct {
	store   *store.Store
	pusher  *push.Pusher
	baseURL string
}

// New returns a Writer. baseURL is the URL of the instance.
func New(st *store.Store, p *push.Pusher, baseURL string) *Writer {
	return &Writer{store: st, pusher: p, baseURL: baseURL}
}

// Repo returns the repository of a project.
func (w *Writer) Repo(p model.Project) (git.Repo, error) { return w.pusher.Repo(p) }

// Start is where a new branch begins. It is empty if the commit goes onto an existing branch.
type Start struct {
	Branch  string
	SHA     string
	Project *model.Project // the project whose repository has it; nil for the same project
	Force   bool           // whether an existing branch is overwritten
}

// Seen is the state of a file that the caller knows: its last commit, or a time after which it must not have changed.
type Seen struct {
	Path   string
	Commit string // empty for any commit
	Text   string // the error message if the last commit is another one
	Since  *time.Time
}

// Edit is a commit that a caller requests.
type Edit struct {
	Branch      string
	Start       Start
	Message     string
	AuthorName  string // empty for the caller's name
	AuthorEmail string
	Changes     []git.Change
	// Build computes the changes from the parent commit, instead of Changes. If it returns none, no commit is made.
	Build func(repo git.Repo, parent string) ([]git.Change, error)
	Seen  []Seen // files that must not have changed
	// Made is called with the id of the new commit before the branch moves there. If it fails, the branch stays.
	Made func(id string) error
}

// Write creates a commit on a branch and returns its id. Concurrent writes to one repository are serialized: each
// commit goes on top of the one before.
func (w *Writer) Write(ctx context.Context, row model.ProjectRow, e Edit) (string, error) {
	if _, err := w.ready(ctx, row, e.Branch); err != nil {
		return "", err
	}
	author, committer, err := w.people(ctx, e.AuthorName, e.AuthorEmail)
	if err != nil {
		return "", err
	}
	return w.advance(ctx, row, e.Branch, func(repo git.Repo, tip string) (string, error) {
		parent, err := w.parent(ctx, repo, tip, e)
		if err != nil {
			return "", err
		}
		c := git.NewCommit{Author: author, Committer: committer, Message: e.Message, Changes: e.Changes}
		if e.Build != nil {
			if c.Changes, err = e.Build(repo, parent); err != nil || len(c.Changes) == 0 {
				return "", err
			}
		}
		if parent != "" {
			before, err := repo.Commit(ctx, parent)
			if err != nil {
				return "", err
			}
			c.Tree, c.Parents = before.Tree, []string{parent}
			if err := unchanged(ctx, repo, parent, e.Seen); err != nil {
				return "", err
			}
		}
		id, err := repo.WriteCommit(ctx, c)
		if err == nil && e.Made != nil {
			err = e.Made(id)
		}
		return id, Explain(err)
	})
}

// ready checks that the caller may push to a branch, and returns the repository.
func (w *Writer) ready(ctx context.Context, row model.ProjectRow, branch string) (git.Repo, error) {
	if !git.ValidBranch(branch) {
		return git.Repo{}, apierr.Refused("The branch refname is invalid")
	}
	may, err := w.pusher.MayPush(ctx, row, branch)
	if err != nil {
		return git.Repo{}, err
	}
	if !may {
		return git.Repo{}, apierr.Forbidden("You are not allowed to push into this branch")
	}
	return w.pusher.Repo(row.Project)
}

// advance makes a commit for the tip of a branch (empty if there is no branch) and moves the branch there. If build
// makes no commit, the branch stays.
func (w *Writer) advance(ctx context.Context, row model.ProjectRow, branch string, build push.Build) (string, error) {
	ref := "refs/heads/" + branch
	id, err := w.pusher.Commit(ctx, row, reqctx.Of(ctx).Actor, ref, build)
	var refused *push.RefusedError
	switch {
	case !errors.As(err, &refused):
		return id, err
	case refused.Why == git.NotUpdated:
		return "", apierr.Refused("Could not update " + ref + ". Please refresh and try again.")
	}
	if refused.Rule {
		return "", apierr.Refused(refused.Why)
	}
	return "", apierr.Forbidden(refused.Why)
}

func tipOf(repo git.Repo, ref string) (tip, old string) {
	id, err := repo.Ref(ref)
	if err != nil {
		return "", git.Zero
	}
	return id, id
}

// people returns the author and the committer of a commit.
func (w *Writer) people(ctx context.Context, name, email string) (author, committer git.Person, err error) {
	user, err := w.store.Users.Get(ctx, reqctx.Of(ctx).Actor.User.ID)
	if err != nil {
		return author, committer, err
	}
	committer = git.Person{Name: user.Name, Email: user.CommitAddress(w.baseURL), When: clock.Now(ctx).UTC()}
	author = committer
	if name != "" {
		author.Name = name
	}
	if email != "" {
		author.Email = email
	}
	return author, committer, nil
}

// unchanged refuses a commit if files have changed since the caller saw them.
func unchanged(ctx context.Context, repo git.Repo, commit string, seen []Seen) error {
	for _, s := range seen {
		last, err := repo.LastCommit(ctx, commit, s.Path)
		if err != nil && !errors.Is(err, git.ErrNotFound) && !errors.Is(err, git.ErrBadName) {
			return err
		}
		if s.Commit != "" && last != s.Commit {
			return apierr.Refused(s.Text)
		}
		if s.Since == nil || last == "" {
			continue
		}
		_, err = repo.TreeAt(ctx, commit, s.Path)
		if errors.Is(err, git.ErrNotFound) {
			continue // a commit has removed the file; WriteCommit reports that it does not exist
		}
		if err == nil {
			err = notAfter(ctx, repo, last, *s.Since)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// NotChanged returns a 412 if the last commit that changed a file was made after the given time, which comes from the
// precondition of a DELETE request.
func NotChanged(ctx context.Context, repo git.Repo, head, path string, since *time.Time) error {
	if since == nil {
		return nil
	}
	return unchanged(ctx, repo, head, []Seen{{Path: path, Since: since}})
}

func notAfter(ctx context.Context, repo git.Repo, commit string, since time.Time) error {
	last, err := repo.Commit(ctx, commit)
	if err == nil && store.ChangedAfter(last.Committer.When, &since) {
		err = apierr.PreconditionFailed()
	}
	return err
}

// Explain turns errors about missing or existing files, and about a read-only or busy repository, into API errors.
func Explain(err error) error {
	var wrong *git.FileError
	switch {
	case errors.As(err, &wrong):
		return apierr.Refused(wrong.Text)
	case errors.Is(err, store.ErrReadOnly):
		return apierr.Forbidden(push.ReadOnly)
	case errors.Is(err, git.ErrBusy):
		return apierr.Forbidden(push.Busy)
	}
	return err
}

// Caller returns the current user as a committer.
func (w *Writer) Caller(ctx context.Context) (git.Person, error) {
	_, committer, err := w.people(ctx, "", "")
	return committer, err
}
