package store

import (
	"context"
	"slices"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// LfsObjects holds the LFS objects (large files), and which projects have them.
type LfsObjects struct{ *base }

const lfsObject = "LFS Object"

// Get returns an LFS object of a project.
func (s LfsObjects) Get(ctx context.Context, projectID int64, oid string) (model.LfsObject, error) {
	return query.Take[model.LfsObject](s.db.Read(ctx).
		Where("oid = ? AND oid IN (SELECT oid FROM lfs_project_objects WHERE project_id = ?)", oid, projectID), lfsObject)
}

// ListInProject returns the LFS objects, out of the given ones, that a project has.
func (s LfsObjects) ListInProject(ctx context.Context, projectID int64, oids []string) (map[string]model.LfsObject, error) {
	q := s.db.Read(ctx).
		Select("lfs_objects.*").Joins("JOIN lfs_project_objects p ON p.oid = lfs_objects.oid AND p.project_id = ?", projectID)
	rows, err := query.Find[model.LfsObject](q.Where("lfs_objects.oid IN ?", oids), len(oids))
	found := make(map[string]model.LfsObject, len(rows))
	for _, row := range rows {
		found[row.Oid] = row
	}
	return found, query.Translate(err)
}

// Add adds an LFS object to a project. Add calls place with the storage on which the data is known to be or should be;
// place puts the data there and returns the storage on which the data is. While place runs, nobody else adds or removes
// the object. Add returns a *NotFoundError if the project is gone.
func (s LfsObjects) Add(ctx context.Context, projectID int64, o model.LfsObject, place func(storage string) (string, error)) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockObject(ctx, o.Oid); err != nil {
			return err
		}
		known, err := query.Take[model.LfsObject](s.db.Write(ctx).Where("oid = ?", o.Oid), lfsObject)
		if IsNotFound(err) {
			known = o
			err = query.Translate(s.db.Write(ctx).Create(&known).Error)
		}
		if err != nil {
			return err
		}
		if err := s.addToProject(ctx, projectID, known); err != nil {
			return err
		}
		storage, err := place(known.Storage)
		if err != nil || storage == known.Storage {
			return err
		}
		return query.Translate(s.db.Write(ctx).Model(&model.LfsObject{}).Where("oid = ?", o.Oid).Update("storage", storage).Error)
	})
}

func (s LfsObjects) addToProject(ctx context.Context, projectID int64, o model.LfsObject) error {
	row := model.LfsProjectObject{ProjectID: projectID, Oid: o.Oid}
	res := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
	switch {
	case query.IsGone(res.Error):
		return &NotFoundError{Resource: project}
	case res.Error != nil || res.RowsAffected == 0:
		return query.Translate(res.Error)
	}
	return query.Translate(s.db.Write(ctx).
		Exec("UPDATE projects SET lfs_objects_size = lfs_objects_size + ? WHERE id = ?", o.Size, projectID).Error)
}

// copyAllToProject adds all LFS objects of a project to another one.
func (s LfsObjects) copyAllToProject(ctx context.Context, from, to int64) error {
	return query.Translate(s.db.Write(ctx).Exec("INSERT INTO lfs_project_objects (project_id, oid, created_at) "+
		"SELECT p.id, o.oid, o.created_at FROM lfs_project_objects o JOIN projects p ON p.id = ? WHERE o.project_id = ?", to, from).Error)
}

// CopyToProject adds those of the given LFS objects that the project from has to the project to.
func (s LfsObjects) CopyToProject(ctx context.Context, from, to int64, oids []string) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		var given []string
		q := s.db.Write(ctx).Raw("INSERT INTO lfs_project_objects (project_id, oid, created_at) SELECT ?, oid, ? FROM "+
			"lfs_project_objects WHERE project_id = ? AND oid IN ? "+
			"ON CONFLICT DO NOTHING RETURNING oid", to, s.now(), from, oids)
		if err := q.Scan(&given).Error; err != nil || len(given) == 0 {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Exec(
			"UPDATE projects SET lfs_objects_size = lfs_objects_size + (SELECT sum(size) FROM lfs_objects WHERE oid IN ?) WHERE id = ?",
			given, to,
		).Error)
	})
}

// ListOutside returns LFS objects that are not on the given storage, by oid after the given one, at most the given number.
func (s LfsObjects) ListOutside(ctx context.Context, storage, after string, most int) ([]model.LfsObject, error) {
	elsewhere := s.db.Read(ctx).Where("storage <> ? AND oid > ?", storage, after)
	rows, err := query.Find[model.LfsObject](elsewhere.Order("oid").Limit(most), most)
	return rows, query.Translate(err)
}

// ListOn returns LFS objects on a storage, by oid after the given one, at most the given number.
func (s LfsObjects) ListOn(ctx context.Context, storage, after string, most int) ([]model.LfsObject, error) {
	rows, err := query.Find[model.LfsObject](s.db.Read(ctx).Where("storage = ? AND oid > ?", storage, after).Order("oid").Limit(most), most)
	return rows, query.Translate(err)
}

// Relocate records that an LFS object is on another storage. It calls place, which puts the data there, while nobody else
// adds or removes the object. It returns a *NotFoundError if the object is no longer on the storage from.
func (s LfsObjects) Relocate(ctx context.Context, oid, from, to string, place func() error) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockObject(ctx, oid); err != nil {
			return err
		}
		res := s.db.Write(ctx).Model(&model.LfsObject{}).Where("oid = ? AND storage = ?", oid, from).Update("storage", to)
		if res.Error != nil {
			return query.Translate(res.Error)
		}
		if res.RowsAffected == 0 {
			return &NotFoundError{Resource: lfsObject}
		}
		return place()
	})
}

// Unused returns at most the given number of LFS objects that no project has.
func (s LfsObjects) Unused(ctx context.Context, most int) ([]model.LfsObject, error) {
	q := s.db.Read(ctx).Where("NOT EXISTS (SELECT 1 FROM lfs_project_objects p WHERE p.oid = lfs_objects.oid)")
	rows, err := query.Find[model.LfsObject](q.Order("oid").Limit(most), most)
	return rows, query.Translate(err)
}

// Remove deletes an LFS object that no project has, and calls remove to delete its data while nobody can add the object
// again. An object that a project has stays.
func (s LfsObjects) Remove(ctx context.Context, oid string, remove func() error) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockObject(ctx, oid); err != nil {
			return err
		}
		unused := "oid = ? AND NOT EXISTS (SELECT 1 FROM lfs_project_objects p WHERE p.oid = lfs_objects.oid)"
		res := s.db.Write(ctx).Where(unused, oid).Delete(&model.LfsObject{})
		if res.Error != nil || res.RowsAffected == 0 {
			return query.Translate(res.Error)
		}
		return remove()
	})
}

// RemoveWithoutRow calls remove to delete the data of an LFS object without a row, while nobody can add the object.
func (s LfsObjects) RemoveWithoutRow(ctx context.Context, oid, storage string, remove func() error) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.lockObject(ctx, oid); err != nil {
			return err
		}
		unknown, err := s.WithoutRow(ctx, storage, []string{oid})
		if err != nil || len(unknown) == 0 {
			return err
		}
		return remove()
	})
}

// WithoutRow returns the LFS objects, out of the given ones, that have no row for a storage.
func (s LfsObjects) WithoutRow(ctx context.Context, storage string, oids []string) ([]string, error) {
	rows, err := query.Find[model.LfsObject](s.db.Read(ctx).Where("storage = ? AND oid IN ?", storage, oids), len(oids))
	if err != nil {
		return nil, query.Translate(err)
	}
	known := make(map[string]bool, len(rows))
	for _, row := range rows {
		known[row.Oid] = true
	}
	return slices.DeleteFunc(slices.Clone(oids), func(oid string) bool { return known[oid] }), nil
}

func (s LfsObjects) lockObject(ctx context.Context, oid string) error {
	return s.db.Lock(ctx, "lfs object "+oid)
}

// Place records the storage of LFS objects that were restored somewhere else: of those on the storage from, or of all if
// from is empty.
func (s LfsObjects) Place(ctx context.Context, from, to string) error {
	rows := s.db.Write(ctx).Model(&model.LfsObject{}).Where("storage <> ?", to)
	if from != "" {
		rows = rows.Where("storage = ?", from)
	}
	return query.Translate(rows.Update("storage", to).Error)
}

// Exists reports whether there is a row for an LFS object.
func (s LfsObjects) Exists(ctx context.Context, oid string) (bool, error) {
	var n int64
	err := s.db.Read(ctx).Model(&model.LfsObject{}).Where("oid = ?", oid).Count(&n).Error
	return n > 0, query.Translate(err)
}
