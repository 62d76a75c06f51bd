package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"svc/store/cache"
	"svc/store/internal/query"
	"svc/store/model"
)

// Lists are written as SQL. One statement finds a page and reads its rows, with the user's roles in all of them.

// projectTables joins a project with its namespace and the user who owns that namespace.
const projectTables = " FROM projects JOIN namespaces place ON place.id = projects.namespace_id LEFT JOIN users " +
	"owner ON owner.namespace_id = projects.namespace_id"

// maxPageRows is the maximum number of rows that one statement finds: the largest page and one more.
const maxPageRows = 101

// placesAtOnce is the step to which the number of ids in a statement is rounded up, so that there are few texts.
const placesAtOnce = 20

// foundProjects describes a query that finds the ids of a page of projects. The rows are ordered by their own columns.
// The query may also return the total number of projects.
type foundProjects struct {
	with    string // common table expressions before the page
	page    condition
	order   string
	counted bool // the page has a column total
}

// query returns a statement that reads the versions of the projects found, and the reader's roles in them. It names the
// tables in the order in which SQLite is to read them.
func (f foundProjects) query(r *Reader, day time.Time) condition {
	statement, args := "WITH ", make([]any, 0, 32)
	if r != nil {
		statement, args = statement+readerRoles+", ", append(args, readerArgs(r, day)...)
	}
	statement += f.with + "page AS MATERIALIZED (" + f.page.text + ") SELECT projects.id, projects.version"
	roles, joins := ", 0, 0, 0", " FROM page CROSS JOIN projects"
	if r != nil && !r.Admin {
		roles, joins = roleColumns, joins+roleJoins
	}
	if f.counted {
		roles += ", page.total"
	}
	return condition{statement + roles + joins + " WHERE projects.id = page.id" + f.order, append(args, f.page.args...)}
}

// maxReads is the maximum number of times that a page is read, if projects change while it is being read.
const maxReads = 3

// readPage reads the projects found, and the total if the page has one. For projects that are cached in their current
// version, it reads only the version and the roles.
func (s Projects) readPage(ctx context.Context, f foundProjects, r *Reader) (rows []model.ProjectRow, total int64, err error) {
	return s.readAndFill(ctx, r, func() ([]model.ProjectRow, int64, error) { return s.readVersions(ctx, f, r) })
}

// readAndFill completes the rows that find returns with ids, versions and roles. It also returns the total from find.
func (s Projects) readAndFill(
	ctx context.Context, r *Reader, find func() ([]model.ProjectRow, int64, error),
) (rows []model.ProjectRow, total int64, err error) {
	for range maxReads {
		rows, total, err = find()
		if err != nil {
			return nil, 0, err
		}
		changed, err := s.fill(ctx, rows)
		if err != nil {
			return nil, 0, err
		}
		if !changed {
			break
		}
	}
	// Drop projects that were deleted, or that changed at every attempt.
	rows = slices.DeleteFunc(rows, func(row model.ProjectRow) bool { return row.Project.FullPath == "" })
	return rows, total, s.origins(ctx, rows, r)
}

// readVersions reads the ids and versions of the projects found, and the reader's roles in them.
func (s Projects) readVersions(ctx context.Context, f foundProjects, r *Reader) (rows []model.ProjectRow, total int64, err error) {
	var row model.ProjectRow
	var shared model.Access
	fields := []any{&row.Project.ID, &row.Project.Version, &row.Direct, &shared, &row.Inherited}
	if f.counted {
		fields = append(fields, &total)
	}
	rows = make([]model.ProjectRow, 0, placesAtOnce+1)
	statement := f.query(r, s.today())
	err = s.db.LongRows(ctx, statement.text, statement.args, func(found query.Scanner) error {
		row = readBy(model.ProjectRow{}, r)
		err := found.Scan(fields...)
		row.Inherited = max(row.Inherited, shared)
		rows = append(rows, row)
		return err
	})
	return rows, total, err
}

// fill completes rows whose version is set. It reports whether a project has changed since its version was read: then
// it may no longer match the query.
func (s Projects) fill(ctx context.Context, rows []model.ProjectRow) (changed bool, err error) {
	var missing []int
	for i := range rows {
		if known := s.cached(&rows[i]); known != nil {
			known.into(&rows[i])
		} else {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return false, nil
	}
	read, err := s.readWithNamespaces(ctx, len(missing), func(i int) int64 { return rows[missing[i]].Project.ID })
	if err != nil {
		return false, err
	}
	for _, i := range missing {
		p := read[rows[i].Project.ID]
		if p == nil || p.Project.Version != rows[i].Project.Version {
			changed = true
			continue
		}
		p.into(&rows[i])
	}
	return changed, nil
}

// readWithNamespaces reads n projects with their namespaces, keyed by project id.
func (s Projects) readWithNamespaces(ctx context.Context, n int, id func(i int) int64) (map[int64]*sharedProject, error) {
	statement := s.withIDs("SELECT "+projectColumns+", "+placeColumns+projectTables, "projects.id", n, id)
	read := make(map[int64]*sharedProject, n)
	err := s.db.LongRows(ctx, statement.text, statement.args, func(found query.Scanner) error {
		var row model.ProjectRow
		err := found.Scan(append(projectFields(&row.Project), placeFields(&row)...)...)
		if err == nil {
			read[row.Project.ID] = s.cacheProject(&row)
		}
		return err
	})
	return read, err
}

// sharedProject is the part of a project row that is the same for all readers.
type sharedProject struct {
	Project model.Project
	Place   model.Place
	Owner   model.ProjectOwner
}

// cached returns the cached project in the version of the row, or nil.
func (s Projects) cached(row *model.ProjectRow) *sharedProject {
	if p, ok := s.versions.Get(cache.Key(row.Project.Version)); ok && p.Project.ID == row.Project.ID {
		return p
	}
	return nil
}

// cacheProject caches a project.
func (s Projects) cacheProject(row *model.ProjectRow) *sharedProject {
	p := &sharedProject{row.Project, row.Place, row.Owner}
	s.versions.Set(cache.Key(p.Project.Version), p)
	return p
}

func (p *sharedProject) into(row *model.ProjectRow) {
	row.Project, row.Place, row.Owner = p.Project, p.Place, p.Owner
}

// readByID reads projects by their ids, in any order.
func (s Projects) readByID(ctx context.Context, ids []projectID, r *Reader) ([]model.ProjectRow, error) {
	page := s.withIDs("SELECT id FROM projects", "id", len(ids), func(i int) int64 { return ids[i].ID })
	rows, _, err := s.readPage(ctx, foundProjects{page: page}, r)
	return rows, err
}

// withIDs limits a query to n ids. It repeats the last id, so that there are few texts.
func (s Projects) withIDs(statement, column string, n int, id func(i int) int64) condition {
	places := (n + placesAtOnce - 1) / placesAtOnce * placesAtOnce
	args := make([]any, places)
	for i := range args {
		args[i] = id(min(i, n-1))
	}
	return condition{statement + " WHERE " + column + " IN (?" + strings.Repeat(", ?", places-1) + ")", args}
}

// origins reads the source projects of forks, if the reader can see them. Most pages have no forks.
func (s Projects) origins(ctx context.Context, rows []model.ProjectRow, r *Reader) error {
	var ids []int64
	for i := range rows {
		if from := rows[i].Project.ForkedFromID; from != nil {
			ids = append(ids, *from)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	statement := s.withIDs("SELECT "+originColumns+" FROM projects origin", "origin.id", len(ids), func(i int) int64 { return ids[i] })
	seen, args := visibleProject("origin", r, s.today())
	origins := make(map[int64]model.Origin, len(ids))
	err := s.db.LongRows(ctx, statement.text+" AND "+seen, append(statement.args, args...), func(found query.Scanner) error {
		var o model.Origin
		err := found.Scan(originFields(&o)...)
		if err == nil {
			origins[*o.ID] = o
		}
		return err
	})
	for i := range rows {
		if from := rows[i].Project.ForkedFromID; from != nil {
			rows[i].Origin = origins[*from]
		}
	}
	return err
}
