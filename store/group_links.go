package store

import (
	"context"
	"time"

	"svc/store/model"
)

// GroupLinks are groups that are shared with other groups.
type GroupLinks struct{ *base }

const groupLink = "Group Link"

// OutsideHierarchyError is a sharing that the topmost group does not allow.
type OutsideHierarchyError struct{}

func (*OutsideHierarchyError) Error() string { return "sharing outside the hierarchy is prevented" }

// Create shares a group with another; a *ConflictError when it is, an *OutsideHierarchyError when it may not be.
func (s GroupLinks) Create(ctx context.Context, l *model.GroupLink) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		// The setting and the places of both groups must not change meanwhile.
		if err := s.lock(ctx, "namespaces"); err != nil {
			return err
		}
		if err := s.checkHierarchy(ctx, l.GroupID, l.SharedWithGroupID); err != nil {
			return err
		}
		// One that is over but not yet cleared away is not there any more.
		over := s.write(ctx).Where("group_id = ? AND shared_with_group_id = ? AND expires_at <= ?", l.GroupID, l.SharedWithGroupID, today())
		if err := over.Delete(&model.GroupLink{}).Error; err != nil {
			return translate(err)
		}
		return translate(s.write(ctx).Create(l).Error)
	})
}

// checkHierarchy refuses a group outside the hierarchy of one whose topmost group keeps sharing inside.
func (s GroupLinks) checkHierarchy(ctx context.Context, groupID, otherID int64) error {
	var prevented int64
	err := one(s.read(ctx).Raw("SELECT count(*) FROM namespaces top JOIN namespace_ancestors a ON a.ancestor_id = top.id "+
		"WHERE a.descendant_id = ? AND top.parent_id IS NULL AND top.prevent_sharing_outside_hierarchy "+
		"AND NOT EXISTS (SELECT 1 FROM namespace_ancestors b WHERE b.ancestor_id = top.id AND b.descendant_id = ?)", groupID, otherID), &prevented)
	if err == nil && prevented > 0 {
		return &OutsideHierarchyError{}
	}
	return translate(err)
}

// Delete ends the sharing of a group with another, unless it was changed after the given time.
func (s GroupLinks) Delete(ctx context.Context, groupID, otherID int64, unchangedSince *time.Time) error {
	return deleteWhere[model.GroupLink](ctx, s.base, groupLink, unchangedSince,
		"group_id = ? AND shared_with_group_id = ? AND (expires_at IS NULL OR expires_at > ?)", groupID, otherID, today())
}

// ListByGroup returns the groups that a group is shared with, those that the reader sees, in the order of sharing.
func (s GroupLinks) ListByGroup(ctx context.Context, groupID int64, r *Reader) ([]model.GroupShare, error) {
	q := Namespaces(s).groups(ctx, GroupFilter{}, r).Table("namespaces").
		Select("id AS group_id, name, full_path, link_level AS access_level, link_ends AS expires_at").
		Joins("JOIN (SELECT id AS link_id, shared_with_group_id AS link_to, access_level AS link_level, expires_at AS link_ends "+
			"FROM group_links WHERE group_id = ? AND (expires_at IS NULL OR expires_at > ?)) AS link ON link_to = namespaces.id", groupID, today()).
		Order("link_id")
	rows, err := find[model.GroupShare](q, 0)
	return rows, translate(err)
}

// DeleteExpired ends the sharing whose day has come and tells how many.
func (s GroupLinks) DeleteExpired(ctx context.Context, before time.Time) (int64, error) {
	res := s.write(ctx).Where("expires_at <= ?", before.UTC().Truncate(24*time.Hour)).Delete(&model.GroupLink{})
	return res.RowsAffected, translate(res.Error)
}
