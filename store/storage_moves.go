package store

import (
	"context"
	"errors"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// StorageMoves holds the moves of repositories to other storages.
type StorageMoves struct{ *base }

// ErrReadOnly means that the repository is already being moved.
var ErrReadOnly = errors.New("the repository is read-only")

const storageMove = "Storage Move"

// movable names the tables for a kind of repository: the table of its owners, their key, and the table of its moves.
// All owners have the columns repository_storage and repository_read_only.
type movable struct{ owners, key, moves string }

var movables = map[model.RepositoryKind]movable{
	model.ProjectRepository:   {"projects", "id", "project_storage_moves"},
	model.SnippetRepository:   {"snippets", "id", "snippet_storage_moves"},
	model.GroupWikiRepository: {"group_wikis", "group_id", "group_storage_moves"},
}

// owner returns a query on the table of the owners.
func (s StorageMoves) owner(ctx context.Context, kind model.RepositoryKind) *gorm.DB {
	return s.db.Write(ctx).Table(movables[kind].owners)
}

// onSource returns the condition that the repository of a move is still on the source storage, and its arguments.
func (s StorageMoves) onSource(m model.StorageMove) (string, int64, string) {
	return movables[m.Kind].key + " = ? AND repository_storage = ?", m.OwnerID, m.SourceStorage
}

func (s StorageMoves) moves(q *gorm.DB, kind model.RepositoryKind) *gorm.DB {
	return q.Table(movables[kind].moves).Model(&model.StorageMove{})
}

// Schedule creates a move and makes the repository read-only. It returns ErrReadOnly if the repository is read-only or
// no longer on the source storage.
func (s StorageMoves) Schedule(ctx context.Context, m *model.StorageMove) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		where, id, storage := s.onSource(*m)
		res := s.owner(ctx, m.Kind).Where(where+" AND NOT repository_read_only", id, storage).UpdateColumn("repository_read_only", true)
		switch {
		case res.Error != nil:
			return query.Translate(res.Error)
		case res.RowsAffected == 0:
			return ErrReadOnly
		}
		m.State = model.MoveScheduled
		return query.Translate(s.db.Write(ctx).Table(movables[m.Kind].moves).Create(m).Error)
	})
}

// OnStorage returns the ids of owners with repositories on a storage that are not being moved, ordered by id, starting
// after the given id.
func (s StorageMoves) OnStorage(ctx context.Context, kind model.RepositoryKind, storage string, after int64, most int) ([]int64, error) {
	var ids []int64
	key := movables[kind].key
	err := s.db.Read(ctx).Table(movables[kind].owners).
		Where("repository_storage = ? AND "+key+" > ? AND NOT repository_read_only", storage, after).
		Order(key).Limit(most).Pluck(key, &ids).Error
	return ids, query.Translate(err)
}

// Storage returns the current storage of an owner's repository.
func (s StorageMoves) Storage(ctx context.Context, kind model.RepositoryKind, id int64) (string, error) {
	var names []string
	err := s.owner(ctx, kind).Where(movables[kind].key+" = ?", id).Pluck("repository_storage", &names).Error
	if err == nil && len(names) == 0 {
		return "", &NotFoundError{Resource: sideRepository}
	}
	if err != nil {
		return "", query.Translate(err)
	}
	return names[0], nil
}

// Open returns the unfinished moves of a kind, the oldest first.
func (s StorageMoves) Open(ctx context.Context, kind model.RepositoryKind, most int) ([]model.StorageMove, error) {
	q := s.moves(s.db.Read(ctx), kind).Where("state IN ('scheduled', 'started', 'replicated')").Order("id").Limit(most)
	rows, err := query.Find[model.StorageMove](q, most)
	return ofKind(rows, kind), query.Translate(err)
}

func ofKind(rows []model.StorageMove, kind model.RepositoryKind) []model.StorageMove {
	for i := range rows {
		rows[i].Kind = kind
	}
	return rows
}

// Get returns the current row of a move.
func (s StorageMoves) Get(ctx context.Context, kind model.RepositoryKind, id int64) (model.StorageMove, error) {
	m, err := query.Take[model.StorageMove](s.moves(s.db.Write(ctx), kind).Where("id = ?", id), storageMove)
	m.Kind = kind
	return m, err
}

// SetState stores the state of a move, and the reason if it failed.
func (s StorageMoves) SetState(ctx context.Context, m model.StorageMove, state string, reason *string) error {
	return query.Translate(
		s.moves(s.db.Write(ctx), m.Kind).Where("id = ?", m.ID).Updates(map[string]any{"state": state, "error": reason}).Error,
	)
}

// Finish makes the copy on the destination storage the repository, and makes it writable.
func (s StorageMoves) Finish(ctx context.Context, m model.StorageMove) error {
	return s.end(
		ctx, m, map[string]any{"repository_storage": m.DestinationStorage, "repository_read_only": false},
		model.MoveReplicated, nil,
	)
}

// Fail ends a move without success: the repository stays where it is and becomes writable again.
func (s StorageMoves) Fail(ctx context.Context, m model.StorageMove, reason string) error {
	return s.end(ctx, m, map[string]any{"repository_read_only": false}, model.MoveFailed, &reason)
}

func (s StorageMoves) end(ctx context.Context, m model.StorageMove, set map[string]any, state string, reason *string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		where, id, storage := s.onSource(m)
		if err := s.owner(ctx, m.Kind).Where(where, id, storage).UpdateColumns(set).Error; err != nil {
			return query.Translate(err)
		}
		return s.SetState(ctx, m, state, reason)
	})
}

// List returns one page of the moves of an owner with the owner's data, newest first. With ownerID 0 it lists all moves
// of the kind.
func (s StorageMoves) List(ctx context.Context, kind model.RepositoryKind, ownerID int64, p Page) ([]model.StorageMoveRow, Total, error) {
	q := s.moves(s.db.Read(ctx), kind).Order("id DESC")
	if ownerID != 0 {
		q = q.Where("owner_id = ?", ownerID)
	}
	moves, total, err := query.List[model.StorageMove](q, p)
	if err != nil || len(moves) == 0 {
		return nil, total, err
	}
	rows, err := s.with(ctx, kind, ofKind(moves, kind))
	return rows, total, err
}

// GetWithOwner returns a move with the owner's data. If ownerID is not 0, the move must belong to that owner.
func (s StorageMoves) GetWithOwner(ctx context.Context, kind model.RepositoryKind, ownerID, id int64) (model.StorageMoveRow, error) {
	q := s.moves(s.db.Read(ctx), kind).Where("id = ?", id)
	if ownerID != 0 {
		q = q.Where("owner_id = ?", ownerID)
	}
	m, err := query.Take[model.StorageMove](q, storageMove)
	if err != nil {
		return model.StorageMoveRow{}, err
	}
	rows, err := s.with(ctx, kind, ofKind([]model.StorageMove{m}, kind))
	if err != nil {
		return model.StorageMoveRow{}, err
	}
	return rows[0], nil
}

// with adds the data of the owners.
func (s StorageMoves) with(ctx context.Context, kind model.RepositoryKind, moves []model.StorageMove) ([]model.StorageMoveRow, error) {
	wanted := make(map[int64]bool, len(moves))
	for _, m := range moves {
		wanted[m.OwnerID] = true
	}
	var set func(row *model.StorageMoveRow)
	switch kind {
	case model.SnippetRepository:
		found, err := Snippets(s).ByID(ctx, wanted)
		if err != nil {
			return nil, err
		}
		set = func(row *model.StorageMoveRow) { row.Snippet = found[row.Move.OwnerID] }
	case model.GroupWikiRepository:
		found, err := byID(ctx, s.base, wanted, func(n *model.Namespace) int64 { return n.ID })
		if err != nil {
			return nil, err
		}
		set = func(row *model.StorageMoveRow) { row.Group = *found[row.Move.OwnerID] }
	default:
		found, err := byID(ctx, s.base, wanted, func(p *model.Project) int64 { return p.ID })
		if err != nil {
			return nil, err
		}
		set = func(row *model.StorageMoveRow) { row.Project = *found[row.Move.OwnerID] }
	}
	rows := make([]model.StorageMoveRow, len(moves))
	for i, m := range moves {
		rows[i].Move = m
		set(&rows[i])
	}
	return rows, nil
}
