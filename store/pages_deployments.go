package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// PagesDeployments holds the Pages sites that projects publish.
type PagesDeployments struct{ *base }

const pagesDeployment = "Pages"

// Get returns the site of a project.
func (s PagesDeployments) Get(ctx context.Context, projectID int64) (model.PagesDeployment, error) {
	return query.Take[model.PagesDeployment](s.db.Read(ctx).Where("project_id = ?", projectID), pagesDeployment)
}

// Publish makes d the site of its project. The file must have been announced (see BlobRemoval). It returns false if a
// job with the same or a higher id has already published. If the project does not exist, it returns a *NotFoundError.
func (s PagesDeployments) Publish(ctx context.Context, d *model.PagesDeployment) (published bool, err error) {
	err = s.Tx(ctx, func(ctx context.Context) error {
		if err := s.db.Write(ctx).Where("project_id = ? AND job_id < ?", d.ProjectID, d.JobID).
			Delete(&model.PagesDeployment{}).Error; err != nil {
			return query.Translate(err)
		}
		rows, err := query.Find[model.PagesDeployment](s.db.Write(ctx).Where("project_id = ?", d.ProjectID), 1)
		if err != nil || len(rows) > 0 {
			return query.Translate(err) // the announced removal deletes the file later
		}
		if err := s.db.Write(ctx).Where("key = ?", d.Key).Delete(&model.BlobRemoval{}).Error; err != nil {
			return query.Translate(err)
		}
		if err := s.db.Write(ctx).Create(d).Error; err != nil {
			if query.IsGone(err) {
				return &NotFoundError{Resource: project}
			}
			return query.Translate(err)
		}
		published = true
		return nil
	})
	return published && err == nil, err
}

// Delete removes the site of a project, unless it was published after the given time.
func (s PagesDeployments) Delete(ctx context.Context, projectID int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.PagesDeployment](ctx, s.db, pagesDeployment, unchangedSince, "project_id = ?", projectID)
}

// siteColumns needs the tables of siteTables, and the time as its parameter.
const siteColumns = "SELECT d.project_id, p.full_path, p.visibility, p.pages_access_level, d.key, d.packed_size, d.created_at, " +
	"(s.unique_domain IS NOT NULL AND NOT s.unique_domain) AS not_unique, COALESCE(m.domain, '') AS primary_domain, " +
	"(m.certificate IS NOT NULL AND m.certificate_until > ?) AS primary_secure, "

// siteTables joins a site with its settings and its primary domain, if that is enabled at the time of the parameter.
const siteTables = " JOIN pages_deployments d ON d.project_id = p.id LEFT JOIN pages_settings s ON s.project_id = p.id " +
	"LEFT JOIN pages_domains m ON m.id = s.primary_domain_id AND m.enabled_until > ? "

// AtPaths returns the sites of the projects with these full paths at the given time. The paths must be in lower case.
func (s PagesDeployments) AtPaths(ctx context.Context, paths []string, at time.Time) ([]model.PagesSite, error) {
	return s.sites(s.db.Read(ctx).Raw(
		siteColumns+"false AS secure FROM projects p"+siteTables+"WHERE lower(p.full_path) IN ?", at, at, paths,
	), len(paths))
}

// AtDomain returns the site that is served under a custom domain at the given time, or a *NotFoundError.
func (s PagesDeployments) AtDomain(ctx context.Context, domain string, at time.Time) (model.PagesSite, error) {
	rows, err := s.sites(s.db.Read(ctx).
		Raw(siteColumns+"(n.certificate IS NOT NULL AND n.certificate_until > ?) AS secure FROM pages_domains n "+
			"JOIN projects p ON p.id = n.project_id"+siteTables+"WHERE n.domain = ? AND n.enabled_until > ?",
			at, at, at, domain, at), 1)
	if err == nil && len(rows) == 0 {
		err = &NotFoundError{Resource: pagesDeployment}
	}
	if err != nil {
		return model.PagesSite{}, err
	}
	return rows[0], nil
}

func (s PagesDeployments) sites(q *gorm.DB, expected int) ([]model.PagesSite, error) {
	rows, err := query.Find[model.PagesSite](q, expected)
	return rows, query.Translate(err)
}

// Keys returns those of the given blob keys that belong to sites.
func (s PagesDeployments) Keys(ctx context.Context, keys []string) ([]string, error) {
	var found []string
	if len(keys) == 0 {
		return nil, nil
	}
	err := s.db.Read(ctx).Model(&model.PagesDeployment{}).Where("key IN ?", keys).Pluck("key", &found).Error
	return found, query.Translate(err)
}

// AtProject returns the site of a project at the given time, or a *NotFoundError.
func (s PagesDeployments) AtProject(ctx context.Context, id int64, at time.Time) (model.PagesSite, error) {
	rows, err := s.sites(s.db.Read(ctx).Raw(
		siteColumns+"false AS secure FROM projects p"+siteTables+"WHERE p.id = ?", at, at, id,
	), 1)
	if err == nil && len(rows) == 0 {
		err = &NotFoundError{Resource: pagesDeployment}
	}
	if err != nil {
		return model.PagesSite{}, err
	}
	return rows[0], nil
}
