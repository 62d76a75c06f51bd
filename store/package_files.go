package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// PackageFiles holds the files of packages.
type PackageFiles struct{ *base }

const packageFile = "Package File"

// PackageFileOrder orders a list of files: by id, file_name or created_at.
type PackageFileOrder struct {
	By   string
	Desc bool
}

// List returns one page of the files of a package, with the pipelines that uploaded them.
func (s PackageFiles) List(
	ctx context.Context, packageID int64, o PackageFileOrder, p Page,
) ([]model.PackageFileRow, Total, error) {
	q := s.db.Read(ctx).Where("package_id = ?", packageID)
	if o.By == "file_name" || o.By == "created_at" {
		q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: o.By}, Desc: o.Desc})
	}
	q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: "id"}, Desc: o.Desc})
	files, total, err := query.ListFiltered[model.PackageFile](q, p)
	if err != nil {
		return nil, total, err
	}
	var ids []int64
	for _, f := range files {
		if f.PipelineID != nil {
			ids = append(ids, *f.PipelineID)
		}
	}
	pipelines, err := s.pipelinesByID(ctx, ids)
	rows := make([]model.PackageFileRow, len(files))
	for i, f := range files {
		rows[i].File = f
		if f.PipelineID != nil {
			rows[i].Pipeline = pipelines[*f.PipelineID]
		}
	}
	return rows, total, err
}

// OfPackages returns the files of packages, the oldest first.
func (s PackageFiles) OfPackages(ctx context.Context, packageIDs []int64) ([]model.PackageFile, error) {
	if len(packageIDs) == 0 {
		return nil, nil
	}
	rows, err := query.Find[model.PackageFile](s.db.Read(ctx).Where("package_id IN ?", packageIDs).Order("id"), 0)
	return rows, query.Translate(err)
}

// Get returns a file of a package.
func (s PackageFiles) Get(ctx context.Context, packageID, id int64) (model.PackageFile, error) {
	return query.Take[model.PackageFile](s.db.Read(ctx).Where("id = ? AND package_id = ?", id, packageID), packageFile)
}

// Newest returns the newest file of a package with a name.
func (s PackageFiles) Newest(ctx context.Context, packageID int64, name string) (model.PackageFile, error) {
	return query.Take[model.PackageFile](
		s.db.Read(ctx).Where("package_id = ? AND file_name = ?", packageID, name).Order("id DESC"), packageFile,
	)
}

// PackageFileQuery names a file that a client looks for. Fields that are not set match everything.
type PackageFileQuery struct {
	Type       string
	SearchName string
	Version    *string
	FileName   string
	SHA256     string
}

// Find returns the newest file that matches, in the projects of a scope, and its package.
func (s PackageFiles) Find(ctx context.Context, in PackageScope, q PackageFileQuery) (model.Package, model.PackageFile, error) {
	found := in.narrow(s.db.Read(ctx).Select("package_files.*").
		Joins("JOIN packages ON packages.id = package_files.package_id").
		Where("packages.package_type = ?", q.Type)).Where("package_files.file_name = ?", q.FileName)
	if q.SearchName != "" {
		found = found.Where("packages.search_name = ?", q.SearchName)
	}
	if q.Version != nil {
		found = found.Where("coalesce(packages.version, '') = ?", *q.Version)
	}
	if q.SHA256 != "" {
		found = found.Where("package_files.file_sha256 = ?", q.SHA256)
	}
	file, err := query.Take[model.PackageFile](found.Order("package_files.id DESC"), packageFile)
	if err != nil {
		return model.Package{}, file, err
	}
	row, err := query.Take[model.Package](s.db.Read(ctx).Where("id = ?", file.PackageID), packageResource)
	return row, file, err
}

// Delete removes a file of a package, unless it was changed after the given time. The row is deleted at once, the data
// soon after.
func (s PackageFiles) Delete(ctx context.Context, f model.PackageFile, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, f, packageFile, unchangedSince)
}
