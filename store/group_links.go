package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// GroupLinks holds the sharing of groups with other groups.
type GroupLinks struct{ *base }

const groupLink = "Group Link"

// OutsideHierarchyError says that the topmost group does not allow sharing with a group outside its hierarchy.
type OutsideHierarchyError struct{}

func (*OutsideHierarchyError) Error() string { return "sharing outside the hierarchy is prevented" }

// Create shares a group with another one. It returns a *ConflictError if they are shared already, and an
// *OutsideHierarchyError if the hierarchy does not allow it.
func (s GroupLinks) Create(ctx context.Context, l *model.GroupLink) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// The setting and the positions of both groups must not change in the meantime.
		if err := s.db.Lock(ctx, "namespaces"); err != nil {
			return err
		}
		if err := s.checkHierarchy(ctx, l.GroupID, l.SharedWithGroupID); err != nil {
			return err
		}
		// An expired link that is not deleted yet must not cause a conflict.
		over := s.db.Write(ctx).
			Where("group_id = ? AND shared_with_group_id = ? AND expires_at <= ?", l.GroupID, l.SharedWithGroupID, s.today())
		if err := over.Delete(&model.GroupLink{}).Error; err != nil {
			return query.Translate(err)
		}
		return query.Translate(s.db.Write(ctx).Create(l).Error)
	})
}

// checkHierarchy refuses sharing with a group outside the hierarchy if the topmost group prevents that.
func (s GroupLinks) checkHierarchy(ctx context.Context, groupID, otherID int64) error {
	var prevented int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT count(*) FROM namespaces top JOIN namespace_ancestors a ON a.ancestor_id = top.id "+
		"WHERE a.descendant_id = ? AND top.parent_id IS NULL AND top.prevent_sharing_outside_hierarchy "+
		"AND NOT EXISTS (SELECT 1 FROM namespace_ancestors b WHERE b.ancestor_id = top.id AND b.descendant_id = ?)",
		groupID, otherID), &prevented)
	if err == nil && prevented > 0 {
		return &OutsideHierarchyError{}
	}
	return query.Translate(err)
}

// Delete ends the sharing of a group with another, unless it was changed after the given time.
func (s GroupLinks) Delete(ctx context.Context, groupID, otherID int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.GroupLink](ctx, s.db, groupLink, unchangedSince,
		"group_id = ? AND shared_with_group_id = ? AND (expires_at IS NULL OR expires_at > ?)", groupID, otherID, s.today())
}

// ListByGroup returns the groups that a group is shared with and that the reader sees, ordered by the time of sharing.
func (s GroupLinks) ListByGroup(ctx context.Context, groupID int64, r *Reader) ([]model.GroupShare, error) {
	q := Namespaces(s).groups(ctx, GroupFilter{}, r).Table("namespaces").
		Select("id AS group_id, name, full_path, link_level AS access_level, link_ends AS expires_at").
		Joins("JOIN (SELECT id AS link_id, shared_with_group_id AS link_to, access_level AS link_level, expires_at AS link_ends "+
			"FROM group_links WHERE group_id = ? AND (expires_at IS NULL OR expires_at > ?)) AS link ON link_to = namespaces.id",
			groupID, s.today()).
		Order("link_id")
	rows, err := query.Find[model.GroupShare](q, 0)
	return rows, query.Translate(err)
}

// DeleteExpired removes the expired links and returns how many it removed.
func (s GroupLinks) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.db.Write(ctx).Where("expires_at <= ?", before.UTC().Truncate(24*time.Hour)).Delete(&model.GroupLink{})
	return res.RowsAffected, query.Translate(res.Error)
}
