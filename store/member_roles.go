package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// MemberRoles holds the custom roles of the instance and of groups.
type MemberRoles struct{ *base }

const memberRole = "Member Role"

// of selects the roles of a group or, for nil, of the instance.
func (s MemberRoles) of(ctx context.Context, groupID *int64) *gorm.DB {
	if groupID == nil {
		return s.db.Read(ctx).Where("group_id IS NULL")
	}
	return s.db.Read(ctx).Where("group_id = ?", *groupID)
}

// List returns one page of the roles of a group or, for nil, of the instance, in the order of creation.
func (s MemberRoles) List(ctx context.Context, groupID *int64, p Page) ([]model.MemberRole, Total, error) {
	return query.List[model.MemberRole](s.of(ctx, groupID).Order("id"), p)
}

// Get returns a role of a group or, for nil, of the instance.
func (s MemberRoles) Get(ctx context.Context, groupID *int64, id int64) (model.MemberRole, error) {
	return query.Take[model.MemberRole](s.of(ctx, groupID).Where("id = ?", id), memberRole)
}

// Usable returns a role that members of a group or project can have: one of the instance, or of a group above the place. The
// namespace is the group, or that of the project.
func (s MemberRoles) Usable(ctx context.Context, namespaceID, id int64) (model.MemberRole, error) {
	return query.Take[model.MemberRole](s.db.Read(ctx).Where("id = ?", id).
		Where("(group_id IS NULL OR group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?))", namespaceID),
		memberRole)
}

// ByID returns roles by their IDs.
func (s MemberRoles) ByID(ctx context.Context, ids []int64) (map[int64]model.MemberRole, error) {
	found := map[int64]model.MemberRole{}
	if len(ids) == 0 {
		return found, nil
	}
	rows, err := query.Find[model.MemberRole](s.db.Read(ctx).Where("id IN ?", ids), len(ids))
	for _, row := range rows {
		found[row.ID] = row
	}
	return found, query.Translate(err)
}

// Create adds a role. It returns a *ConflictError if there is one with this name.
func (s MemberRoles) Create(ctx context.Context, row *model.MemberRole) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// InUse reports whether a member has a role.
func (s MemberRoles) InUse(ctx context.Context, id int64) (used bool, err error) {
	err = query.ScanFirst(s.db.Read(ctx).Raw("SELECT EXISTS (SELECT 1 FROM members WHERE member_role_id = ?)", id), &used)
	return used, query.Translate(err)
}

// Delete removes a role, unless it was changed after the given time.
func (s MemberRoles) Delete(ctx context.Context, row model.MemberRole, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, memberRole, unchangedSince)
}

// HeldIn returns the roles that a user has as a member of a group, of the groups above it and, unless 0, of a project in it.
func (s MemberRoles) HeldIn(ctx context.Context, namespaceID, projectID, userID int64) ([]model.MemberRole, error) {
	rows, err := query.Find[model.MemberRole](s.db.Read(ctx).Where(`id IN (SELECT m.member_role_id FROM members m
 WHERE m.user_id = ? AND m.member_role_id IS NOT NULL AND (m.expires_at IS NULL OR m.expires_at > ?)
   AND (m.source_type = 'Project' AND m.source_id = ? OR m.source_type = 'Namespace'
     AND m.source_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?)))`,
		userID, s.today(), projectID, namespaceID).Order("id"), 0)
	return rows, query.Translate(err)
}
