package store

import (
	"context"

	"svc/store/model"
)

// ListTransferLocations returns one page of the groups that a group can be moved into, ordered by name: groups in which
// the reader may create subgroups, except the group itself, the groups below it and its parent.
func (s Namespaces) ListTransferLocations(
	ctx context.Context, g model.Namespace, f GroupFilter, r Reader, w Page,
) ([]model.Namespace, Total, error) {
	q := s.groups(ctx, f, &r).
		Where("id NOT IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)", g.ID)
	if g.ParentID != nil {
		q = q.Where("id <> ?", *g.ParentID)
	}
	if !r.Admin {
		with := "id IN (SELECT group_id FROM (" + rolesInGroups + ") AS roles WHERE level >= ?)"
		day := s.today()
		owner, maintainer := append(rolesArgs(r.UserID, day), model.Owner), append(rolesArgs(r.UserID, day), model.Maintainer)
		q = q.Where("("+with+" OR (subgroup_creation_level = 'maintainer' AND "+with+"))", append(owner, maintainer...)...)
	}
	return byName(q, w)
}
