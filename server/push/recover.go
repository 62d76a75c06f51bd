package push

import (
	"context"
	"errors"
	"strings"
	"time"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Recover ends the pushes that a killed server has left: where the ref was changed the event is written, where it was
// not, nothing has happened. It may run at any time and on several servers at once: a push that somebody is still at work
// on is left alone.
func (p *Pusher) Recover(ctx context.Context) error {
	projects, err := p.store.Pushes.Projects(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range projects {
		errs = append(errs, p.recover(ctx, id)) // one that fails does not hinder the others
	}
	return errors.Join(errs...)
}

func (p *Pusher) recover(ctx context.Context, id int64) error {
	row, err := p.store.Projects.Get(ctx, id, "", &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	repo, err := p.Repo(row.Project)
	if err != nil {
		return err
	}
	lock, err := lockSoon(ctx, repo)
	if errors.Is(err, git.ErrBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	_, err = p.settle(ctx, row, repo)
	return err
}

// recoverWait is how long recovery waits for a lock. Any process that is just being started has it for a moment, too.
const recoverWait = 250 * time.Millisecond

func lockSoon(ctx context.Context, repo git.Repo) (*git.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, recoverWait)
	defer cancel()
	return repo.Lock(ctx)
}

// settle ends what is noted of a repository, for who has its lock, and returns the project as it is now: it may have been
// empty when the caller looked.
func (p *Pusher) settle(ctx context.Context, row model.ProjectRow, repo git.Repo) (model.ProjectRow, error) {
	now, left, err := p.store.Pushes.Left(ctx, row.Project.ID)
	if err != nil {
		return row, err
	}
	row.Project.EmptyRepo, row.Project.DefaultBranch = now.EmptyRepo, now.DefaultBranch
	row.Project.RepositoryReadOnly = now.ReadOnly || now.Storage != row.Project.RepositoryStorage // it is moved, or was meanwhile
	if now.Storage != row.Project.RepositoryStorage {
		return row, nil // this is not the repository any more
	}
	for len(left) > 0 {
		n := 1
		for n < len(left) && left[n].Batch == left[0].Batch {
			n++
		}
		result := happened(row, repo, left[:n])
		if row.Project, err = p.end(ctx, row, repo, left[0].Batch, result); err != nil {
			return row, err
		}
		p.logger.Info("a push that was broken off is ended", "project", row.Project.ID, "changed", len(result.Changes), "of", n)
		left = left[n:]
	}
	return row, nil
}

// happened is what came of the notes of one push. A ref was what its note calls old when the note was made, and nobody
// else has changed it since, so its value tells.
func happened(row model.ProjectRow, repo git.Repo, notes []model.Push) Result {
	r := Result{ProjectID: row.Project.ID}
	if notes[0].Options != "" {
		r.Options = strings.Split(notes[0].Options, "\n")
	}
	for _, note := range notes {
		if note.UserID == nil {
			continue
		}
		r.UserID = *note.UserID
		now, err := repo.Ref(note.Ref)
		if err != nil {
			now = git.Zero
		}
		if now == note.NewID {
			r.Changes = append(r.Changes, git.Command{Ref: note.Ref, Old: note.OldID, New: note.NewID})
		}
	}
	return r
}
