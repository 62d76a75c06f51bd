package store

import (
	"context"
	"time"

	"svc/store/model"
)

// ProjectLinks are projects that are shared with groups.
type ProjectLinks struct{ *base }

// ListByProject returns the groups that a project is shared with, those that the reader sees, in the order of sharing.
func (s ProjectLinks) ListByProject(ctx context.Context, projectID int64, r *Reader) ([]model.GroupShare, error) {
	q := Namespaces(s).groups(ctx, GroupFilter{}, r).Table("namespaces").
		Select("id AS group_id, name, full_path, link_level AS access_level, link_ends AS expires_at").
		Joins("JOIN (SELECT id AS link_id, group_id AS link_to, access_level AS link_level, expires_at AS link_ends "+
			"FROM project_links WHERE project_id = ? AND (expires_at IS NULL OR expires_at > ?)) AS link ON link_to = namespaces.id", projectID, today()).
		Order("link_id")
	rows, err := find[model.GroupShare](q, 0)
	return rows, translate(err)
}

// DeleteExpired ends the sharing whose day has come and tells how many.
func (s ProjectLinks) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.write(ctx).Where("expires_at <= ?", before.UTC().Truncate(24*time.Hour)).Delete(&model.ProjectLink{})
	return res.RowsAffected, translate(res.Error)
}

// Create shares a project with a group; a *ConflictError when it is.
func (s ProjectLinks) Create(ctx context.Context, l *model.ProjectLink) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// One that is over but not yet cleared away is not there any more.
		over := s.write(ctx).Where("project_id = ? AND group_id = ? AND expires_at <= ?", l.ProjectID, l.GroupID, today())
		if err := over.Delete(&model.ProjectLink{}).Error; err != nil {
			return translate(err)
		}
		return translate(s.write(ctx).Create(l).Error)
	})
}
