package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// RelationExports holds the exports of the relations of groups and projects, and their files.
type RelationExports struct{ *base }

// Replace adds an export of the relations of a group or project and removes the one before it with its files.
func (s RelationExports) Replace(ctx context.Context, owner ResourceOwner, e *model.RelationExport) error {
	e.GroupID, e.ProjectID = owner.GroupID, owner.ProjectID
	name := "export of relations of namespace " + itoa(owner.NamespaceID)
	if owner.ProjectID != nil {
		name = "export of relations of project " + itoa(*owner.ProjectID)
	}
	return s.Exclusive(ctx, name, func(ctx context.Context) error {
		if err := owner.whereOwned(s.db.Write(ctx)).Delete(&model.RelationExport{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(e).Error)
	})
}

// Of returns the export of the relations of a group or project.
func (s RelationExports) Of(ctx context.Context, owner ResourceOwner) (model.RelationExport, error) {
	return query.Take[model.RelationExport](owner.whereOwned(s.db.Read(ctx)), groupExport)
}

// Files returns the files of an export, ordered by relation and batch; those of one relation, if it is given.
func (s RelationExports) Files(ctx context.Context, exportID int64, relation string) ([]model.RelationExportFile, error) {
	q := s.db.Read(ctx).Where("export_id = ?", exportID)
	if relation != "" {
		q = q.Where("relation = ?", relation)
	}
	rows, err := query.Find[model.RelationExportFile](q.Order("relation, batch_number"), 0)
	return rows, query.Translate(err)
}

// File returns one file of an export.
func (s RelationExports) File(ctx context.Context, exportID int64, relation string, batch int64) (model.RelationExportFile, error) {
	q := s.db.Read(ctx).Where("export_id = ? AND relation = ? AND batch_number = ?", exportID, relation, batch)
	return query.Take[model.RelationExportFile](q, groupExport)
}

// Get returns an export, read through the writing pool.
func (s RelationExports) Get(ctx context.Context, id int64) (model.RelationExport, error) {
	return query.Take[model.RelationExport](s.db.Write(ctx).Where("id = ?", id), groupExport)
}

// AddFiles stores the files of a relation, which must have been announced. If another process has written the relation, it
// does nothing. It returns a *NotFoundError if the export was replaced or is no longer in progress.
func (s RelationExports) AddFiles(ctx context.Context, id int64, relation string, files []model.RelationExportFile) error {
	return s.Exclusive(ctx, "files of export "+itoa(id), func(ctx context.Context) error {
		found, err := s.set(ctx, id, map[string]any{"state": model.ExportStarted})
		if err != nil {
			return err
		}
		if !found {
			return &NotFoundError{Resource: groupExport}
		}
		var has int64
		q := s.db.Write(ctx).Model(&model.RelationExportFile{}).Where("export_id = ? AND relation = ?", id, relation)
		if err := q.Count(&has).Error; err != nil || has > 0 {
			return query.Translate(err)
		}
		for _, file := range files {
			if err := s.cancelBlobRemoval(ctx, file.Key); err != nil {
				return err
			}
		}
		return query.Translate(s.db.Write(ctx).CreateInBatches(&files, someRows).Error)
	})
}

// Finish marks an export as finished.
func (s RelationExports) Finish(ctx context.Context, id int64, expires time.Time) error {
	_, err := s.set(ctx, id, map[string]any{"state": model.ExportFinished, "expires_at": expires})
	return err
}

// Fail marks an export as failed, with the reason. Relations that are written can still be downloaded.
func (s RelationExports) Fail(ctx context.Context, id int64, reason string) error {
	_, err := s.set(ctx, id, map[string]any{"state": model.ExportFailed, "error": reason})
	return err
}

// set changes an export that is in progress, and returns whether there is one.
func (s RelationExports) set(ctx context.Context, id int64, columns map[string]any) (bool, error) {
	return s.setUnfinished(ctx, &model.RelationExport{}, id, columns)
}

// Touch marks an export as being worked on.
func (s RelationExports) Touch(ctx context.Context, id int64) error {
	_, err := s.set(ctx, id, map[string]any{"state": model.ExportStarted})
	return err
}

// ListStale returns at most the given number of unfinished exports that nobody has worked on since the given time.
func (s RelationExports) ListStale(ctx context.Context, since time.Time, most int) ([]model.RelationExport, error) {
	return listStale[model.RelationExport](ctx, s.base, since, most)
}

// DeleteExpired removes the exports that have expired. Their files are removed later.
func (s RelationExports) DeleteExpired(ctx context.Context, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Where("expires_at < ?", at).Delete(&model.RelationExport{}).Error)
}
