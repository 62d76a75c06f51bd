package lifecycle

import (
	"context"
	"errors"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
	"svc/store/storage"
)

// Move is the job that moves a repository to another storage.
type Move struct {
	MoveID int64                `json:"move_id"`
	Of     model.RepositoryKind `json:"of,omitempty"` // empty for a project
}

// Kind returns the name of the job in the queue.
func (Move) Kind() string { return "move_repository" }

// FinishMovesJob is the job that finishes moves of servers that were killed.
type FinishMovesJob struct{}

// Kind returns the name of the job in the queue.
func (FinishMovesJob) Kind() string { return "end_repository_moves" }

// MoveAll is the job that schedules moves for all repositories of a kind on a storage.
type MoveAll struct {
	Source      string               `json:"source"`
	Destination string               `json:"destination"`  // empty for any other storage
	Of          model.RepositoryKind `json:"of,omitempty"` // empty for projects
}

// Kind returns the name of the job in the queue.
func (MoveAll) Kind() string { return "move_all_repositories" }

// Cleanup is the job that removes the old copy after a move. It runs later, so that running reads of the old copy can
// finish.
type Cleanup struct {
	MoveID int64                `json:"move_id"`
	Of     model.RepositoryKind `json:"of,omitempty"` // empty for a project
}

// Kind returns the name of the job in the queue.
func (Cleanup) Kind() string { return "clean_up_repository_move" }

// ErrSameStorage means that the repository is already on the destination storage.
var ErrSameStorage = errors.New("the repository is already on that storage")

// movable are the kinds of repositories that can be moved. The other kinds move together with one of these.
var movable = []model.RepositoryKind{model.ProjectRepository, model.SnippetRepository, model.GroupWikiRepository}

// kindOf returns the kind that a job names; the default is a project.
func kindOf(named model.RepositoryKind) model.RepositoryKind {
	if named == "" {
		return model.ProjectRepository
	}
	return named
}

// Storages returns the names of the storages.
func (k *Repositories) Storages() []string { return k.repos.Storages() }

// Record writes what reports a move, such as its audit event, in the transaction that schedules the move.
type Record func(ctx context.Context, m model.StorageMove) error

// Schedule schedules a move of a project's repository. Without a destination it picks another storage. It calls told in
// the same transaction.
func (k *Repositories) Schedule(
	ctx context.Context, p model.Project, destination string, told func(ctx context.Context, m model.StorageMove) error,
) (model.StorageMove, error) {
	return k.ScheduleFor(ctx, Owner{Kind: model.ProjectRepository, ID: p.ID}, p.RepositoryStorage, destination, told)
}

// ScheduleFor is Schedule for any kind of repository. from is the current storage.
func (k *Repositories) ScheduleFor(ctx context.Context, side Owner, from, destination string, told Record) (model.StorageMove, error) {
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

// another returns a storage other than the given one.
func (k *Repositories) another(storage string) string {
	for _, name := range k.repos.Storages() {
		if name != storage {
			return name
		}
	}
	return ""
}

// ProjectMoveChange returns the audit event of the move of a project's repository, for Audit.
func ProjectMoveChange(p model.Project) events.Change {
	return events.Change{
		Type: "project_repository_move_scheduled", Entity: events.Project(p),
		Target: events.Target{Type: "Project", ID: p.ID, Details: p.FullPath},
	}
}

// Audit returns a record that writes an audit event with the storages of the move.
func (k *Repositories) Audit(c events.Change) Record {
	return func(ctx context.Context, m model.StorageMove) error {
		c.Field, c.From, c.To = "repository_storage", m.SourceStorage, m.DestinationStorage
		return events.Audit(ctx, k.store, c)
	}
}

// auditTypes holds the audit event types for moving all repositories of a kind.
var auditTypes = map[model.RepositoryKind]string{
	model.ProjectRepository:   "project_repository_moves_scheduled",
	model.SnippetRepository:   "snippet_repository_moves_scheduled",
	model.GroupWikiRepository: "group_repository_moves_scheduled",
}

// ScheduleAll queues the job that moves all repositories of a kind on a storage, and writes its audit event. The caller has
// checked the names of the storages.
func (k *Repositories) ScheduleAll(ctx context.Context, job MoveAll) error {
	return events.Audited(ctx, k.store, func(ctx context.Context) (events.Change, error) {
		return events.Change{
			Type: auditTypes[kindOf(job.Of)], Entity: events.Instance,
			Target: events.Target{Type: "Storage", ID: job.Source, Details: job.Source},
			Field:  "repository_storage", From: job.Source, To: job.Destination,
		}, k.queue(ctx, job)
	})
}

// MoveAll schedules moves for the repositories on a storage. If it runs again, it schedules those that are missing.
func (k *Repositories) MoveAll(ctx context.Context, job MoveAll) error {
	kind := kindOf(job.Of)
	for last := int64(0); ; {
		ids, err := k.store.StorageMoves.OnStorage(ctx, kind, job.Source, last, someRepositories)
		if err != nil {
			return err
		}
		for _, id := range ids {
			last = id
			_, err := k.ScheduleFor(ctx, Owner{Kind: kind, ID: id}, job.Source, job.Destination, nil)
			if err != nil && !errors.Is(err, store.ErrReadOnly) && !errors.Is(err, ErrSameStorage) {
				return err
			}
		}
		if len(ids) < someRepositories {
			return nil
		}
	}
}

// How long a move waits for the lock of a repository that is being written to: for its own job, and for the job that
// looks for abandoned moves.
const (
	moveWait  = time.Minute
	movesWait = 250 * time.Millisecond
)

// FinishMoves finishes abandoned moves, whose repositories are not locked.
func (k *Repositories) FinishMoves(ctx context.Context, _ FinishMovesJob) error {
	var errs []error
	for _, kind := range movable {
		rows, err := k.store.StorageMoves.Open(ctx, kind, someRepositories)
		for _, m := range rows {
			switch {
			case err != nil:
			case m.State != model.MoveReplicated:
				if err = k.move(ctx, m, movesWait); errors.Is(err, git.ErrBusy) {
					err = nil // another process works on it
				}
			case clock.Now(ctx).Sub(m.UpdatedAt) > time.Hour: // its own cleanup job is long over
				err = k.Cleanup(ctx, Cleanup{MoveID: m.ID, Of: m.Kind})
			}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// parts returns the repositories that move together, on a storage: a project moves with its wiki.
func (k *Repositories) parts(m model.StorageMove, storage string) []git.Repo {
	parts := []git.Repo{Owner{Kind: m.Kind, ID: m.OwnerID}.On(k.repos, storage)}
	if m.Kind == model.ProjectRepository {
		parts = append(parts, k.repos.ProjectWiki(storage, m.OwnerID))
	}
	return parts
}

// Move moves a repository to another storage. It copies and compares the repository while nobody can change its refs,
// then switches the project over. Some time later, a job removes the old copy. Move can be repeated after an
// interruption at any point: until the switch the old copy is the repository, after it the new one.
func (k *Repositories) Move(ctx context.Context, job Move) error {
	m, err := k.store.StorageMoves.Get(ctx, kindOf(job.Of), job.MoveID)
	if store.IsNotFound(err) {
		return nil // the project was deleted
	}
	if err != nil {
		return err
	}
	return k.move(ctx, m, moveWait)
}

func (k *Repositories) move(ctx context.Context, m model.StorageMove, wait time.Duration) error {
	if !pending(m) {
		return nil
	}
	if !k.repos.Has(m.DestinationStorage) || !k.repos.Has(m.SourceStorage) {
		return k.store.StorageMoves.Fail(ctx, m, "the storage no longer exists")
	}
	soon, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	locks, err := lockAll(soon, k.parts(m, m.SourceStorage))
	defer release(locks)
	if err != nil {
		return err // the repository is being written to: try later
	}
	return k.replicate(ctx, m, locks)
}

// pending reports whether a move still has to be done.
func pending(m model.StorageMove) bool {
	return m.State == model.MoveScheduled || m.State == model.MoveStarted
}

// lockAll locks repositories and returns the locks by index. A repository that does not exist has no lock: it is
// created when it is first needed.
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

// replicate copies repositories. The caller holds their locks.
func (k *Repositories) replicate(ctx context.Context, m model.StorageMove, locks map[int]*git.Lock) error {
	m, err := k.store.StorageMoves.Get(ctx, m.Kind, m.ID)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil || !pending(m) {
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
		err := destination.Delete() // left by an interrupted move
		if lock := locks[i]; lock != nil && err == nil {
			err = k.copy(ctx, m, i, lock, destination)
		}
		if err == nil {
			continue
		}
		if ctx.Err() != nil {
			return err // the server stops, and continues later
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

// damaged fails a move if a repository is missing or damaged, because the copy would be incomplete. If the storage
// itself is missing, it may come back, so the move waits.
func (k *Repositories) damaged(ctx context.Context, m model.StorageMove) (bool, error) {
	for i, repo := range k.parts(m, m.SourceStorage) {
		written, err := k.written(ctx, m, i)
		if err != nil {
			return false, err
		}
		if !written {
			continue
		}
		var broken *storage.DamagedError
		if err = repo.CheckReadable(); errors.As(err, &broken) {
			return true, k.store.StorageMoves.Fail(ctx, m, "the repository is missing or damaged")
		}
		if err != nil {
			return false, err
		}
	}
	return false, nil
}

// written reports whether, by the database, something was written to a part of what is moved.
func (k *Repositories) written(ctx context.Context, m model.StorageMove, part int) (bool, error) {
	kind := m.Kind
	if kind == model.ProjectRepository && part == 0 {
		row, err := k.store.Projects.Get(ctx, m.OwnerID, "", &store.Reader{Admin: true})
		return err == nil && !row.Project.EmptyRepo, err
	}
	if kind == model.ProjectRepository {
		kind = model.ProjectWikiRepository
	}
	place, err := k.store.OtherRepositories.Place(ctx, kind, m.OwnerID)
	return err == nil && place.Head != "", err
}

// copy copies one repository. Before that, it sets the branch to the commit in the database.
func (k *Repositories) copy(ctx context.Context, m model.StorageMove, part int, lock *git.Lock, destination git.Repo) error {
	side := Owner{Kind: m.Kind, ID: m.OwnerID}
	if m.Kind == model.ProjectRepository {
		side.Kind = model.ProjectWikiRepository
	}
	if m.Kind != model.ProjectRepository || part > 0 {
		place, err := k.store.OtherRepositories.Place(ctx, side.Kind, side.ID)
		if err != nil {
			return err
		}
		if err := syncBranch(ctx, side.On(k.repos, m.SourceStorage), lock, place.Head); err != nil {
			return err
		}
	}
	return destination.Replicate(ctx, lock)
}

// switchOver makes the new copy the repository, and schedules the removal of the old one.
func (k *Repositories) switchOver(ctx context.Context, m model.StorageMove) error {
	return k.store.Tx(ctx, func(ctx context.Context) error {
		if err := k.store.StorageMoves.Finish(ctx, m); err != nil {
			return err
		}
		return k.queue(ctx, Cleanup{MoveID: m.ID, Of: m.Kind})
	})
}

// Cleanup removes the old copy of a repository that was moved.
func (k *Repositories) Cleanup(ctx context.Context, job Cleanup) error {
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
	// A process that moves it back meanwhile needs the locks of the repositories too.
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
