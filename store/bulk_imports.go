package store

import (
	"context"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// BulkImports holds the imports of groups and projects from other instances.
type BulkImports struct{ *base }

const (
	bulkImport       = "Bulk Import"
	bulkImportEntity = "Bulk Import Entity"
)

// BulkImportFilter selects imports of a user, or their groups and projects.
type BulkImportFilter struct {
	UserID   int64
	ImportID int64  // 0 for all; for groups and projects only
	Status   string // empty for all
	Oldest   bool   // the oldest come first
}

func (f BulkImportFilter) order() string {
	if f.Oldest {
		return "id"
	}
	return "id DESC"
}

// unended is the condition for imports, groups and projects that have not ended.
const unended = "status IN ('" + model.BulkImportCreated + "', '" + model.BulkImportStarted + "')"

// List returns one page of imports.
func (s BulkImports) List(ctx context.Context, f BulkImportFilter, p Page) ([]model.BulkImport, Total, error) {
	q := s.db.Read(ctx).Where("user_id = ?", f.UserID)
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	return query.List[model.BulkImport](q.Order(f.order()), p)
}

// Get returns an import of a user.
func (s BulkImports) Get(ctx context.Context, userID, id int64) (model.BulkImport, error) {
	return query.Take[model.BulkImport](s.db.Read(ctx).Where("id = ? AND user_id = ?", id, userID), bulkImport)
}

// Find returns an import, read through the writing pool.
func (s BulkImports) Find(ctx context.Context, id int64) (model.BulkImport, error) {
	return query.Take[model.BulkImport](s.db.Write(ctx).Where("id = ?", id), bulkImport)
}

// Entities returns one page of the groups and projects of the imports of a user, with their first failures.
func (s BulkImports) Entities(ctx context.Context, f BulkImportFilter, p Page) ([]model.BulkImportEntityRow, Total, error) {
	q := s.db.Read(ctx).Where("bulk_import_id IN (SELECT id FROM bulk_imports WHERE user_id = ?)", f.UserID)
	if f.ImportID != 0 {
		q = q.Where("bulk_import_id = ?", f.ImportID)
	}
	if f.Status != "" {
		q = q.Where("status = ?", f.Status)
	}
	rows, total, err := query.List[model.BulkImportEntity](q.Order(f.order()), p)
	if err != nil {
		return nil, total, err
	}
	shown, err := s.withFailures(ctx, rows)
	return shown, total, err
}

// Entity returns a group or project of an import of a user, with its first failures.
func (s BulkImports) Entity(ctx context.Context, userID, importID, id int64) (model.BulkImportEntityRow, error) {
	q := s.db.Read(ctx).Where("id = ? AND bulk_import_id = ?", id, importID).
		Where("bulk_import_id IN (SELECT id FROM bulk_imports WHERE user_id = ?)", userID)
	row, err := query.Take[model.BulkImportEntity](q, bulkImportEntity)
	if err != nil {
		return model.BulkImportEntityRow{}, err
	}
	shown, err := s.withFailures(ctx, []model.BulkImportEntity{row})
	if err != nil {
		return model.BulkImportEntityRow{}, err
	}
	return shown[0], nil
}

// FindEntity returns a group or project of an import, read through the writing pool.
func (s BulkImports) FindEntity(ctx context.Context, id int64) (model.BulkImportEntity, error) {
	return query.Take[model.BulkImportEntity](s.db.Write(ctx).Where("id = ?", id), bulkImportEntity)
}

// shownFailures is how many failures a group or project is shown with.
const shownFailures = 20

// withFailures adds the first failures of groups and projects.
func (s BulkImports) withFailures(ctx context.Context, rows []model.BulkImportEntity) ([]model.BulkImportEntityRow, error) {
	shown, ids, at := make([]model.BulkImportEntityRow, len(rows)), []int64{}, map[int64]int{}
	for i, row := range rows {
		shown[i].Entity, at[row.ID] = row, i
		if row.HasFailures {
			ids = append(ids, row.ID)
		}
	}
	if len(ids) == 0 {
		return shown, nil
	}
	q := s.db.Read(ctx).Raw("SELECT f.* FROM (SELECT bulk_import_failures.*, row_number() OVER (PARTITION BY entity_id ORDER BY id) AS n "+
		"FROM bulk_import_failures WHERE entity_id IN ?) f WHERE f.n <= ? ORDER BY f.id", ids, shownFailures)
	failures, err := query.Find[model.BulkImportFailure](q, 0)
	for _, f := range failures {
		i := at[f.EntityID]
		shown[i].Failures = append(shown[i].Failures, f)
	}
	return shown, query.Translate(err)
}

// Failures returns one page of what could not be copied of a group or project, the oldest first.
func (s BulkImports) Failures(ctx context.Context, entityID int64, p Page) ([]model.BulkImportFailure, Total, error) {
	return query.List[model.BulkImportFailure](s.db.Read(ctx).Where("entity_id = ?", entityID).Order("id"), p)
}

// Create adds an import. It returns a *LimitError if the user already has most imports that have not ended.
func (s BulkImports) Create(ctx context.Context, row *model.BulkImport, most int) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "bulk imports of user "+strconv.FormatInt(row.UserID, 10)); err != nil {
			return err
		}
		var n int64
		count := s.db.Write(ctx).Raw("SELECT count(*) FROM bulk_imports WHERE user_id = ? AND "+unended, row.UserID)
		if err := query.ScanFirst(count, &n); err != nil {
			return query.Translate(err)
		}
		if n >= int64(most) {
			return &LimitError{Most: most}
		}
		return query.Translate(s.db.Write(ctx).Create(row).Error)
	})
}

// AddEntities adds groups and projects to an import.
func (s BulkImports) AddEntities(ctx context.Context, rows []*model.BulkImportEntity) error {
	if len(rows) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Create(rows).Error)
}

// AddFailures stores what could not be copied of a group or project of an import.
func (s BulkImports) AddFailures(ctx context.Context, of model.BulkImportEntity, rows []model.BulkImportFailure) error {
	if len(rows) == 0 {
		return nil
	}
	for i := range rows {
		rows[i].EntityID = of.ID
	}
	if err := s.db.Write(ctx).Create(&rows).Error; err != nil {
		return query.Translate(err)
	}
	if err := s.updateEntity(ctx, of.ID, map[string]any{"has_failures": true}).Error; err != nil {
		return query.Translate(err)
	}
	return s.update(ctx, of.BulkImportID, map[string]any{"has_failures": true})
}

func (s BulkImports) update(ctx context.Context, id int64, set map[string]any) error {
	return query.Translate(s.db.Write(ctx).Model(&model.BulkImport{}).Where("id = ?", id).Updates(set).Error)
}

func (s BulkImports) updateEntity(ctx context.Context, id int64, set map[string]any) *gorm.DB {
	return s.db.Write(ctx).Model(&model.BulkImportEntity{}).Where("id = ?", id).Updates(set)
}

// Start marks a group or project, and its import, as being copied. It returns false if one of them has ended.
func (s BulkImports) Start(ctx context.Context, e model.BulkImportEntity) (started bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		set := map[string]any{"status": model.BulkImportStarted}
		done := s.db.Write(ctx).Model(&model.BulkImport{}).Where("id = ? AND "+unended, e.BulkImportID).Updates(set)
		if done.Error != nil || done.RowsAffected == 0 {
			return query.Translate(done.Error)
		}
		done = s.db.Write(ctx).Model(&model.BulkImportEntity{}).Where("id = ? AND "+unended, e.ID).Updates(set)
		started = done.RowsAffected > 0
		return query.Translate(done.Error)
	})
	return started, err
}

// Advance stores what is copied next, and what was counted. It returns false if another process has done so, or if the
// import has ended.
func (s BulkImports) Advance(ctx context.Context, from, to model.BulkImportEntity) (bool, error) {
	done := s.db.Write(ctx).Model(&model.BulkImportEntity{}).
		Where("id = ? AND stage = ? AND page = ? AND status = ?", from.ID, from.Stage, from.Page, model.BulkImportStarted).
		Updates(map[string]any{"stage": to.Stage, "page": to.Page, "attempts": to.Attempts, "stats": to.Stats})
	return done.RowsAffected > 0, query.Translate(done.Error)
}

// SetPlace stores the new group or project.
func (s BulkImports) SetPlace(ctx context.Context, id int64, namespaceID, projectID *int64) error {
	return query.Translate(s.updateEntity(ctx, id, map[string]any{"namespace_id": namespaceID, "project_id": projectID}).Error)
}

// End stores how the copy of a group or project has ended. With the last one the import ends, and its access token is removed.
func (s BulkImports) End(ctx context.Context, e model.BulkImportEntity, status string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "bulk import "+strconv.FormatInt(e.BulkImportID, 10)); err != nil {
			return err
		}
		set := map[string]any{"status": status}
		done := s.db.Write(ctx).Model(&model.BulkImportEntity{}).Where("id = ? AND "+unended, e.ID).Updates(set)
		if done.Error != nil || done.RowsAffected == 0 {
			return query.Translate(done.Error)
		}
		return query.Translate(s.db.Write(ctx).Exec("UPDATE bulk_imports SET sealed = NULL, updated_at = ?, status = CASE WHEN EXISTS "+
			"(SELECT 1 FROM bulk_import_entities WHERE bulk_import_id = ? AND status = ?) THEN ? ELSE ? END WHERE id = ? AND "+unended+
			" AND NOT EXISTS (SELECT 1 FROM bulk_import_entities WHERE bulk_import_id = ? AND "+unended+")",
			s.now(), e.BulkImportID, model.BulkImportFinished, model.BulkImportFinished, model.BulkImportFailed, e.BulkImportID,
			e.BulkImportID).Error)
	})
}

// Stop ends an import that has not ended, with all its groups and projects.
func (s BulkImports) Stop(ctx context.Context, id int64, status string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Lock(ctx, "bulk import "+strconv.FormatInt(id, 10)); err != nil {
			return err
		}
		done := s.db.Write(ctx).Model(&model.BulkImport{}).Where("id = ? AND "+unended, id).
			Updates(map[string]any{"status": status, "sealed": nil})
		if done.Error != nil || done.RowsAffected == 0 {
			return query.Translate(done.Error)
		}
		return query.Translate(s.db.Write(ctx).Model(&model.BulkImportEntity{}).Where("bulk_import_id = ? AND "+unended, id).
			Updates(map[string]any{"status": status}).Error)
	})
}

// Unended returns the ids of imports that were created before a time and have not ended.
func (s BulkImports) Unended(ctx context.Context, before time.Time, most int) ([]int64, error) {
	rows, err := query.Find[model.BulkImport](
		s.db.Read(ctx).Where("created_at < ? AND sealed IS NOT NULL AND "+unended, before.UTC()).Order("id").Limit(most), 0,
	)
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids, query.Translate(err)
}
