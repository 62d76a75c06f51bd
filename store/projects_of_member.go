package store

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"svc/store/cache"
	"svc/store/internal/query"
	"svc/store/model"
)

// SQLite needs longer to gather, count and sort the projects of a member than for the rest of a list. So the project
// list of each namespace is cached, keyed by its version in the table project_lists. One statement reads the versions
// together with the member's roles, and the code here cuts out the page.

// placedID is a project in the list of its namespace.
type placedID struct {
	created string // in the form in which SQLite stores and compares it
	id      int64
}

// cachedListBytes is the size of the cache for project lists in bytes.
const cachedListBytes = 16 << 20

// newLists returns the cache for project lists. A list is sorted from oldest to newest. It is nil for a namespace with
// more than fewProjects.
func newLists() cache.Cache[[]placedID] {
	return cache.WithMaxBytes(cachedListBytes, func(key string, list []placedID) int { return 128 + 64*len(list) })
}

// inCachedLists reports whether the cached lists contain the column of an order.
func (o ProjectOrder) inCachedLists() bool { return o.column() == "id" || o.column() == "created_at" }

// compare compares two projects by the order.
func (o ProjectOrder) compare(a, b placedID) int {
	order := cmp.Compare(a.id, b.id)
	if o.column() != "id" {
		order = cmp.Or(strings.Compare(a.created, b.created), order)
	}
	if o.Desc {
		return -order
	}
	return order
}

// memberProjects holds the projects in which a reader has a role: the roles by group id and by project id, the lists of groups,
// and the list of other projects.
type memberProjects struct {
	groups, direct, shared map[int64]model.Access
	lists                  [][]placedID
	missing                []int64 // groups whose list is not cached
	many                   bool    // there are more than fewProjects; lists is incomplete
}

func (m *memberProjects) count() (n int) {
	for _, list := range m.lists {
		n += len(list)
	}
	return n
}

// listedMine returns one page of the projects in which the reader has a role, and their number. If there are more than
// fewProjects, it returns no rows.
func (s Projects) listedMine(
	ctx context.Context, least model.Access, o ProjectOrder, r *Reader, p Page,
) ([]model.ProjectRow, int64, error) {
	m, err := s.readMine(ctx, least, r)
	if err == nil && !m.many && len(m.missing) > 0 {
		err = s.readLists(ctx, &m)
	}
	if err != nil {
		return nil, 0, err
	}
	n := m.count()
	if m.many || n > fewProjects {
		return nil, fewProjects + 1, nil
	}
	rows, err := s.rowsOf(ctx, o.cut(m.lists, n, p), &m, least, r)
	return rows, int64(n), err
}

// readMine reads a reader's roles, and gets the cached lists of the groups in which the role is at least least.
func (s Projects) readMine(ctx context.Context, least model.Access, r *Reader) (memberProjects, error) {
	const statement = "WITH " + readerRoles +
		" SELECT group_id, level, 0, coalesce(l.version, 0), '' FROM groups_of LEFT JOIN project_lists l ON l.namespace_id = group_id" +
		" UNION ALL SELECT p.id, m.direct, m.shared, p.namespace_id, p.created_at FROM projects_of m CROSS JOIN " +
		"projects p WHERE p.id = m.id"
	m := memberProjects{groups: map[int64]model.Access{}, direct: map[int64]model.Access{}, shared: map[int64]model.Access{}}
	alone := map[placedID]int64{} // namespace ids
	err := s.db.LongRows(ctx, statement, readerArgs(r, s.today()), func(found query.Scanner) error {
		var id, place int64
		var role, shared model.Access
		var created string
		if err := found.Scan(&id, &role, &shared, &place, &created); err != nil {
			return err
		}
		if created == "" {
			m.groups[id] = role
			if role >= least && place != 0 {
				m.take(id, s.lists, place)
			}
			return nil
		}
		m.direct[id], m.shared[id] = role, shared
		if max(role, shared) >= least {
			alone[placedID{created, id}] = place
		}
		return nil
	})
	// Projects of these namespaces are in the list of the group.
	maps.DeleteFunc(alone, func(_ placedID, place int64) bool { return m.groups[place] >= least })
	m.lists = append(m.lists, slices.SortedFunc(maps.Keys(alone), ProjectOrder{}.compare))
	return m, err
}

// take adds the list of a group in the given version, if it is cached.
func (m *memberProjects) take(group int64, lists cache.Cache[[]placedID], version int64) {
	list, ok := lists.Get(cache.Key(group, version))
	switch {
	case !ok:
		m.missing = append(m.missing, group)
	case list == nil:
		m.many = true
	default:
		m.lists = append(m.lists, list)
	}
}

// readLists reads the missing lists and caches them.
func (s Projects) readLists(ctx context.Context, m *memberProjects) error {
	groups, err := s.set(m.missing)
	if err != nil {
		return err
	}
	statement := "SELECT l.namespace_id, l.version, coalesce(p.id, 0), coalesce(p.created_at, '') FROM project_lists l " +
		"LEFT JOIN projects p ON p.namespace_id = l.namespace_id" +
		" WHERE l.namespace_id IN (" + groups.text + ") ORDER BY l.namespace_id, p.created_at, p.id"
	var keys []string
	var lists [][]placedID
	n := 0
	err = s.db.LongRows(ctx, withLimit(statement, fewProjects+1), append(groups.args, 0), func(found query.Scanner) error {
		var group, version int64
		var one placedID
		err := found.Scan(&group, &version, &one.id, &one.created)
		if key := cache.Key(group, version); len(keys) == 0 || keys[len(keys)-1] != key {
			keys, lists = append(keys, key), append(lists, []placedID{})
		}
		if last := len(lists) - 1; one.id != 0 {
			lists[last] = append(lists[last], one)
		}
		n++
		return err
	})
	if err != nil {
		return err
	}
	if m.many = n > fewProjects; m.many { // the last list may be incomplete
		last := len(lists) - 1
		if lists[last] = nil; last > 0 {
			lists = lists[:last]
		}
	}
	for i, list := range lists {
		s.lists.Set(keys[i], list)
	}
	m.lists = append(m.lists, lists...)
	return nil
}

// cut returns a page, and the row after it, of the n projects in lists.
func (o ProjectOrder) cut(lists [][]placedID, n int, p Page) []placedID {
	end := min(p.Offset+p.Limit+1, n)
	if p.Offset >= end {
		return nil
	}
	if end*4 > n {
		all := slices.Concat(lists...)
		slices.SortFunc(all, o.compare)
		return all[p.Offset:end]
	}
	first := make([]placedID, 0, end+1) // the first rows found so far
	for _, list := range lists {
		for i := range list {
			one := list[i]
			if o.Desc {
				one = list[len(list)-1-i]
			}
			if len(first) == end && o.compare(one, first[end-1]) > 0 {
				if o.column() == "id" {
					continue
				}
				break // the rest of this list comes even later
			}
			at, _ := slices.BinarySearchFunc(first, one, o.compare)
			first = slices.Insert(first, at, one)
			first = first[:min(len(first), end)]
		}
	}
	return first[p.Offset:]
}

// rowsOf reads the versions of projects and sets the reader's roles in them. It leaves out projects that were moved
// meanwhile to a namespace where the role is too low.
func (s Projects) rowsOf(
	ctx context.Context,
	page []placedID,
	m *memberProjects,
	least model.Access,
	r *Reader,
) ([]model.ProjectRow, error) {
	if len(page) == 0 {
		return nil, nil
	}
	read := make(map[int64]model.ProjectRow, len(page))
	add := func(id, version, place int64) {
		row := readBy(model.ProjectRow{}, r)
		row.Project.ID, row.Project.Version = id, version
		direct, inherited := m.direct[id], max(m.groups[place], m.shared[id])
		if !r.Admin {
			row.Direct, row.Inherited = direct, inherited
		}
		if max(direct, inherited) >= least {
			read[id] = row
		}
	}
	if err := s.versionsOf(ctx, page, len(m.missing) > 0, add); err != nil {
		return nil, err
	}
	rows := make([]model.ProjectRow, 0, len(page))
	for _, one := range page {
		if row, ok := read[one.id]; ok {
			rows = append(rows, row)
			delete(read, one.id) // a project that was just moved may be in two lists
		}
	}
	return rows, nil
}

// versionsOf reads the versions and namespaces of projects. If whole is set, because their lists were not cached, the
// projects are probably not cached either. Then it reads them completely and caches them.
func (s Projects) versionsOf(ctx context.Context, page []placedID, whole bool, add func(id, version, place int64)) error {
	id := func(i int) int64 { return page[i].id }
	if whole {
		read, err := s.readWithNamespaces(ctx, len(page), id)
		for id, p := range read {
			add(id, p.Project.Version, p.Project.NamespaceID)
		}
		return err
	}
	statement := s.withIDs("SELECT id, version, namespace_id FROM projects", "id", len(page), id)
	return s.db.Rows(ctx, statement.text, statement.args, func(found query.Scanner) error {
		var id, version, place int64
		err := found.Scan(&id, &version, &place)
		add(id, version, place)
		return err
	})
}
