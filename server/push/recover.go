package push

import (
	"context"
	"time"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// patience is how long a push may take from its note to its event; what is older was left by a server that is gone.
const patience = 2 * time.Minute

// Recover ends the pushes that a killed server has left: where the ref was changed the event is written, where it was
// not, nothing has happened. It may run at any time and on several servers at once.
func (p *Pusher) Recover(ctx context.Context) error { return p.recover(ctx, time.Now().Add(-patience)) }

func (p *Pusher) recover(ctx context.Context, before time.Time) error {
	left, err := p.store.Pushes.Left(ctx, before)
	if err != nil {
		return err
	}
	for _, note := range left {
		if err := p.store.Once(ctx, "recover pushes", func(ctx context.Context) error { return p.finish(ctx, note) }); err != nil {
			return err
		}
	}
	return nil
}

func (p *Pusher) finish(ctx context.Context, note model.Push) error {
	row, err := p.store.Projects.Get(ctx, note.ProjectID, "", &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	repo := p.repos.Project(row.Project.RepositoryStorage, row.Project.ID)
	done := store.Done{ProjectID: row.Project.ID, Notes: []int64{note.ID}}
	c := git.Command{Ref: note.Ref, Old: note.OldID, New: note.NewID}
	if note.UserID == nil || !changed(ctx, repo, c) {
		return p.store.Pushes.End(ctx, done)
	}
	p.logger.Info("a push that was broken off is ended", "project", row.Project.ID, "ref", note.Ref)
	return p.end(ctx, row, repo, done, Result{ProjectID: row.Project.ID, UserID: *note.UserID, Changes: []git.Command{c}})
}

// changed tells whether a ref was changed as a note says; somebody may have changed it further since.
func changed(ctx context.Context, repo git.Repo, c git.Command) bool {
	now, err := repo.Ref(c.Ref)
	switch {
	case err != nil:
		return c.New == git.Zero
	case now == c.New:
		return true
	case now == c.Old || c.New == git.Zero:
		return false
	}
	forward, err := repo.IsAncestor(ctx, c.New, now)
	return err == nil && forward
}
