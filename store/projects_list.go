package store

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// ProjectFilter says which projects a list shows. A field that is not set filters nothing.
type ProjectFilter struct {
	Search           string
	SearchNamespaces bool // also search in the paths of groups
	SearchTexts      bool // also search in the descriptions, and in full paths if the term has a slash
	MinAccess        model.Access
	Visibility       *model.Visibility
	Archived         *bool
	Topics           []string
	WithIssues       *bool
	WithMerges       *bool
	Language         string
	IDAfter          *int64
	IDBefore         *int64
	ActiveAfter      *time.Time
	ActiveBefore     *time.Time
	Storage          string
	StarredBy        *int64
	ContributedBy    *int64 // a user who has pushed to the project or taken part in discussions
	ForkedFrom       *int64
	NamespaceID      *int64 // directly in this namespace
	Below            *int64 // in this group or its subgroups
	SharedWith       *int64 // shared with this group; added to the projects of NamespaceID or Below, if set
	CustomAttributes map[string]string
	IDs              []int64  // only these
	FullPaths        []string // only these, in any case
}

// ProjectOrder is the order of a list of projects. The id breaks ties.
type ProjectOrder struct {
	Column string // id, name, path, created_at, updated_at, last_activity_at, star_count or similarity
	Desc   bool
}

var projectOrders = map[string]bool{
	"id": true, "name": true, "path": true, "created_at": true, "updated_at": true, "last_activity_at": true, "star_count": true,
}

// projectID is a row with only the id.
type projectID struct{ ID int64 }

func (projectID) TableName() string { return "projects" }

// List returns one page of the projects that a reader can see. With filters, one query finds the ids and another reads
// the rows.
func (s Projects) List(ctx context.Context, f ProjectFilter, o ProjectOrder, r *Reader, p Page) ([]model.ProjectRow, Total, error) {
	if f.unfiltered() && f.IDAfter == nil && f.IDBefore == nil && p.Limit < maxPageRows && (f.MinAccess == model.NoAccess || r != nil) {
		rows, total, err := s.listUnfiltered(ctx, f, o, r, p)
		return rows, total, query.Translate(err)
	}
	ids, total, err := query.ListFiltered[projectID](s.ordered(s.filtered(ctx, f, r), f, o), p)
	if err != nil {
		return nil, Total{}, err
	}
	rows, err := s.byID(ctx, ids, r)
	return rows, total, err
}

// After returns one page of the projects that a reader can see, after a given row.
func (s Projects) After(ctx context.Context, f ProjectFilter, r *Reader, k Keyset) ([]model.ProjectRow, bool, error) {
	if f.unfiltered() && f.MinAccess == model.NoAccess && k.Limit < maxPageRows {
		rows, more, err := s.afterUnfiltered(ctx, f, r, k)
		return rows, more, query.Translate(err)
	}
	ids, more, err := query.ListAfter[projectID](s.filtered(ctx, f, r), k)
	if err != nil {
		return nil, false, err
	}
	rows, err := s.byID(ctx, ids, r)
	return rows, more, err
}

// Rows returns the projects with these ids as a reader sees them, keyed by id.
func (s Projects) Rows(ctx context.Context, ids []int64, r *Reader) (map[int64]model.ProjectRow, error) {
	found := make(map[int64]model.ProjectRow, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	wanted := make([]projectID, len(ids))
	for i, id := range ids {
		wanted[i] = projectID{id}
	}
	rows, err := s.readByID(ctx, wanted, r)
	for _, row := range rows {
		found[row.Project.ID] = row
	}
	return found, query.Translate(err)
}

// IDsInNamespace returns the IDs of the projects directly in a namespace, in order, after the given one.
func (s Projects) IDsInNamespace(ctx context.Context, namespaceID, after int64, most int) (ids []int64, err error) {
	const text = "SELECT id FROM projects WHERE namespace_id = ? AND id > ? ORDER BY id LIMIT ?"
	err = s.db.Rows(ctx, text, []any{namespaceID, after, most}, func(row query.Scanner) error {
		var id int64
		err := row.Scan(&id)
		ids = append(ids, id)
		return err
	})
	return ids, query.Translate(err)
}

// byID reads projects in the order of the ids. It leaves out projects that were deleted meanwhile.
func (s Projects) byID(ctx context.Context, ids []projectID, r *Reader) ([]model.ProjectRow, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.readByID(ctx, ids, r)
	if err != nil {
		return nil, query.Translate(err)
	}
	at := make(map[int64]int, len(rows))
	for i := range rows {
		at[rows[i].Project.ID] = i
	}
	out := make([]model.ProjectRow, 0, len(rows))
	for _, id := range ids {
		if i, ok := at[id.ID]; ok {
			out = append(out, rows[i])
		}
	}
	return out, nil
}

func (s Projects) ordered(q *gorm.DB, f ProjectFilter, o ProjectOrder) *gorm.DB {
	if o.Column == "similarity" && f.Search != "" {
		term := strings.ToLower(strings.TrimSpace(f.Search))
		start := likeEscaper.Replace(term) + "%"
		q = q.Order(clause.Expr{
			SQL: `CASE WHEN lower(projects.path) = ? OR lower(projects.name) = ? THEN 0 ` +
				`WHEN lower(projects.path) LIKE ? ESCAPE '\' OR lower(projects.name) LIKE ? ESCAPE '\' THEN 1 ELSE 2 ` +
				`END, length(projects.path)`,
			Vars: []any{term, term, start, start},
		})
		return q.Order("id DESC")
	}
	if !projectOrders[o.Column] {
		o.Column = "created_at"
	}
	q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: o.Column}, Desc: o.Desc})
	if o.Column != "id" {
		q = q.Order(clause.OrderByColumn{Column: clause.Column{Name: "id"}, Desc: o.Desc})
	}
	return q
}

func (s Projects) filtered(ctx context.Context, f ProjectFilter, r *Reader) *gorm.DB {
	q := s.db.Read(ctx).Table("projects").Select("id")
	if seen, args := visibleProject("projects", r, s.today()); seen != "TRUE" {
		q = q.Where(seen, args...)
	}
	if f.MinAccess > model.NoAccess {
		if r == nil {
			return q.Where("FALSE")
		}
		member, args := projectWithRole("projects", r.UserID, f.MinAccess, s.today())
		q = q.Where(member, args...)
	}
	q = s.within(q, f)
	if f.Search != "" {
		q = s.search(ctx, q, f)
	}
	for _, c := range []struct {
		wanted bool
		text   string
		value  any
	}{
		{f.Visibility != nil, "visibility = ?", f.Visibility},
		{f.Archived != nil, "archived = ?", f.Archived},
		{f.IDAfter != nil, "id > ?", f.IDAfter},
		{f.IDBefore != nil, "id < ?", f.IDBefore},
		{f.ActiveAfter != nil, "last_activity_at > ?", utc(f.ActiveAfter)},
		{f.ActiveBefore != nil, "last_activity_at < ?", utc(f.ActiveBefore)},
		{f.Storage != "", "repository_storage = ?", f.Storage},
		{f.Language != "", "id IN (SELECT project_id FROM project_languages WHERE name = ?)", f.Language},
		{f.StarredBy != nil, "id IN (SELECT project_id FROM project_stars WHERE user_id = ?)", f.StarredBy},
		{
			f.ContributedBy != nil,
			"id IN (SELECT project_id FROM events WHERE author_id = ? AND project_id IS NOT NULL AND (action = " +
				"'pushed' OR target_type IS NOT NULL))",
			f.ContributedBy,
		},
		{f.ForkedFrom != nil, "forked_from_id = ?", f.ForkedFrom},
	} {
		if c.wanted {
			q = q.Where(c.text, c.value)
		}
	}
	if len(f.IDs) > 0 {
		q = q.Where("id IN ?", f.IDs)
	}
	if len(f.FullPaths) > 0 {
		q = q.Where("lower(full_path) IN ?", lowered(f.FullPaths))
	}
	q = withFeature(q, "issues_access_level", f.WithIssues)
	q = withFeature(q, "merge_requests_access_level", f.WithMerges)
	for _, topic := range f.Topics {
		q = q.Where("id IN (SELECT project_id FROM project_topics WHERE name = ?)", strings.ToLower(topic))
	}
	for _, key := range slices.Sorted(maps.Keys(f.CustomAttributes)) {
		q = q.Where("id IN (SELECT project_id FROM project_custom_attributes WHERE key = ? AND value = ?)", key, f.CustomAttributes[key])
	}
	return q
}

// within limits a list to a namespace, to a group with its subgroups, or to the projects shared with a group.
func (s Projects) within(q *gorm.DB, f ProjectFilter) *gorm.DB {
	in, args := "", []any(nil)
	switch {
	case f.Below != nil:
		in, args = "namespace_id IN (SELECT descendant_id FROM namespace_ancestors WHERE ancestor_id = ?)", []any{*f.Below}
	case f.NamespaceID != nil:
		in, args = "namespace_id = ?", []any{*f.NamespaceID}
	case f.SharedWith == nil:
		return q
	default:
		in = "FALSE"
	}
	if f.SharedWith != nil {
		in = "(" + in + " OR id IN (SELECT project_id FROM project_links WHERE group_id = ? AND (expires_at IS NULL OR expires_at > ?)))"
		args = append(args, *f.SharedWith, s.today())
	}
	return q.Where(in, args...)
}

func lowered(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.ToLower(name)
	}
	return out
}

func withFeature(q *gorm.DB, column string, on *bool) *gorm.DB {
	switch {
	case on == nil:
		return q
	case *on:
		return q.Where(column+" <> ?", model.FeatureDisabled)
	}
	return q.Where(column+" = ?", model.FeatureDisabled)
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}
