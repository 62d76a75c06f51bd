package store

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Reader is the user for whom a query runs; it decides which rows they see. A nil Reader is an anonymous caller.
type Reader struct {
	UserID   int64
	Admin    bool
	External bool
}

// Role is what a reader may do in a group or project.
type Role struct {
	Access  model.Access
	Visible bool // whether the reader sees it at all
}

// The roles of a user in groups, by group: direct ones, those from groups above, and those from invited groups.
// Arguments: user, today, user, today, today.
const rolesInGroups = `
SELECT a.descendant_id AS group_id, m.access_level AS level
  FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.source_id
 WHERE m.user_id = ` + opaqueNumber + ` AND m.source_type = 'Namespace' AND (m.expires_at IS NULL OR m.expires_at > ?)
UNION ALL
SELECT a.descendant_id, CASE WHEN l.access_level < m.access_level THEN l.access_level ELSE m.access_level END
  FROM members m JOIN namespace_ancestors b ON b.ancestor_id = m.source_id
  JOIN group_links l ON l.shared_with_group_id = b.descendant_id
  JOIN namespace_ancestors a ON a.ancestor_id = l.group_id
 WHERE m.user_id = ` + opaqueNumber + ` AND m.source_type = 'Namespace' AND (m.expires_at IS NULL OR m.expires_at > ?)
   AND (l.expires_at IS NULL OR l.expires_at > ?)`

// The groups of projects that a user is a direct member of, with role 0. Arguments: user, today.
const groupsOfProjects = `
UNION ALL
SELECT p.namespace_id, 0 FROM members m JOIN projects p ON p.id = m.source_id
 WHERE m.user_id = ? AND m.source_type = 'Project' AND (m.expires_at IS NULL OR m.expires_at > ?)`

func rolesArgs(userID int64, day time.Time) []any {
	return []any{userID, day, userID, day, day}
}

const selectGroup = "SELECT " + namespaceColumns + " FROM namespaces WHERE kind = ? AND "

// GetGroup returns a group by id or full path, with the role of the reader in it.
func (s Namespaces) GetGroup(ctx context.Context, id int64, fullPath string, r *Reader) (model.Namespace, Role, error) {
	statement, arg := selectGroup+"id = ?", any(id)
	if fullPath != "" {
		statement, arg = selectGroup+"lower(full_path) = lower(?)", fullPath
	}
	var g model.Namespace
	if err := s.db.Row(ctx, statement, []any{model.NamespaceGroup, arg}, namespaceFields(&g)...); err != nil {
		return g, Role{}, query.Translate(err, group)
	}
	role, err := s.role(ctx, g, r)
	return g, role, err
}

// GetGroupAhead is like GetGroup. If the group was already read with the caller, only the role needs a statement.
func (s Namespaces) GetGroupAhead(ctx context.Context, a *Ahead, id int64, fullPath string, r *Reader) (model.Namespace, Role, error) {
	f := a.take(true, id, fullPath)
	if f == nil {
		return s.GetGroup(ctx, id, fullPath, r)
	}
	role, err := s.role(ctx, f.group, r)
	return f.group, role, err
}

func (s Namespaces) role(ctx context.Context, g model.Namespace, r *Reader) (Role, error) {
	role := Role{Visible: g.Visibility == model.Public}
	if r == nil {
		return role, nil
	}
	if r.Admin {
		return Role{Access: model.Owner, Visible: true}, nil
	}
	role.Visible = role.Visible || (g.Visibility == model.Internal && !r.External)
	var member int64
	// A role in a group or project below makes the groups above it visible.
	err := query.ScanFirst(s.db.Read(ctx).
		Raw("SELECT coalesce(max(CASE WHEN roles.group_id = ? THEN roles.level ELSE 0 END), 0), count(*) FROM ("+rolesInGroups+
			groupsOfProjects+") AS roles "+
			"WHERE roles.group_id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)",
			append(append(append([]any{g.ID}, rolesArgs(r.UserID, s.today())...), r.UserID, s.today()), g.ID)...), &role.Access, &member)
	role.Visible = role.Visible || member > 0
	return role, query.Translate(err)
}

// GroupFilter narrows a list of groups.
type GroupFilter struct {
	Search       string
	Owned        bool
	MinAccess    model.Access
	TopLevelOnly bool
	Skip         []int64
	Visibility   *model.Visibility
	MemberOnly   bool   // only groups in which the reader has a role
	ParentID     *int64 // directly in this group
	Below        *int64 // anywhere below this group
	OrderBy      string // name, path or id
	Desc         bool
	// CustomAttributes are the values that the groups must have, by key.
	CustomAttributes map[string]string
	IDs              []int64 // only these
}

var groupOrders = map[string]string{"name": "name", "path": "path", "id": "id"}

// ListGroups returns one page of the groups that the reader sees.
func (s Namespaces) ListGroups(ctx context.Context, f GroupFilter, r *Reader, p Page) ([]model.Namespace, Total, error) {
	column, ok := groupOrders[f.OrderBy]
	if !ok {
		column = "name"
	}
	if f.unfiltered() && r != nil && r.Admin {
		return s.allGroups(ctx, column, f.Desc, p)
	}
	q := s.groups(ctx, f, r)
	if f.Desc {
		q = q.Order(column + " DESC").Order("id DESC")
	} else {
		q = q.Order(column).Order("id")
	}
	if f.ParentID != nil && f.Search == "" { // an index finds them
		return query.List[model.Namespace](q, p)
	}
	return query.ListFiltered[model.Namespace](q, p)
}

// unfiltered reports whether the filter sets only the order.
func (f GroupFilter) unfiltered() bool {
	return reflect.DeepEqual(f, GroupFilter{OrderBy: f.OrderBy, Desc: f.Desc})
}

// allGroups returns one page of all groups.
func (s Namespaces) allGroups(ctx context.Context, column string, descending bool, p Page) ([]model.Namespace, Total, error) {
	direction := ""
	if descending {
		direction = " DESC"
	}
	return countedList[model.Namespace]{
		columns: namespaceColumns, from: condition{text: "namespaces WHERE kind = '" + model.NamespaceGroup + "'"},
		order: column + direction + ", id" + direction, fields: namespaceFields,
	}.page(ctx, s.base, p)
}

// GroupsAfter returns one page of the groups that the reader sees, starting after a row.
func (s Namespaces) GroupsAfter(ctx context.Context, f GroupFilter, r *Reader, k Keyset) ([]model.Namespace, bool, error) {
	return query.ListAfter[model.Namespace](s.groups(ctx, f, r), k)
}

func (s Namespaces) groups(ctx context.Context, f GroupFilter, r *Reader) *gorm.DB {
	q := s.db.Read(ctx).Where("kind = ?", model.NamespaceGroup)
	q = s.visible(q, f, r)
	if f.Search != "" {
		like := "%" + likeEscaper.Replace(strings.ToLower(f.Search)) + "%"
		q = q.Where(`(lower(name) LIKE ? ESCAPE '\' OR lower(full_path) LIKE ? ESCAPE '\')`, like, like)
	}
	if f.TopLevelOnly {
		q = q.Where("parent_id IS NULL")
	}
	if len(f.Skip) > 0 {
		q = q.Where("id NOT IN ?", f.Skip)
	}
	if len(f.IDs) > 0 {
		q = q.Where("id IN ?", f.IDs)
	}
	if f.Visibility != nil {
		q = q.Where("visibility = ?", *f.Visibility)
	}
	if f.ParentID != nil {
		q = q.Where("parent_id = ?", *f.ParentID)
	}
	if f.Below != nil {
		q = q.Where("id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ? AND depth > 0)", *f.Below)
	}
	for _, key := range slices.Sorted(maps.Keys(f.CustomAttributes)) {
		q = q.Where("id IN (SELECT group_id FROM group_custom_attributes WHERE key = ? AND value = ?)", key, f.CustomAttributes[key])
	}
	return q
}

// visible limits a query to the groups that the reader sees and in which they have the role that the filter asks for.
func (s Namespaces) visible(q *gorm.DB, f GroupFilter, r *Reader) *gorm.DB {
	least := f.MinAccess
	if f.Owned {
		least = model.Owner
	}
	if f.MemberOnly {
		least = max(least, model.Guest)
	}
	if r == nil {
		if least > 0 {
			return q.Where("1 = 0")
		}
		return q.Where("visibility = ?", model.Public)
	}
	roles := "SELECT group_id FROM (" + rolesInGroups + ") AS roles"
	args := rolesArgs(r.UserID, s.today())
	if least > 0 {
		return q.Where("id IN ("+roles+" WHERE level >= ?)", append(args, least)...)
	}
	if r.Admin {
		return q
	}
	above := "SELECT ancestor_id FROM namespace_ancestors WHERE descendant_id IN (SELECT group_id FROM (" + rolesInGroups +
		groupsOfProjects + ") AS roles)"
	args = append(args, r.UserID, s.today())
	open := []model.Visibility{model.Public}
	if !r.External {
		open = append(open, model.Internal)
	}
	return q.Where("(visibility IN ? OR id IN ("+above+"))", append([]any{open}, args...)...)
}
