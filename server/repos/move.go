package repos

import (
	"context"
	"errors"
	"time"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Move is the job that takes a repository to another storage.
type Move struct {
	MoveID int64 `json:"move_id"`
}

// Kind names the job in the queue.
func (Move) Kind() string { return "move_repository" }

// Moves is the job that ends the moves which a server that was killed has left.
type Moves struct{}

// Kind names the job in the queue.
func (Moves) Kind() string { return "end_repository_moves" }

// MoveAll is the job that begins to move all repositories of a storage.
type MoveAll struct {
	Source      string `json:"source"`
	Destination string `json:"destination"` // empty for any other
}

// Kind names the job in the queue.
func (MoveAll) Kind() string { return "move_all_repositories" }

// Cleanup is the job that removes the copy that a move has left behind. It waits a while, for those who still read there.
type Cleanup struct {
	MoveID int64 `json:"move_id"`
}

// Kind names the job in the queue.
func (Cleanup) Kind() string { return "clean_up_repository_move" }

// ErrSameStorage is a move to where the repository is.
var ErrSameStorage = errors.New("the repository is on that storage already")

// Storages are the names of the storages.
func (k *Keeper) Storages() []string { return k.repos.Storages() }

// Schedule begins to move the repository of a project, to another storage where none is named. It tells of the move in the
// same transaction.
func (k *Keeper) Schedule(ctx context.Context, p model.Project, destination string, told func(ctx context.Context, m model.ProjectStorageMove) error) (model.ProjectStorageMove, error) {
	if destination == "" {
		destination = k.another(p.RepositoryStorage)
	}
	m := model.ProjectStorageMove{ProjectID: p.ID, SourceStorage: p.RepositoryStorage, DestinationStorage: destination}
	if destination == p.RepositoryStorage || destination == "" {
		return m, ErrSameStorage
	}
	return m, k.store.Tx(ctx, func(ctx context.Context) error {
		if err := k.store.StorageMoves.Schedule(ctx, &m); err != nil {
			return err
		}
		if told != nil {
			if err := told(ctx, m); err != nil {
				return err
			}
		}
		return k.queue(ctx, Move{MoveID: m.ID})
	})
}

// another is a storage that is not the given one.
func (k *Keeper) another(storage string) string {
	for _, name := range k.repos.Storages() {
		if name != storage {
			return name
		}
	}
	return ""
}

// MoveAll begins to move what is on a storage. Running it again begins what was not begun.
func (k *Keeper) MoveAll(ctx context.Context, job MoveAll) error {
	for last := int64(0); ; {
		ids, err := k.store.StorageMoves.OnStorage(ctx, job.Source, last, someRepositories)
		if err != nil {
			return err
		}
		for _, id := range ids {
			last = id
			_, err := k.Schedule(ctx, model.Project{ID: id, RepositoryStorage: job.Source}, job.Destination, nil)
			if err != nil && !errors.Is(err, store.ErrReadOnly) && !errors.Is(err, ErrSameStorage) {
				return err
			}
		}
		if len(ids) < someRepositories {
			return nil
		}
	}
}

// Moves ends the moves that nobody works on.
func (k *Keeper) Moves(ctx context.Context, _ Moves) error {
	rows, err := k.store.StorageMoves.Open(ctx, someRepositories)
	for _, m := range rows {
		since := time.Since(m.UpdatedAt)
		switch {
		case err != nil:
		case m.State == model.MoveReplicated && since > time.Hour: // its own job is long over
			err = k.Cleanup(ctx, Cleanup{MoveID: m.ID})
		case m.State != model.MoveReplicated && since > time.Minute:
			err = k.Move(ctx, Move{MoveID: m.ID})
		}
	}
	return err
}

// Move takes a repository to another storage: it is copied and compared while nobody can change its refs, then the project is
// switched over, and some time later the old copy is removed. Wherever it is broken off, it can be done again: until the switch the old
// copy is the repository, and after it the new one.
func (k *Keeper) Move(ctx context.Context, job Move) error {
	m, err := k.store.StorageMoves.Get(ctx, job.MoveID)
	if store.IsNotFound(err) {
		return nil // the project is gone
	}
	if err != nil {
		return err
	}
	source, destination := k.repos.Project(m.SourceStorage, m.ProjectID), k.repos.Project(m.DestinationStorage, m.ProjectID)
	if m.State != model.MoveScheduled && m.State != model.MoveStarted {
		return nil
	}
	return k.replicate(ctx, m, source, destination)
}

// Cleanup removes the old copy of a repository that is elsewhere now.
func (k *Keeper) Cleanup(ctx context.Context, job Cleanup) error {
	m, err := k.store.StorageMoves.Get(ctx, job.MoveID)
	if store.IsNotFound(err) || (err == nil && m.State != model.MoveReplicated) {
		return nil
	}
	if err != nil {
		return err
	}
	everything := &store.Reader{Admin: true}
	row, err := k.store.Projects.Get(ctx, m.ProjectID, "", everything)
	if err != nil {
		return err
	}
	// Who moves it back meanwhile needs the lock of the repository, too.
	lock, err := k.repo(row.Project).Lock(ctx)
	if err == nil {
		defer lock.Release()
	} else if !errors.Is(err, git.ErrNotFound) {
		return err
	}
	if row, err = k.store.Projects.Get(ctx, m.ProjectID, "", everything); err != nil {
		return err
	}
	if row.Project.RepositoryStorage != m.SourceStorage {
		err = k.repos.Project(m.SourceStorage, m.ProjectID).Delete()
	}
	if err != nil {
		reason := "the old copy could not be removed"
		return errors.Join(err, k.store.StorageMoves.SetState(ctx, m.ID, model.MoveCleanupFailed, &reason))
	}
	return k.store.StorageMoves.SetState(ctx, m.ID, model.MoveFinished, nil)
}

// switchOver makes the new copy the repository, and has the old one removed later.
func (k *Keeper) switchOver(ctx context.Context, m model.ProjectStorageMove) error {
	return k.store.Tx(ctx, func(ctx context.Context) error {
		if err := k.store.StorageMoves.Switch(ctx, m); err != nil {
			return err
		}
		return k.queue(ctx, Cleanup{MoveID: m.ID})
	})
}

func (k *Keeper) replicate(ctx context.Context, m model.ProjectStorageMove, source, destination git.Repo) error {
	if !k.repos.Has(m.DestinationStorage) || !k.repos.Has(m.SourceStorage) {
		return k.store.StorageMoves.Fail(ctx, m, "a storage of that name is not there any more")
	}
	lock, err := source.Lock(ctx)
	if errors.Is(err, git.ErrNotFound) { // it was never made, and is made when it is first needed
		return k.switchOver(ctx, m)
	}
	if err != nil {
		return err // somebody is at work there: later
	}
	defer lock.Release()
	if m, err = k.store.StorageMoves.Get(ctx, m.ID); err != nil || (m.State != model.MoveScheduled && m.State != model.MoveStarted) {
		return err // another process was first
	}
	if err := k.store.StorageMoves.SetState(ctx, m.ID, model.MoveStarted, nil); err != nil {
		return err
	}
	if err := destination.Replicate(ctx, lock); err != nil {
		if ctx.Err() != nil {
			return err // the server stops, and goes on later
		}
		return errors.Join(destination.Delete(), k.store.StorageMoves.Fail(ctx, m, err.Error()))
	}
	return k.switchOver(ctx, m)
}
