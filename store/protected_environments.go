package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// ProtectedEnvironments holds the environments to which only some users deploy.
type ProtectedEnvironments struct{ *base }

const protectedEnvironment = "Protected Environment"

// ProtectionOwner is the project or group that protects environments.
type ProtectionOwner struct{ ProjectID, GroupID *int64 }

func (s ProtectedEnvironments) of(ctx context.Context, o ProtectionOwner) *gorm.DB {
	if o.ProjectID != nil {
		return s.db.Read(ctx).Where("project_id = ?", *o.ProjectID)
	}
	return s.db.Read(ctx).Where("group_id = ?", *o.GroupID)
}

// List returns one page of the protected environments of a project or group, ordered by name.
func (s ProtectedEnvironments) List(ctx context.Context, o ProtectionOwner, p Page) ([]model.ProtectedEnvironment, Total, error) {
	return query.List[model.ProtectedEnvironment](s.of(ctx, o).Order("name"), p)
}

// Get returns the protected environment of a project or group with this name.
func (s ProtectedEnvironments) Get(ctx context.Context, o ProtectionOwner, name string) (model.ProtectedEnvironment, error) {
	return query.Take[model.ProtectedEnvironment](s.of(ctx, o).Where("name = ?", name), protectedEnvironment)
}

// For returns the protections that may apply to environments of a project: those of the project with these names, and all of
// the groups above it.
func (s ProtectedEnvironments) For(ctx context.Context, projectID int64, names []string) ([]model.ProtectedEnvironment, error) {
	rows, err := query.Find[model.ProtectedEnvironment](s.db.Read(ctx).Where(`project_id = ? AND name IN ?
 OR group_id IN (SELECT a.ancestor_id FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id WHERE p.id = ?)`,
		projectID, names, projectID).Order("id"), 0)
	return rows, query.Translate(err)
}

// Rules returns the rules of protected environments, in the order of creation.
func (s ProtectedEnvironments) Rules(ctx context.Context, ids []int64) (map[int64][]model.ProtectedEnvironmentRule, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := query.Find[model.ProtectedEnvironmentRule](
		s.db.Read(ctx).Where("protected_environment_id IN ?", ids).Order("id"), 0,
	)
	return groupBy(rows, func(r model.ProtectedEnvironmentRule) int64 { return r.ProtectedEnvironmentID }), query.Translate(err)
}

// Create adds a protected environment. It returns a *ConflictError if there is one with that name.
func (s ProtectedEnvironments) Create(ctx context.Context, row *model.ProtectedEnvironment) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// Save stores a changed protected environment.
func (s ProtectedEnvironments) Save(ctx context.Context, row *model.ProtectedEnvironment) error {
	return query.Translate(s.db.Write(ctx).Save(row).Error)
}

// SaveRules stores the new and the changed rules, and removes others, by ID. It returns a *NotFoundError if the user or group
// of a rule does not exist.
func (s ProtectedEnvironments) SaveRules(ctx context.Context, rows []model.ProtectedEnvironmentRule, removed []int64) error {
	for i := range rows {
		err := s.db.Write(ctx).Save(&rows[i]).Error
		if query.IsGone(err) {
			return &NotFoundError{Resource: protectedEnvironment}
		}
		if err != nil {
			return query.Translate(err)
		}
	}
	if len(removed) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Where("id IN ?", removed).Delete(&model.ProtectedEnvironmentRule{}).Error)
}

// Delete removes a protected environment, unless it was changed after the given time.
func (s ProtectedEnvironments) Delete(ctx context.Context, row model.ProtectedEnvironment, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, protectedEnvironment, unchangedSince)
}

// GroupMembership is a membership in a group or in a group above it.
type GroupMembership struct {
	GroupID int64
	UserID  int64
	Depth   int64 // 0: direct
}

// MembershipsIn returns the memberships of users in groups and in the groups above them.
func (s Members) MembershipsIn(ctx context.Context, groupIDs, userIDs []int64) ([]GroupMembership, error) {
	if len(groupIDs) == 0 || len(userIDs) == 0 {
		return nil, nil
	}
	rows, err := query.Find[GroupMembership](s.db.Read(ctx).Raw(
		"SELECT a.descendant_id AS group_id, m.user_id, min(a.depth) AS depth FROM namespace_ancestors a "+
			"JOIN members m ON m.source_id = a.ancestor_id WHERE a.descendant_id IN ? AND m.source_type = ? AND m.user_id IN ? "+
			"AND m.access_level >= ? AND (m.expires_at IS NULL OR m.expires_at > ?) GROUP BY a.descendant_id, m.user_id",
		groupIDs, model.SourceGroup, userIDs, model.Guest, s.today()), 0)
	return rows, query.Translate(err)
}

// GroupsOfProject returns, out of the given groups, those that a project belongs to, and those that it or one of the groups
// above it is shared with.
func (s Projects) GroupsOfProject(ctx context.Context, projectID int64, groupIDs []int64) (map[int64]bool, error) {
	const above = "SELECT a.ancestor_id FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id WHERE p.id = ?"
	day := s.today()
	return among(groupIDs, func(some []int64) (ids []int64, err error) {
		q := s.db.Read(ctx).Table("namespaces").Where("id IN ? AND kind = 'group'", some).Where("(id IN ("+above+
			") OR id IN (SELECT group_id FROM project_links WHERE project_id = ? AND (expires_at IS NULL OR expires_at > ?))"+
			" OR id IN (SELECT shared_with_group_id FROM group_links WHERE group_id IN ("+above+
			") AND (expires_at IS NULL OR expires_at > ?)))", projectID, projectID, day, projectID, day)
		return ids, query.Translate(q.Pluck("id", &ids).Error)
	})
}

// GroupsOfGroup returns, out of the given groups, a group itself, those below and above it, and those that it or one of the
// groups above it is shared with.
func (s Namespaces) GroupsOfGroup(ctx context.Context, groupID int64, groupIDs []int64) (map[int64]bool, error) {
	const above = "SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?"
	return among(groupIDs, func(some []int64) (ids []int64, err error) {
		q := s.db.Read(ctx).Table("namespaces").Where("id IN ? AND kind = 'group'", some).Where("(id IN ("+above+
			") OR id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)"+
			" OR id IN (SELECT shared_with_group_id FROM group_links WHERE group_id IN ("+above+
			") AND (expires_at IS NULL OR expires_at > ?)))", groupID, groupID, groupID, s.today())
		return ids, query.Translate(q.Pluck("id", &ids).Error)
	})
}
