package store

import (
	"context"
	"time"

	"svc/store/model"
)

// PagesDomains are the names under which the sites of projects are found.
type PagesDomains struct{ *base }

const pagesDomain = "PagesDomain"

// All returns one page of all names in the order of their creation, or of the one that is asked for.
func (s PagesDomains) All(ctx context.Context, domain string, p Page) ([]model.PagesDomain, Total, error) {
	q := s.read(ctx).Order("id")
	if domain != "" {
		q = q.Where("domain = ?", domain)
	}
	return list[model.PagesDomain](q, p)
}

// List returns one page of the names of a project in the order of their creation.
func (s PagesDomains) List(ctx context.Context, projectID int64, p Page) ([]model.PagesDomain, Total, error) {
	return list[model.PagesDomain](s.read(ctx).Where("project_id = ?", projectID).Order("id"), p)
}

// Get is a name of a project.
func (s PagesDomains) Get(ctx context.Context, projectID int64, domain string) (model.PagesDomain, error) {
	return take[model.PagesDomain](s.read(ctx).Where("project_id = ? AND domain = ?", projectID, domain), pagesDomain)
}

// Create adds a name; a *ConflictError when any project has it.
func (s PagesDomains) Create(ctx context.Context, d *model.PagesDomain) error {
	return translate(s.write(ctx).Create(d).Error)
}

// Update changes the given columns of a name and returns it as it is then.
func (s PagesDomains) Update(ctx context.Context, d model.PagesDomain, set map[string]any) (model.PagesDomain, error) {
	if len(set) > 0 {
		if err := s.write(ctx).Model(&model.PagesDomain{}).Where("id = ?", d.ID).Updates(set).Error; err != nil {
			return d, translate(err)
		}
	}
	return take[model.PagesDomain](s.write(ctx).Where("id = ?", d.ID), pagesDomain)
}

// Delete removes a name.
func (s PagesDomains) Delete(ctx context.Context, d model.PagesDomain) error {
	return deleteOne(ctx, s.base, d, pagesDomain, nil)
}

// Due returns some names whose proof was looked for longest ago, before a time.
func (s PagesDomains) Due(ctx context.Context, before time.Time, most int) ([]model.PagesDomain, error) {
	rows, err := find[model.PagesDomain](s.read(ctx).Where("looked_at IS NULL OR looked_at < ?", before).Order("looked_at").Limit(most), most)
	return rows, translate(err)
}
