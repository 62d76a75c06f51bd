package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

const releaseLink = "Release link"

// Create adds a release with its links and milestones. A second release of a tag, or a second link with the same name,
// URL or path, is a *ConflictError. The caller has a transaction.
func (s Releases) Create(ctx context.Context, r *model.Release, links []model.ReleaseLink, milestones []int64) error {
	if err := s.db.Write(ctx).Create(r).Error; err != nil {
		return query.Translate(err)
	}
	for i := range links {
		links[i].ReleaseID = r.ID
	}
	if len(links) > 0 {
		if err := s.db.Write(ctx).Create(&links).Error; err != nil {
			return query.Translate(err)
		}
	}
	return s.addMilestones(ctx, r.ID, milestones)
}

// Update changes columns of a release. Unless it is nil, milestones replaces the milestones of the release. The caller
// has a transaction.
func (s Releases) Update(ctx context.Context, id int64, set map[string]any, milestones *[]int64) error {
	set["updated_at"] = s.now()
	err := s.db.Write(ctx).Model(&model.Release{}).Where("id = ?", id).UpdateColumns(set).Error
	if err != nil || milestones == nil {
		return query.Translate(err)
	}
	if err := s.db.Write(ctx).Where("release_id = ?", id).Delete(&model.ReleaseMilestone{}).Error; err != nil {
		return query.Translate(err)
	}
	return s.addMilestones(ctx, id, *milestones)
}

func (s Releases) addMilestones(ctx context.Context, id int64, milestones []int64) error {
	if len(milestones) == 0 {
		return nil
	}
	rows := make([]model.ReleaseMilestone, len(milestones))
	for i, milestone := range milestones {
		rows[i] = model.ReleaseMilestone{ReleaseID: id, MilestoneID: milestone}
	}
	return query.Translate(s.db.Write(ctx).Create(&rows).Error)
}

// Delete removes a release with its links, unless it was changed after the given time. The tag stays.
func (s Releases) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.Release](ctx, s.db, release, unchangedSince, "id = ?", id)
}

// GetLink returns a link of a release.
func (s Releases) GetLink(ctx context.Context, releaseID, id int64) (model.ReleaseLink, error) {
	q := s.db.Read(ctx).Where("release_id = ? AND id = ?", releaseID, id)
	return query.Take[model.ReleaseLink](q, releaseLink)
}

// LinkByPath returns the link of a tag's release that has a file path. The path begins with a slash.
func (s Releases) LinkByPath(ctx context.Context, projectID int64, tag, path string) (model.ReleaseLink, error) {
	q := s.db.Read(ctx).Where("filepath = ? AND release_id = (SELECT id FROM releases WHERE project_id = ? AND tag = ?)",
		path, projectID, tag)
	return query.Take[model.ReleaseLink](q, releaseLink)
}

// CreateLink adds a link to a release. The name, the URL and the path must be new in the release, else the error is a
// *ConflictError.
func (s Releases) CreateLink(ctx context.Context, l *model.ReleaseLink) error {
	return query.Translate(s.db.Write(ctx).Create(l).Error)
}

// UpdateLink replaces the values of a link.
func (s Releases) UpdateLink(ctx context.Context, l *model.ReleaseLink) error {
	l.UpdatedAt = s.now()
	return query.Translate(s.db.Write(ctx).Model(&model.ReleaseLink{}).Where("id = ?", l.ID).UpdateColumns(map[string]any{
		"name": l.Name, "url": l.URL, "filepath": l.FilePath, "link_type": l.LinkType, "updated_at": l.UpdatedAt,
	}).Error)
}

// DeleteLink removes a link of a release, unless it was changed after the given time.
func (s Releases) DeleteLink(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.ReleaseLink](ctx, s.db, releaseLink, unchangedSince, "id = ?", id)
}
