package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

const (
	groupsAround  = "id IN (SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id = ?)"
	groupsInvited = "id IN (SELECT group_id FROM project_links WHERE project_id = ? AND access_level >= ? AND " +
		"(expires_at IS NULL OR expires_at > ?))"
)

// ListGroupsAround returns one page of the ancestor groups of a project that the reader can see, ordered by name. If
// shared is set, it also includes the groups that the project is shared with, with at least that role.
func (s Projects) ListGroupsAround(
	ctx context.Context, p model.Project, f GroupFilter, shared *model.Access, r *Reader, w Page,
) ([]model.Namespace, Total, error) {
	q := Namespaces(s).groups(ctx, f, r)
	if shared != nil {
		q = q.Where("("+groupsAround+" OR "+groupsInvited+")", p.NamespaceID, p.ID, *shared, s.today())
	} else {
		q = q.Where(groupsAround, p.NamespaceID)
	}
	return byName(q, w)
}

// ListGroupsInvited returns one page of the groups that a project is shared with and that the reader can see, ordered
// by name.
func (s Projects) ListGroupsInvited(
	ctx context.Context, p model.Project, f GroupFilter, r *Reader, w Page,
) ([]model.Namespace, Total, error) {
	return byName(Namespaces(s).groups(ctx, f, r).Where(groupsInvited, p.ID, model.NoAccess, s.today()), w)
}

// ListShareLocations returns one page of the groups that a project can be shared with, ordered by name: groups in which
// the reader has a role, or any group for administrators.
func (s Projects) ListShareLocations(
	ctx context.Context, p model.Project, f GroupFilter, r Reader, w Page,
) ([]model.Namespace, Total, error) {
	f.MemberOnly = !r.Admin
	q := Namespaces(s).groups(ctx, f, &r).Where("NOT "+groupsAround, p.NamespaceID).
		Where("NOT "+groupsInvited, p.ID, model.NoAccess, s.today()).
		Where("NOT EXISTS (SELECT 1 FROM namespace_ancestors a JOIN namespaces n ON n.id = a.ancestor_id WHERE "+
			"a.descendant_id = ? AND n.share_with_group_lock)",
			p.NamespaceID).
		Where("NOT EXISTS (SELECT 1 FROM namespaces top JOIN namespace_ancestors a ON a.ancestor_id = top.id "+
			"WHERE a.descendant_id = ? AND top.parent_id IS NULL AND top.prevent_sharing_outside_hierarchy "+
			"AND NOT EXISTS (SELECT 1 FROM namespace_ancestors b WHERE b.ancestor_id = top.id AND b.descendant_id = namespaces.id))",
			p.NamespaceID)
	return byName(q, w)
}

// ListTransferLocations returns one page of the groups that a project can be moved into, ordered by name: groups in
// which the reader may create projects, except the current one.
func (s Projects) ListTransferLocations(
	ctx context.Context, p model.Project, f GroupFilter, r Reader, w Page,
) ([]model.Namespace, Total, error) {
	return byName(Namespaces(s).forProjects(ctx, f, r).Where("id <> ?", p.NamespaceID), w)
}

// ListForProjects returns one page of the groups in which the reader may create projects, ordered by name.
func (s Namespaces) ListForProjects(ctx context.Context, f GroupFilter, r Reader, w Page) ([]model.Namespace, Total, error) {
	return byName(s.forProjects(ctx, f, r), w)
}

// forProjects selects the groups in which the reader may create projects.
func (s Namespaces) forProjects(ctx context.Context, f GroupFilter, r Reader) *gorm.DB {
	q := s.groups(ctx, f, &r)
	if !r.Admin {
		with := "id IN (SELECT group_id FROM (" + rolesInGroups + ") AS roles WHERE level >= ?)"
		day := s.today()
		developer, maintainer := append(rolesArgs(r.UserID, day), model.Developer), append(rolesArgs(r.UserID, day), model.Maintainer)
		q = q.Where("((project_creation_level = 'developer' AND "+with+") OR (project_creation_level = 'maintainer' AND "+with+"))",
			append(developer, maintainer...)...)
	}
	return q
}

func byName(q *gorm.DB, p Page) ([]model.Namespace, Total, error) {
	return query.List[model.Namespace](q.Order("name").Order("id"), p)
}
