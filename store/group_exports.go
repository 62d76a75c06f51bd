package store

import (
	"context"
	"errors"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// GroupExports holds the exports of groups.
type GroupExports struct{ *base }

// GroupImports holds the imports that created groups.
type GroupImports struct{ *base }

const (
	groupExport = "Export"
	groupImport = "Import"

	// unfinished is a condition for exports and imports that are not finished.
	unfinished = "state IN ('scheduled', 'started')"
)

// Replace adds an export of a group and removes the one before it with its file.
func (s GroupExports) Replace(ctx context.Context, e *model.GroupExport) error {
	return s.Exclusive(ctx, "export of group "+itoa(e.GroupID), func(ctx context.Context) error {
		if err := s.db.Write(ctx).Where("group_id = ?", e.GroupID).Delete(&model.GroupExport{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(e).Error)
	})
}

// Of returns the export of a group.
func (s GroupExports) Of(ctx context.Context, groupID int64) (model.GroupExport, error) {
	return query.Take[model.GroupExport](s.db.Read(ctx).Where("group_id = ?", groupID), groupExport)
}

// Get returns an export, read through the writing pool.
func (s GroupExports) Get(ctx context.Context, id int64) (model.GroupExport, error) {
	return query.Take[model.GroupExport](s.db.Write(ctx).Where("id = ?", id), groupExport)
}

// Finish stores the file of an export, which must have been announced, and marks the export as finished. It returns a
// *NotFoundError if the export was replaced or is no longer in progress.
func (s GroupExports) Finish(ctx context.Context, e model.GroupExport) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.cancelBlobRemoval(ctx, *e.Key); err != nil {
			return err
		}
		found, err := s.setUnfinished(ctx, &model.GroupExport{}, e.ID, map[string]any{
			"state": model.ExportFinished, "key": e.Key, "size": e.Size, "sha256": e.SHA256, "expires_at": e.ExpiresAt,
		})
		if err == nil && !found {
			err = &NotFoundError{Resource: groupExport}
		}
		return err
	})
}

// Fail marks an export as failed, with the reason.
func (s GroupExports) Fail(ctx context.Context, id int64, reason string) error {
	_, err := s.setUnfinished(ctx, &model.GroupExport{}, id, map[string]any{"state": model.ExportFailed, "error": reason})
	return err
}

// Touch marks an export as being worked on.
func (s GroupExports) Touch(ctx context.Context, id int64) error {
	_, err := s.setUnfinished(ctx, &model.GroupExport{}, id, map[string]any{"state": model.ExportStarted})
	return err
}

// ListStale returns at most the given number of unfinished exports that nobody has worked on since the given time.
func (s GroupExports) ListStale(ctx context.Context, since time.Time, most int) ([]model.GroupExport, error) {
	return listStale[model.GroupExport](ctx, s.base, since, most)
}

// DeleteExpired removes the exports that have expired. Their files are removed later.
func (s GroupExports) DeleteExpired(ctx context.Context, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Where("expires_at < ?", at).Delete(&model.GroupExport{}).Error)
}

// Create adds an import, whose file must have been announced.
func (s GroupImports) Create(ctx context.Context, i *model.GroupImport) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.cancelBlobRemoval(ctx, *i.Key); err != nil {
			return err
		}
		return query.Translate(s.db.Write(ctx).Create(i).Error)
	})
}

// Of returns the import that created a group.
func (s GroupImports) Of(ctx context.Context, groupID int64) (model.GroupImport, error) {
	return query.Take[model.GroupImport](s.db.Read(ctx).Where("group_id = ?", groupID), groupImport)
}

// Get returns an import, read through the writing pool.
func (s GroupImports) Get(ctx context.Context, id int64) (model.GroupImport, error) {
	return query.Take[model.GroupImport](s.db.Write(ctx).Where("id = ?", id), groupImport)
}

// RunLocked runs f in a transaction, unless the import is done or gone. Only one caller at a time runs a function for the
// same import.
func (s GroupImports) RunLocked(ctx context.Context, id int64, f func(ctx context.Context, i model.GroupImport) error) error {
	return s.Exclusive(ctx, "import "+itoa(id), func(ctx context.Context) error {
		i, err := s.Get(ctx, id)
		if IsNotFound(err) || (err == nil && i.Key == nil) {
			return nil
		}
		if err != nil {
			return err
		}
		return f(ctx, i)
	})
}

// End stores the outcome of an import and removes its file.
func (s GroupImports) End(ctx context.Context, i model.GroupImport) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if i.Key != nil {
			if err := s.removeBlobNow(ctx, *i.Key); err != nil {
				return err
			}
		}
		return query.Translate(s.db.Write(ctx).Model(&model.GroupImport{}).Where("id = ?", i.ID).Updates(map[string]any{
			"state": i.State, "key": nil, "imported": i.Imported, "skipped_members": i.SkippedMembers, "error": i.Error,
		}).Error)
	})
}

// Touch stores the progress of an import and marks it as being worked on.
func (s GroupImports) Touch(ctx context.Context, id, imported int64) error {
	_, err := s.setUnfinished(ctx, &model.GroupImport{}, id, map[string]any{"state": model.ExportStarted, "imported": imported})
	return err
}

// ListStale returns at most the given number of unfinished imports that nobody has worked on since the given time.
func (s GroupImports) ListStale(ctx context.Context, since time.Time, most int) ([]model.GroupImport, error) {
	return listStale[model.GroupImport](ctx, s.base, since, most)
}

// setUnfinished changes an export or import that is in progress, and returns whether there is one. table is its model.
func (b *base) setUnfinished(ctx context.Context, table any, id int64, columns map[string]any) (bool, error) {
	res := b.db.Write(ctx).Model(table).Where("id = ? AND "+unfinished, id).Updates(columns)
	return res.RowsAffected > 0, query.Translate(res.Error)
}

// listStale returns at most the given number of unfinished exports or imports that nobody has worked on since the given
// time.
func listStale[T any](ctx context.Context, b *base, since time.Time, most int) ([]T, error) {
	rows, err := query.Find[T](b.db.Read(ctx).Where(unfinished+" AND updated_at < ?", since).Order("id").Limit(most), 0)
	return rows, query.Translate(err)
}

// cancelBlobRemoval removes an announced file from the list of files to be removed.
func (b *base) cancelBlobRemoval(ctx context.Context, key string) error {
	res := b.db.Write(ctx).Where("key = ?", key).Delete(&model.BlobRemoval{})
	if res.Error == nil && res.RowsAffected == 0 {
		return errors.New("the upload took too long: its file was already removed")
	}
	return query.Translate(res.Error)
}
