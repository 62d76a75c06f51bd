package store

import (
	"context"
	"fmt"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// PackageUpload is a file to add to a package.
type PackageUpload struct {
	Package    model.Package      // created unless it exists; Publish sets it to the stored row
	File       *model.PackageFile // its bytes were announced with ScheduleBlobRemoval
	PipelineID *int64             // the pipeline whose job publishes it
	NewPackage bool               // the package must not exist
	NewName    bool               // the package must not have a file with this name
	SetStatus  bool               // an existing package gets the status, too
	Tags       []string           // tags that name this version from now on
}

// The indexes that Publish names in a *ConflictError.
const (
	PackageTaken     = "packages_version"
	PackageFileTaken = "package_files_name"
)

// Publish adds a file to a package, and creates the package unless it exists, in one transaction. It returns a
// *ConflictError if the package or the file exists and must not.
func (s Packages) Publish(ctx context.Context, u *PackageUpload) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		created, err := s.findOrCreate(ctx, u)
		if err != nil {
			return err
		}
		if !created && u.NewName {
			n, err := query.CountUpTo[model.PackageFile](
				s.db.Write(ctx).Where("package_id = ? AND file_name = ?", u.Package.ID, u.File.FileName), 1,
			)
			if err != nil {
				return err
			}
			if n > 0 {
				return &ConflictError{Constraint: PackageFileTaken}
			}
		}
		if err := s.cancelBlobRemoval(ctx, u.File.Key); err != nil {
			return err
		}
		u.File.PackageID, u.File.ProjectID, u.File.PipelineID = u.Package.ID, u.Package.ProjectID, u.PipelineID
		if err := s.db.Write(ctx).Create(u.File).Error; err != nil {
			return query.Translate(err)
		}
		if u.PipelineID != nil {
			link := model.PackagePipeline{PackageID: u.Package.ID, PipelineID: *u.PipelineID}
			err := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&link).Error
			if err != nil {
				return query.Translate(err)
			}
		}
		return s.setTags(ctx, u.Package, u.Tags)
	})
}

// findOrCreate sets u.Package to the stored row. The row stays locked until the transaction ends, so that only one
// upload at a time adds a file to a package.
func (s Packages) findOrCreate(ctx context.Context, u *PackageUpload) (created bool, err error) {
	wanted := u.Package
	res := s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&u.Package)
	switch {
	case query.IsGone(res.Error):
		return false, &NotFoundError{Resource: project}
	case res.Error != nil:
		return false, query.Translate(res.Error)
	case res.RowsAffected > 0:
		return true, nil
	case u.NewPackage:
		return false, &ConflictError{Constraint: PackageTaken}
	}
	version := ""
	if wanted.Version != nil {
		version = *wanted.Version
	}
	set := map[string]any{"updated_at": s.now()}
	if u.SetStatus {
		set["status"] = wanted.Status
	}
	where := []any{wanted.ProjectID, wanted.PackageType, wanted.Name, version}
	if err := s.db.Write(ctx).Model(&model.Package{}).Where(sameVersion, where...).UpdateColumns(set).Error; err != nil {
		return false, query.Translate(err)
	}
	u.Package, err = query.Take[model.Package](s.db.Write(ctx).Where(sameVersion, where...), packageResource)
	return false, err
}

// SetTag makes a tag name a version of a package. If the tag named another version, it no longer does.
func (s Packages) SetTag(ctx context.Context, p model.Package, name string) error {
	return s.Tx(ctx, func(ctx context.Context) error { return s.setTags(ctx, p, []string{name}) })
}

func (s Packages) setTags(ctx context.Context, p model.Package, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := s.db.Lock(ctx, fmt.Sprintf("tags of package %d/%s/%s", p.ProjectID, p.PackageType, p.Name)); err != nil {
		return err
	}
	if err := s.db.Write(ctx).Where("name IN ?", names).Where(tagsOfName, p.ProjectID, p.PackageType, p.Name).
		Delete(&model.PackageTag{}).Error; err != nil {
		return query.Translate(err)
	}
	rows := make([]model.PackageTag, len(names))
	for i, name := range names {
		rows[i] = model.PackageTag{PackageID: p.ID, Name: name}
	}
	return query.Translate(s.db.Write(ctx).Create(&rows).Error)
}

// tagsOfName is a condition for the tags of all versions of a package.
const tagsOfName = "package_id IN (SELECT id FROM packages WHERE project_id = ? AND package_type = ? AND name = ?)"

// DeleteTag removes a tag from the versions of a package. It returns a *NotFoundError if there is no such tag.
func (s Packages) DeleteTag(ctx context.Context, p model.Package, name string) error {
	res := s.db.Write(ctx).Where("name = ?", name).Where(tagsOfName, p.ProjectID, p.PackageType, p.Name).
		Delete(&model.PackageTag{})
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{Resource: "Package Tag"}
	}
	return query.Translate(res.Error)
}

// TagsOf returns the tags of packages.
func (s Packages) TagsOf(ctx context.Context, packageIDs []int64) ([]model.PackageTag, error) {
	rows, err := query.Find[model.PackageTag](s.db.Read(ctx).Where("package_id IN ?", packageIDs).Order("name"), 0)
	return rows, query.Translate(err)
}
