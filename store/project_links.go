package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// ProjectLinks holds the shares of projects with groups.
type ProjectLinks struct{ *base }

// ListByProject returns the groups that a project is shared with and that the reader can see, in the order of sharing.
func (s ProjectLinks) ListByProject(ctx context.Context, projectID int64, r *Reader) ([]model.GroupShare, error) {
	var shared bool // few projects are
	err := s.db.Row(ctx, "SELECT EXISTS (SELECT 1 FROM project_links WHERE project_id = ?)", []any{projectID}, &shared)
	if err != nil || !shared {
		return nil, query.Translate(err)
	}
	q := Namespaces(s).groups(ctx, GroupFilter{}, r).Table("namespaces").
		Select("id AS group_id, name, full_path, link_level AS access_level, link_ends AS expires_at").
		Joins("JOIN (SELECT id AS link_id, group_id AS link_to, access_level AS link_level, expires_at AS link_ends "+
			"FROM project_links WHERE project_id = ? AND (expires_at IS NULL OR expires_at > ?)) AS link ON link_to = namespaces.id",
			projectID, s.today()).
		Order("link_id")
	rows, err := query.Find[model.GroupShare](q, 0)
	return rows, query.Translate(err)
}

// DeleteExpired removes expired shares and returns their number.
func (s ProjectLinks) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("expires_at <= ?", before.UTC().Truncate(24*time.Hour)).Delete(&model.ProjectLink{})
	return res.RowsAffected, query.Translate(res.Error)
}

// SharingLockedError means that an ancestor group of the project forbids sharing.
type SharingLockedError struct{}

func (*SharingLockedError) Error() string { return "the project cannot be shared" }

// OwnGroupError means that a project would be shared with one of its ancestor groups.
type OwnGroupError struct{}

func (*OwnGroupError) Error() string { return "the project is in the group" }

// Create shares a project with a group. It returns a *ConflictError if the project is already shared with it, and a
// *SharingLockedError, an *OutsideHierarchyError or an *OwnGroupError if sharing is not allowed.
func (s ProjectLinks) Create(ctx context.Context, l *model.ProjectLink) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// The settings and the namespaces of the project and the group must not change meanwhile.
		if err := Projects(s).lockProject(ctx, l.ProjectID); err != nil {
			return err
		}
		p, err := query.Take[model.Project](s.db.Read(ctx).Where("id = ?", l.ProjectID), project)
		if err != nil {
			return err
		}
		if err := s.check(ctx, p.NamespaceID, l.GroupID); err != nil {
			return err
		}
		// An expired share that was not deleted yet does not count.
		over := s.db.Write(ctx).Where("project_id = ? AND group_id = ? AND expires_at <= ?", l.ProjectID, l.GroupID, s.today())
		if err := over.Delete(&model.ProjectLink{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(l).Error)
	})
}

// check returns an error if the ancestor groups of a project do not allow it to be shared with a group.
func (s ProjectLinks) check(ctx context.Context, namespaceID, groupID int64) error {
	var locks, own int64
	err := query.ScanFirst(
		s.db.Read(ctx).Raw("SELECT count(CASE WHEN n.share_with_group_lock THEN 1 END), count(CASE WHEN n.id = ? THEN 1 END) "+
			"FROM namespace_ancestors a JOIN namespaces n ON n.id = a.ancestor_id WHERE a.descendant_id = ?",
			groupID, namespaceID),
		&locks,
		&own,
	)
	switch {
	case err != nil:
		return query.Translate(err)
	case own > 0:
		return &OwnGroupError{}
	case locks > 0:
		return &SharingLockedError{}
	}
	return GroupLinks(s).checkHierarchy(ctx, namespaceID, groupID)
}

// Get returns the share of a project with a group.
func (s ProjectLinks) Get(ctx context.Context, projectID, groupID int64) (model.ProjectLink, error) {
	q := s.db.Read(ctx).Where("project_id = ? AND group_id = ? AND (expires_at IS NULL OR expires_at > ?)", projectID, groupID, s.today())
	return query.Take[model.ProjectLink](q, groupLink)
}

// Delete removes a share that was read before, unless it was changed after the given time.
func (s ProjectLinks) Delete(ctx context.Context, l model.ProjectLink, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, l, groupLink, unchangedSince)
}
