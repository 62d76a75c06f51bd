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

// Recover ends the pushes that a killed server has left. If the ref was changed, it writes the event; if not, nothing
// has happened. It may run at any time and on several servers at once: it leaves running pushes alone.
func (p *Pusher) Recover(ctx context.Context) error {
	projects, err := p.store.Pushes.Projects(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range projects {
		errs = append(errs, p.recover(ctx, id)) // a failure does not stop the others
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

// recoverWait is how long recovery waits for a lock. A process that is being started also holds it for a moment.
const recoverWait = 250 * time.Millisecond

func lockSoon(ctx context.Context, repo git.Repo) (*git.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, recoverWait)
	defer cancel()
	return repo.Lock(ctx)
}

// settle ends the noted changes of a repository. The caller holds its lock. It returns the current state of the
// project, which may have been empty when the caller read it.
func (p *Pusher) settle(ctx context.Context, row model.ProjectRow, repo git.Repo) (model.ProjectRow, error) {
	now, left, err := p.store.Pushes.Unfinished(ctx, row.Project.ID)
	if err != nil {
		return row, err
	}
	if !refreshRow(&row, now) {
		return row, nil
	}
	return p.endLeft(ctx, row, repo, left)
}

// refreshRow updates the row with the current state of the repository. It returns false if the repository was moved to
// another storage.
func refreshRow(row *model.ProjectRow, now store.RepositoryState) bool {
	row.Project.EmptyRepo, row.Project.DefaultBranch = now.EmptyRepo, now.DefaultBranch
	// The repository is being moved, or was moved meanwhile.
	row.Project.RepositoryReadOnly = now.ReadOnly || now.Storage != row.Project.RepositoryStorage
	return now.Storage == row.Project.RepositoryStorage
}

// endLeft ends the changes that were left in a repository. The caller holds its lock.
func (p *Pusher) endLeft(ctx context.Context, row model.ProjectRow, repo git.Repo, left []model.Push) (model.ProjectRow, error) {
	reached, err := reached(repo, left), error(nil)
	for len(left) > 0 {
		n := 1
		for n < len(left) && left[n].Batch == left[0].Batch {
			n++
		}
		result := resultOf(row, left[:n], reached)
		if row.Project, err = p.end(ctx, row, repo, left[0].Batch, result); err != nil {
			return row, err
		}
		p.logger.Info("completed an interrupted push", "project", row.Project.ID, "changed", len(result.Changes), "of", n)
		left = left[n:]
	}
	return row, nil
}

// reached returns the ids of the notes whose changes have happened. A ref had the old value of its first note when the
// notes were made, and nobody else has changed it since, so its current value shows what has happened. In a round of
// commits, each note continues from the one before, and the ref moves once, to the last of them.
func reached(repo git.Repo, left []model.Push) map[int64]bool {
	done, at := map[int64]bool{}, map[string]string{}
	for i := len(left) - 1; i >= 0; i-- {
		note := left[i]
		if _, looked := at[note.Ref]; !looked {
			now, err := repo.Ref(note.Ref)
			if err != nil {
				now = git.Zero
			}
			at[note.Ref] = now
		}
		if at[note.Ref] == note.NewID {
			done[note.ID], at[note.Ref] = true, note.OldID
			if note.NewID == git.Zero {
				at[note.Ref] = "" // a round only makes commits, so no note continues from here
			}
		}
	}
	return done
}

// resultOf returns the result of the notes of one push.
func resultOf(row model.ProjectRow, notes []model.Push, done map[int64]bool) Result {
	r := Result{ProjectID: row.Project.ID}
	if notes[0].Options != "" {
		r.Options = strings.Split(notes[0].Options, "\n")
	}
	for _, note := range notes {
		if note.UserID == nil {
			continue
		}
		r.UserID = *note.UserID
		if done[note.ID] {
			r.Changes = append(r.Changes, git.Command{Ref: note.Ref, Old: note.OldID, New: note.NewID})
		}
	}
	return r
}
