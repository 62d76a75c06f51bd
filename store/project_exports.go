package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ProjectExports holds the exports of projects.
type ProjectExports struct{ *base }

// Replace adds an export of a project and removes the one before it with its file.
func (s ProjectExports) Replace(ctx context.Context, e *model.ProjectExport) error {
	return s.Exclusive(ctx, "export of project "+itoa(e.ProjectID), func(ctx context.Context) error {
		if err := s.db.Write(ctx).Where("project_id = ?", e.ProjectID).Delete(&model.ProjectExport{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(e).Error)
	})
}

// Of returns the export of a project.
func (s ProjectExports) Of(ctx context.Context, projectID int64) (model.ProjectExport, error) {
	return query.Take[model.ProjectExport](s.db.Read(ctx).Where("project_id = ?", projectID), groupExport)
}

// Get returns an export, read through the writing pool.
func (s ProjectExports) Get(ctx context.Context, id int64) (model.ProjectExport, error) {
	return query.Take[model.ProjectExport](s.db.Write(ctx).Where("id = ?", id), groupExport)
}

// Finish stores the file of an export, which must have been announced, and marks the export as finished. It returns a
// *NotFoundError if the export was replaced or is no longer in progress.
func (s ProjectExports) Finish(ctx context.Context, e model.ProjectExport) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.cancelBlobRemoval(ctx, *e.Key); err != nil {
			return err
		}
		found, err := s.setUnfinished(ctx, &model.ProjectExport{}, e.ID, map[string]any{
			"state": model.ExportFinished, "key": e.Key, "size": e.Size, "sha256": e.SHA256, "expires_at": e.ExpiresAt,
		})
		if err == nil && !found {
			err = &NotFoundError{Resource: groupExport}
		}
		return err
	})
}

// Fail marks an export as failed, with the reason.
func (s ProjectExports) Fail(ctx context.Context, id int64, reason string) error {
	_, err := s.setUnfinished(ctx, &model.ProjectExport{}, id, map[string]any{"state": model.ExportFailed, "error": reason})
	return err
}

// Touch marks an export as being worked on.
func (s ProjectExports) Touch(ctx context.Context, id int64) error {
	_, err := s.setUnfinished(ctx, &model.ProjectExport{}, id, map[string]any{"state": model.ExportStarted})
	return err
}

// ListStale returns at most the given number of unfinished exports that nobody has worked on since the given time.
func (s ProjectExports) ListStale(ctx context.Context, since time.Time, most int) ([]model.ProjectExport, error) {
	return listStale[model.ProjectExport](ctx, s.base, since, most)
}

// DeleteExpired removes the exports that have expired. Their files are removed later.
func (s ProjectExports) DeleteExpired(ctx context.Context, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Where("expires_at < ?", at).Delete(&model.ProjectExport{}).Error)
}

// ProjectFileImports holds the imports of projects from archives that have not ended, and the records that could not be
// imported.
type ProjectFileImports struct{ *base }

// Create adds the import of a new project. The file, if there is one already, must have been announced.
func (s ProjectFileImports) Create(ctx context.Context, i *model.ProjectFileImport, url *string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if i.Key != nil {
			if err := s.cancelBlobRemoval(ctx, *i.Key); err != nil {
				return err
			}
		}
		if err := query.Translate(s.db.Write(ctx).Create(i).Error); err != nil {
			return err
		}
		return ProjectImports(s).set(ctx, i.ProjectID, map[string]any{
			"import_status": model.ImportScheduled, "import_type": model.ImportedFromFile, "import_url": url, "import_error": nil,
		})
	})
}

// Of returns the unfinished import of a project, read through the writing pool.
func (s ProjectFileImports) Of(ctx context.Context, projectID int64) (model.ProjectFileImport, error) {
	return query.Take[model.ProjectFileImport](s.db.Write(ctx).Where("project_id = ?", projectID), groupImport)
}

// Imported returns how many records of a project's archive are imported so far; 0 if there is no unfinished import.
func (s ProjectFileImports) Imported(ctx context.Context, projectID int64) (int64, error) {
	i, err := query.Take[model.ProjectFileImport](s.db.Read(ctx).Where("project_id = ?", projectID), groupImport)
	if IsNotFound(err) {
		return 0, nil
	}
	return i.Imported, err
}

// SetFile stores the downloaded archive of an import, which must have been announced, and forgets its URL.
func (s ProjectFileImports) SetFile(ctx context.Context, i model.ProjectFileImport) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.cancelBlobRemoval(ctx, *i.Key); err != nil {
			return err
		}
		if err := s.db.Write(ctx).Where("project_id = ?", i.ProjectID).Delete(&model.ProjectImport{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Model(&model.ProjectFileImport{}).Where("id = ?", i.ID).
			Updates(map[string]any{"key": i.Key, "size": i.Size}).Error)
	})
}

// Touch marks an import as being worked on.
func (s ProjectFileImports) Touch(ctx context.Context, id int64) error {
	return query.Translate(s.db.Write(ctx).Model(&model.ProjectFileImport{}).Where("id = ?", id).Update("updated_at", s.now()).Error)
}

// Advance runs f in a transaction and records that the import has reached a number of records. If another process has
// got as far already, it does nothing. It returns a *NotFoundError if the import has ended.
func (s ProjectFileImports) Advance(ctx context.Context, projectID, records int64, f func(ctx context.Context) error) error {
	return s.Exclusive(ctx, "import of project "+itoa(projectID), func(ctx context.Context) error {
		i, err := s.Of(ctx, projectID)
		if err != nil || i.Imported >= records {
			return err
		}
		if err := f(ctx); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Model(&model.ProjectFileImport{}).Where("id = ?", i.ID).
			Updates(map[string]any{"imported": records}).Error)
	})
}

// End stores the result of an import, removes its file, and runs f in the same transaction. It does nothing if another
// process has ended the import.
func (s ProjectFileImports) End(ctx context.Context, projectID int64, failed *string, f func(ctx context.Context) error) error {
	return s.Exclusive(ctx, "import of project "+itoa(projectID), func(ctx context.Context) error {
		gone := s.db.Write(ctx).Where("project_id = ?", projectID).Delete(&model.ProjectFileImport{})
		if gone.Error != nil || gone.RowsAffected == 0 {
			return query.Translate(gone.Error)
		}
		if err := s.db.Write(ctx).Where("project_id = ?", projectID).Delete(&model.ProjectImport{}).Error; err != nil {
			return query.Translate(err)
		}
		set := map[string]any{"import_status": model.ImportFinished, "import_error": failed}
		if failed != nil {
			set["import_status"] = model.ImportFailed
		}
		if err := ProjectImports(s).set(ctx, projectID, set); err != nil {
			return err
		}
		return f(ctx)
	})
}

// ListStale returns at most the given number of imports that nobody has worked on since the given time.
func (s ProjectFileImports) ListStale(ctx context.Context, since time.Time, most int) ([]model.ProjectFileImport, error) {
	rows, err := query.Find[model.ProjectFileImport](s.db.Read(ctx).Where("updated_at < ?", since).Order("id").Limit(most), 0)
	return rows, query.Translate(err)
}

// AddFailure adds a record that could not be imported. Only the first of them are stored.
func (s ProjectFileImports) AddFailure(ctx context.Context, f model.ProjectImportFailure, most int64) error {
	var has int64
	q := s.db.Write(ctx).Model(&model.ProjectImportFailure{}).Where("project_id = ?", f.ProjectID)
	if err := q.Count(&has).Error; err != nil || has >= most {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Create(&f).Error)
}

// Failures returns the records of a project's archive that could not be imported, at most the given number.
func (s ProjectFileImports) Failures(ctx context.Context, projectID int64, most int) ([]model.ProjectImportFailure, error) {
	q := s.db.Read(ctx).Where("project_id = ?", projectID).Order("id").Limit(most)
	rows, err := query.Find[model.ProjectImportFailure](q, 0)
	return rows, query.Translate(err)
}
