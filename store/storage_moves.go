package store

import (
	"context"
	"errors"

	"svc/store/model"
)

// StorageMoves are repositories on their way to other storages.
type StorageMoves struct{ *base }

// ErrReadOnly is a repository that is being moved already.
var ErrReadOnly = errors.New("the repository is read-only")

const storageMove = "Storage Move"

// Schedule begins a move: from now on the repository is read-only.
func (s StorageMoves) Schedule(ctx context.Context, m *model.ProjectStorageMove) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		res := s.write(ctx).Model(&model.Project{}).Where("id = ? AND repository_storage = ? AND NOT repository_read_only", m.ProjectID, m.SourceStorage).
			UpdateColumn("repository_read_only", true)
		switch {
		case res.Error != nil:
			return translate(res.Error)
		case res.RowsAffected == 0:
			return ErrReadOnly
		}
		m.State = model.MoveScheduled
		return translate(s.write(ctx).Create(m).Error)
	})
}

// OnStorage returns the ids of projects on a storage that are not being moved, beyond an id and in that order.
func (s StorageMoves) OnStorage(ctx context.Context, storage string, after int64, most int) ([]int64, error) {
	var ids []int64
	err := s.read(ctx).Model(&model.Project{}).Where("repository_storage = ? AND id > ? AND NOT repository_read_only", storage, after).
		Order("id").Limit(most).Pluck("id", &ids).Error
	return ids, translate(err)
}

// Open returns the moves that have not ended, the oldest first.
func (s StorageMoves) Open(ctx context.Context, most int) ([]model.ProjectStorageMove, error) {
	rows, err := find[model.ProjectStorageMove](s.read(ctx).Where("state IN ('scheduled', 'started', 'replicated')").Order("id").Limit(most), most)
	return rows, translate(err)
}

// Get is a move as it is now.
func (s StorageMoves) Get(ctx context.Context, id int64) (model.ProjectStorageMove, error) {
	return take[model.ProjectStorageMove](s.write(ctx).Where("id = ?", id), storageMove)
}

// SetState notes how far a move is, and why it went wrong if it did.
func (s StorageMoves) SetState(ctx context.Context, id int64, state string, reason *string) error {
	return translate(s.write(ctx).Model(&model.ProjectStorageMove{}).Where("id = ?", id).Updates(map[string]any{"state": state, "error": reason}).Error)
}

// Switch ends the reading of the old copy: the project is on the other storage, and writable.
func (s StorageMoves) Switch(ctx context.Context, m model.ProjectStorageMove) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		set := map[string]any{"repository_storage": m.DestinationStorage, "repository_read_only": false}
		if err := s.write(ctx).Model(&model.Project{}).Where("id = ? AND repository_storage = ?", m.ProjectID, m.SourceStorage).UpdateColumns(set).Error; err != nil {
			return translate(err)
		}
		return s.SetState(ctx, m.ID, model.MoveReplicated, nil)
	})
}

// Fail gives a move up: the project stays where it is, and is writable again.
func (s StorageMoves) Fail(ctx context.Context, m model.ProjectStorageMove, reason string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		q := s.write(ctx).Model(&model.Project{}).Where("id = ? AND repository_storage = ?", m.ProjectID, m.SourceStorage)
		if err := q.UpdateColumn("repository_read_only", false).Error; err != nil {
			return translate(err)
		}
		return s.SetState(ctx, m.ID, model.MoveFailed, &reason)
	})
}

// List returns one page of the moves of a project, or of all with 0, with their projects, the newest first.
func (s StorageMoves) List(ctx context.Context, projectID int64, p Page) ([]model.ProjectStorageMoveRow, Total, error) {
	q := s.read(ctx).Order("id DESC")
	if projectID != 0 {
		q = q.Where("project_id = ?", projectID)
	}
	moves, total, err := list[model.ProjectStorageMove](q, p)
	if err != nil || len(moves) == 0 {
		return nil, total, err
	}
	rows, err := s.with(ctx, moves)
	return rows, total, err
}

// One is a move with its project; projectID is 0 for any project.
func (s StorageMoves) One(ctx context.Context, projectID, id int64) (model.ProjectStorageMoveRow, error) {
	q := s.read(ctx).Where("id = ?", id)
	if projectID != 0 {
		q = q.Where("project_id = ?", projectID)
	}
	m, err := take[model.ProjectStorageMove](q, storageMove)
	if err != nil {
		return model.ProjectStorageMoveRow{}, err
	}
	rows, err := s.with(ctx, []model.ProjectStorageMove{m})
	if err != nil {
		return model.ProjectStorageMoveRow{}, err
	}
	return rows[0], nil
}

// with reads the projects of moves.
func (s StorageMoves) with(ctx context.Context, moves []model.ProjectStorageMove) ([]model.ProjectStorageMoveRow, error) {
	ids := make([]int64, len(moves))
	for i, m := range moves {
		ids[i] = m.ProjectID
	}
	projects, err := find[model.Project](s.read(ctx).Where("id IN ?", ids), len(ids))
	if err != nil {
		return nil, translate(err)
	}
	byID := make(map[int64]model.Project, len(projects))
	for _, p := range projects {
		byID[p.ID] = p
	}
	rows := make([]model.ProjectStorageMoveRow, len(moves))
	for i, m := range moves {
		rows[i] = model.ProjectStorageMoveRow{Move: m, Project: byID[m.ProjectID]}
	}
	return rows, nil
}
