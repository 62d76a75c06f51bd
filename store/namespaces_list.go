package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"
)

const (
	namespace    = "Namespace"
	ownNamespace = "SELECT namespace_id FROM users WHERE id = ?"
)

// NamespaceFilter narrows a list of namespaces.
type NamespaceFilter struct {
	Search    string
	OwnedOnly bool
}

// List returns one page of the reader's own namespace and the groups in which they have a role, the oldest first.
// Administrators see all namespaces.
func (s Namespaces) List(ctx context.Context, f NamespaceFilter, r Reader, p Page) ([]model.Namespace, Total, error) {
	q := s.db.Read(ctx).Order("id")
	if f.OwnedOnly || !r.Admin {
		least := model.NoAccess
		if f.OwnedOnly {
			least = model.Owner
		}
		mine := "id = (" + ownNamespace + ") OR id IN (SELECT group_id FROM (" + rolesInGroups + ") AS roles WHERE level >= ?)"
		q = q.Where("("+mine+")", append(append([]any{r.UserID}, rolesArgs(r.UserID, s.today())...), least)...)
	}
	if f.Search != "" {
		like := "%" + likeEscaper.Replace(strings.ToLower(f.Search)) + "%"
		q = q.Where(`(lower(name) LIKE ? ESCAPE '\' OR lower(full_path) LIKE ? ESCAPE '\')`, like, like)
	}
	return query.List[model.Namespace](q, p)
}

// Get returns a namespace by id or full path, if the reader sees it.
func (s Namespaces) Get(ctx context.Context, id int64, fullPath string, r Reader) (model.Namespace, error) {
	q := s.db.Read(ctx).Where("id = ?", id)
	if fullPath != "" {
		q = s.db.Read(ctx).Where("lower(full_path) = lower(?)", fullPath)
	}
	n, err := query.Take[model.Namespace](q, namespace)
	if err != nil {
		return n, err
	}
	seen, err := s.isVisibleTo(ctx, n, r)
	if err == nil && !seen {
		err = &NotFoundError{Resource: namespace}
	}
	if err != nil {
		return model.Namespace{}, err
	}
	return n, nil
}

// GroupsAbove returns the ids of the groups among a namespace and all namespaces above it, the nearest first.
func (s Namespaces) GroupsAbove(ctx context.Context, id int64) ([]int64, error) {
	var ids []int64
	q := s.db.Read(ctx).Raw("SELECT n.id FROM namespace_ancestors a JOIN namespaces n ON n.id = a.ancestor_id "+
		"WHERE a.descendant_id = ? AND n.kind = ? ORDER BY a.depth", id, model.NamespaceGroup)
	return ids, query.Translate(q.Scan(&ids).Error)
}

func (s Namespaces) isVisibleTo(ctx context.Context, n model.Namespace, r Reader) (bool, error) {
	if r.Admin {
		return true, nil
	}
	if n.Kind == model.NamespaceGroup {
		role, err := s.role(ctx, n, &r)
		return role.Visible, err
	}
	var own *int64
	err := query.ScanFirst(s.db.Read(ctx).Raw(ownNamespace, r.UserID), &own)
	return own != nil && *own == n.ID, query.Translate(err, namespace)
}

// memberCount is the number of members of a group and of the groups below it.
type memberCount struct{ GroupID, Members int64 }

// CountMembers counts the active direct members of groups and of the groups below them, by group, in one query.
// Namespaces that are not groups, or that the reader does not own, are left out.
func (s Namespaces) CountMembers(ctx context.Context, of []model.Namespace, r Reader) (map[int64]int64, error) {
	counts := map[int64]int64{}
	var ids []int64
	for _, n := range of {
		if n.Kind == model.NamespaceGroup {
			ids = append(ids, n.ID)
		}
	}
	if len(ids) == 0 {
		return counts, nil
	}
	statement := "SELECT n.id AS group_id, (SELECT count(DISTINCT m.user_id) FROM namespace_ancestors a " +
		"JOIN members m ON m.source_type = ? AND m.source_id = a.descendant_id JOIN users u ON u.id = m.user_id " +
		"WHERE a.ancestor_id = n.id AND u.state = ? AND (m.expires_at IS NULL OR m.expires_at > ?)) AS members " +
		"FROM namespaces n WHERE n.id IN ?"
	args := []any{model.SourceGroup, model.UserActive, s.today(), ids}
	if !r.Admin {
		statement += " AND n.id IN (SELECT group_id FROM (" + rolesInGroups + ") AS roles WHERE level >= ?)"
		args = append(append(args, rolesArgs(r.UserID, s.today())...), model.Owner)
	}
	rows, err := query.Find[memberCount](s.db.Read(ctx).Raw(statement, args...), len(ids))
	for _, row := range rows {
		counts[row.GroupID] = row.Members
	}
	return counts, query.Translate(err)
}

// Taken returns the paths, out of the given ones, that namespaces directly in a group or at the top already have. The
// result is in lower case.
func (s Namespaces) Taken(ctx context.Context, in *model.Namespace, paths []string) (map[string]bool, error) {
	q, prefix := s.db.Read(ctx).Where("parent_id IS NULL"), ""
	if in != nil {
		q, prefix = s.db.Read(ctx).Where("parent_id = ?", in.ID), in.FullPath+"/"
	}
	full := make([]string, len(paths))
	for i, path := range paths {
		full[i] = strings.ToLower(prefix + path)
	}
	q = q.Where("lower(full_path) IN ?", full)
	rows, err := query.Find[model.Namespace](q, 0)
	taken := make(map[string]bool, len(rows))
	for _, n := range rows {
		taken[strings.ToLower(n.Path)] = true
	}
	return taken, query.Translate(err)
}

// WithBelow returns a group and all groups below it, the deepest first.
func (s Namespaces) WithBelow(ctx context.Context, id int64) ([]model.Namespace, error) {
	rows, err := query.Find[model.Namespace](s.db.Read(ctx).Select("namespaces.*").
		Joins("JOIN namespace_ancestors a ON a.descendant_id = namespaces.id").Where("a.ancestor_id = ?", id).
		Order("a.depth DESC, namespaces.id"), 0)
	return rows, query.Translate(err)
}
