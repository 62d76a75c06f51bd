package lifecycle

import (
	"context"
	"errors"
	"time"

	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storage"
)

// Move is the job that takes a repository to another storage.
type Move struct {
	MoveID int64                `json:"move_id"`
	Of     model.RepositoryKind `json:"of,omitempty"` // empty for a project
}

// Kind names the job in the queue.
func (Move) Kind() string { return "move_repository" }

// Moves is the job that ends the moves which a server that was killed has left.
type Moves struct{}

// Kind names the job in the queue.
func (Moves) Kind() string { return "end_repository_moves" }

// MoveAll is the job that begins to move all repositories of a kind that are on a storage.
type MoveAll struct {
	Source      string               `json:"source"`
	Destination string               `json:"destination"`  // empty for any other
	Of          model.RepositoryKind `json:"of,omitempty"` // empty for projects
}

// Kind names the job in the queue.
func (MoveAll) Kind() string { return "move_all_repositories" }

// Cleanup is the job that removes the copy that a move has left behind. It waits a while, for those who still read there.
type Cleanup struct {
	MoveID int64                `json:"move_id"`
	Of     model.RepositoryKind `json:"of,omitempty"` // empty for a project
}

// Kind names the job in the queue.
func (Cleanup) Kind() string { return "clean_up_repository_move" }

// ErrSameStorage is a move to where the repository is.
var ErrSameStorage = errors.New("the repository is on that storage already")

// movable are the kinds of repositories that are moved; others go along with one of these.
var movable = []model.RepositoryKind{model.ProjectRepository, model.SnippetRepository, model.GroupWikiRepository}

// kindOf is the kind that a job names.
func kindOf(named model.RepositoryKind) model.RepositoryKind {
	if named == "" {
		return model.ProjectRepository
	}
	return named
}

// Storages are the names of the storages.
func (k *Keeper) Storages() []string { return k.repos.Storages() }

// Told writes that a repository is moved, in the transaction that begins it.
type Told func(ctx context.Context, m model.StorageMove) error

// Schedule begins to move the repository of a project, to another storage where none is named. It tells of the move in the
// same transaction.
func (k *Keeper) Schedule(ctx context.Context, p model.Project, destination string, told func(ctx context.Context, m model.StorageMove) error) (model.StorageMove, error) {
	return k.ScheduleSide(ctx, Side{Kind: model.ProjectRepository, ID: p.ID}, p.RepositoryStorage, destination, told)
}

// ScheduleSide is Schedule for any kind of repository, which is on the storage from.
func (k *Keeper) ScheduleSide(ctx context.Context, side Side, from, destination string, told Told) (model.StorageMove, error) {
	if destination == "" {
		destination = k.another(from)
	}
	m := model.StorageMove{Kind: side.Kind, OwnerID: side.ID, SourceStorage: from, DestinationStorage: destination}
	if destination == from || destination == "" {
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
		return k.queue(ctx, Move{MoveID: m.ID, Of: m.Kind})
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
	kind := kindOf(job.Of)
	for last := int64(0); ; {
		ids, err := k.store.StorageMoves.OnStorage(ctx, kind, job.Source, last, someRepositories)
		if err != nil {
			return err
		}
		for _, id := range ids {
			last = id
			_, err := k.ScheduleSide(ctx, Side{Kind: kind, ID: id}, job.Source, job.Destination, nil)
			if err != nil && !errors.Is(err, store.ErrReadOnly) && !errors.Is(err, ErrSameStorage) {
				return err
			}
		}
		if len(ids) < someRepositories {
			return nil
		}
	}
}

// How long a move waits for those who write to the repository: its own job, and who looks for moves that nobody works on.
const (
	moveWait  = time.Minute
	movesWait = 250 * time.Millisecond
)

// Moves ends the moves that nobody works on: the locks of their repositories are free.
func (k *Keeper) Moves(ctx context.Context, _ Moves) error {
	var errs []error
	for _, kind := range movable {
		rows, err := k.store.StorageMoves.Open(ctx, kind, someRepositories)
		for _, m := range rows {
			switch {
			case err != nil:
			case m.State != model.MoveReplicated:
				if err = k.move(ctx, m, movesWait); errors.Is(err, git.ErrBusy) {
					err = nil // somebody does work on it
				}
			case time.Since(m.UpdatedAt) > time.Hour: // its own job is long over
				err = k.Cleanup(ctx, Cleanup{MoveID: m.ID, Of: m.Kind})
			}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// parts are the repositories that a move takes along, on a storage: with a project goes its wiki.
func (k *Keeper) parts(m model.StorageMove, storage string) []git.Repo {
	parts := []git.Repo{Side{Kind: m.Kind, ID: m.OwnerID}.on(k.repos, storage)}
	if m.Kind == model.ProjectRepository {
		parts = append(parts, k.repos.ProjectWiki(storage, m.OwnerID))
	}
	return parts
}

// Move takes a repository to another storage: it is copied and compared while nobody can change its refs, then the project is
// switched over, and some time later the old copy is removed. Wherever it is broken off, it can be done again: until the switch the old
// copy is the repository, and after it the new one.
func (k *Keeper) Move(ctx context.Context, job Move) error {
	m, err := k.store.StorageMoves.Get(ctx, kindOf(job.Of), job.MoveID)
	if store.IsNotFound(err) {
		return nil // the project is gone
	}
	if err != nil {
		return err
	}
	return k.move(ctx, m, moveWait)
}

func (k *Keeper) move(ctx context.Context, m model.StorageMove, wait time.Duration) error {
	if !begun(m) {
		return nil
	}
	if !k.repos.Has(m.DestinationStorage) || !k.repos.Has(m.SourceStorage) {
		return k.store.StorageMoves.Fail(ctx, m, "a storage of that name is not there any more")
	}
	soon, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	locks, err := lockAll(soon, k.parts(m, m.SourceStorage))
	defer release(locks)
	if err != nil {
		return err // somebody is at work there: later
	}
	return k.replicate(ctx, m, locks)
}

// begun tells whether a move is yet to be done.
func begun(m model.StorageMove) bool {
	return m.State == model.MoveScheduled || m.State == model.MoveStarted
}

// lockAll takes the locks of repositories, by their place among them. One that was never made is made when it is first needed, and has none.
func lockAll(ctx context.Context, repos []git.Repo) (map[int]*git.Lock, error) {
	locks := map[int]*git.Lock{}
	for i, repo := range repos {
		lock, err := repo.Lock(ctx)
		if errors.Is(err, git.ErrNotFound) {
			continue
		}
		if err != nil {
			return locks, err
		}
		locks[i] = lock
	}
	return locks, nil
}

func release(locks map[int]*git.Lock) {
	for _, lock := range locks {
		lock.Release()
	}
}

// replicate copies repositories for who has their locks.
func (k *Keeper) replicate(ctx context.Context, m model.StorageMove, locks map[int]*git.Lock) error {
	m, err := k.store.StorageMoves.Get(ctx, m.Kind, m.ID)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil || !begun(m) {
		return err // another process was first
	}
	if err := k.store.StorageMoves.SetState(ctx, m, model.MoveStarted, nil); err != nil {
		return err
	}
	if damaged, err := k.damaged(ctx, m); err != nil || damaged {
		return err
	}
	destinations := k.parts(m, m.DestinationStorage)
	for i, destination := range destinations {
		err := destination.Delete() // what a move that was broken off has left
		if lock := locks[i]; lock != nil && err == nil {
			err = k.copy(ctx, m, i, lock, destination)
		}
		if err == nil {
			continue
		}
		if ctx.Err() != nil {
			return err // the server stops, and goes on later
		}
		reason := err.Error()
		err = nil
		for _, repo := range destinations {
			err = errors.Join(err, repo.Delete())
		}
		return errors.Join(err, k.store.StorageMoves.Fail(ctx, m, reason))
	}
	return k.switchOver(ctx, m)
}

// damaged ends a move whose repositories are not all there: a copy would lack what is missing. A storage that is gone may come back,
// so the move waits for it.
func (k *Keeper) damaged(ctx context.Context, m model.StorageMove) (bool, error) {
	for i, repo := range k.parts(m, m.SourceStorage) {
		written, err := k.written(ctx, m, i)
		if err != nil {
			return false, err
		}
		if !written {
			continue
		}
		var broken *storage.DamagedError
		if err = repo.Sound(); errors.As(err, &broken) {
			return true, k.store.StorageMoves.Fail(ctx, m, "the repository is missing or damaged")
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// written reports whether something was written to a part of what is moved, as far as the database knows.
func (k *Keeper) written(ctx context.Context, m model.StorageMove, part int) (bool, error) {
	kind := m.Kind
	if kind == model.ProjectRepository && part == 0 {
		row, err := k.store.Projects.Get(ctx, m.OwnerID, "", &store.Reader{Admin: true})
		return err == nil && !row.Project.EmptyRepo, err
	}
	if kind == model.ProjectRepository {
		kind = model.ProjectWikiRepository
	}
	place, err := k.store.SideRepositories.Place(ctx, kind, m.OwnerID)
	return err == nil && place.Head != "", err
}

// copy makes the copy of one repository. What the database says of its branch is made so first.
func (k *Keeper) copy(ctx context.Context, m model.StorageMove, part int, lock *git.Lock, destination git.Repo) error {
	side := Side{Kind: m.Kind, ID: m.OwnerID}
	if m.Kind == model.ProjectRepository {
		side.Kind = model.ProjectWikiRepository
	}
	if m.Kind != model.ProjectRepository || part > 0 {
		place, err := k.store.SideRepositories.Place(ctx, side.Kind, side.ID)
		if err != nil {
			return err
		}
		if err := settle(ctx, side.on(k.repos, m.SourceStorage), lock, place.Head); err != nil {
			return err
		}
	}
	return destination.Replicate(ctx, lock)
}

// switchOver makes the new copy the repository, and has the old one removed later.
func (k *Keeper) switchOver(ctx context.Context, m model.StorageMove) error {
	return k.store.Tx(ctx, func(ctx context.Context) error {
		if err := k.store.StorageMoves.Switch(ctx, m); err != nil {
			return err
		}
		return k.queue(ctx, Cleanup{MoveID: m.ID, Of: m.Kind})
	})
}

// Cleanup removes the old copy of a repository that is elsewhere now.
func (k *Keeper) Cleanup(ctx context.Context, job Cleanup) error {
	m, err := k.store.StorageMoves.Get(ctx, kindOf(job.Of), job.MoveID)
	if store.IsNotFound(err) || (err == nil && m.State != model.MoveReplicated) {
		return nil
	}
	if err != nil {
		return err
	}
	storage, err := k.store.StorageMoves.Storage(ctx, m.Kind, m.OwnerID)
	if err != nil {
		return err
	}
	// Who moves it back meanwhile needs the locks of the repositories, too.
	locks, err := lockAll(ctx, k.parts(m, storage))
	defer release(locks)
	if err != nil {
		return err
	}
	if storage, err = k.store.StorageMoves.Storage(ctx, m.Kind, m.OwnerID); err != nil {
		return err
	}
	if storage != m.SourceStorage {
		for _, repo := range k.parts(m, m.SourceStorage) {
			err = errors.Join(err, repo.Delete())
		}
	}
	if err != nil {
		reason := "the old copy could not be removed"
		return errors.Join(err, k.store.StorageMoves.SetState(ctx, m, model.MoveCleanupFailed, &reason))
	}
	return k.store.StorageMoves.SetState(ctx, m, model.MoveFinished, nil)
}
