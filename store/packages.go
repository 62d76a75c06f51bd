package store

import (
	"context"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Packages holds the packages of projects.
type Packages struct{ *base }

const packageResource = "Package"

// PackageFilter narrows and orders a list of packages.
type PackageFilter struct {
	Type        string // empty for all
	Name        string // part of the name, ignoring case
	Version     string
	Statuses    []string
	Versionless bool   // also packages without a version
	OrderBy     string // created_at, name, version, type or project_path
	Desc        bool
}

// packageOrders maps the orders of the API to columns.
var packageOrders = map[string]string{
	"created_at": "packages.created_at", "name": "packages.name", "version": "packages.version",
	"type": "packages.package_type", "project_path": "projects.full_path",
}

// shown selects packages with the paths of their projects.
func (s Packages) shown(ctx context.Context) *gorm.DB {
	return s.db.Read(ctx).Table("packages").Select("packages.*, projects.full_path AS project_path").
		Joins("JOIN projects ON projects.id = packages.project_id")
}

// List returns one page of packages, with their tags and newest pipelines.
func (s Packages) List(ctx context.Context, in PackageScope, f PackageFilter, p Page) ([]model.PackageRow, Total, error) {
	q := in.narrow(s.shown(ctx)).Where("packages.status IN ?", f.Statuses)
	if f.Type != "" {
		q = q.Where("packages.package_type = ?", f.Type)
	}
	if f.Name != "" {
		q = q.Where(`lower(packages.name) LIKE ? ESCAPE '\'`, "%"+likeEscaper.Replace(strings.ToLower(f.Name))+"%")
	}
	if f.Version != "" {
		q = q.Where("packages.version = ?", f.Version)
	}
	if !f.Versionless {
		q = q.Where("packages.version IS NOT NULL")
	}
	column := packageOrders[f.OrderBy]
	if column == "" {
		column = packageOrders["created_at"]
	}
	q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: column, Raw: true}, Desc: f.Desc}).
		Order(clause.OrderByColumn{Column: clause.Column{Name: "packages.id", Raw: true}, Desc: f.Desc})
	rows, total, err := query.ListFiltered[model.PackageRow](q, p)
	if err != nil {
		return nil, total, err
	}
	return rows, total, s.addParts(ctx, rows)
}

// Get returns a package of a project, with its tags and newest pipeline.
func (s Packages) Get(ctx context.Context, projectID, id int64) (model.PackageRow, error) {
	row, err := query.Take[model.PackageRow](
		s.shown(ctx).Where("packages.id = ? AND packages.project_id = ?", id, projectID), packageResource,
	)
	if err != nil {
		return row, err
	}
	rows := []model.PackageRow{row}
	err = s.addParts(ctx, rows)
	return rows[0], err
}

// OtherVersions returns at most the given number of other versions of a package, the newest first, with their tags and
// newest pipelines.
func (s Packages) OtherVersions(ctx context.Context, p model.Package, most int) ([]model.PackageRow, error) {
	rows, err := query.Find[model.PackageRow](
		s.shown(ctx).Where("packages.project_id = ? AND packages.package_type = ? AND packages.name = ? AND packages.id <> ?",
			p.ProjectID, p.PackageType, p.Name, p.ID).
			Where("packages.version IS NOT NULL AND packages.status IN ?", []string{model.PackageDefault, model.PackageDeprecated}).
			Order("packages.id DESC").Limit(most), most,
	)
	if err != nil {
		return nil, query.Translate(err)
	}
	return rows, s.addParts(ctx, rows)
}

// GetVersion returns the package of a project with a type, name and version. A package without a version has the version "".
func (s Packages) GetVersion(ctx context.Context, projectID int64, kind, name, version string) (model.Package, error) {
	return query.Take[model.Package](
		s.db.Read(ctx).Where(sameVersion, projectID, kind, name, version), packageResource,
	)
}

// sameVersion is the condition of the unique index of packages.
const sameVersion = "project_id = ? AND package_type = ? AND name = ? AND coalesce(version, '') = ?"

// ListByName returns the packages that a client finds by a name, the oldest first, at most the given number.
func (s Packages) ListByName(ctx context.Context, in PackageScope, kind, searchName string, most int) ([]model.Package, error) {
	q := in.narrow(s.db.Read(ctx).Select("packages.*").
		Where("packages.package_type = ? AND packages.search_name = ?", kind, searchName)).
		Order("packages.id DESC").Limit(most)
	rows, err := query.Find[model.Package](q, 0)
	return rows, query.Translate(err)
}

// Names returns the names of the packages of a type, at most the given number.
func (s Packages) Names(ctx context.Context, in PackageScope, kind string, most int) ([]string, error) {
	var names []string
	q := in.narrow(s.db.Read(ctx).Model(&model.Package{}).Where("packages.package_type = ?", kind)).
		Where("packages.status IN ?", []string{model.PackageDefault, model.PackageDeprecated})
	err := q.Distinct().Order("packages.search_name").Limit(most).Pluck("packages.search_name", &names).Error
	return names, query.Translate(err)
}

// Delete removes a package with its files, unless it was changed after the given time. The rows are deleted at once, the
// data soon after.
func (s Packages) Delete(ctx context.Context, p model.Package, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, p, packageResource, unchangedSince)
}

// SetDownloaded stores when a package was last downloaded.
func (s Packages) SetDownloaded(ctx context.Context, id int64, at time.Time) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Package{}).Where("id = ?", id).
		UpdateColumn("last_downloaded_at", at).Error)
}

// Update changes columns of a package.
func (s Packages) Update(ctx context.Context, id int64, set map[string]any) error {
	set["updated_at"] = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.Package{}).Where("id = ?", id).UpdateColumns(set).Error)
}
