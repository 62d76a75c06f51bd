package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// The lists of namespaces are cached. Whatever project is added, removed, moved or changed, and whatever role a member
// gets or loses, the lists of the member show the current state.
func TestListsOfAMemberFollowEveryChange(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := &place{t: t, st: st}
	u := storetest.User(t, st)
	in, below, out := p.group(nil), (*model.Namespace)(nil), p.group(nil)
	below = p.group(in)
	var made []*model.Project
	add := func(g *model.Namespace) {
		row := model.DefaultProject()
		row.NamespaceID, row.Name, row.Path = g.ID, fmt.Sprintf("p%d", len(made)), fmt.Sprintf("p%d", len(made))
		if err := st.Projects.Create(t.Context(), &row, nil); err != nil {
			t.Fatal(err)
		}
		made = append(made, &row)
	}
	move := func(i int, g *model.Namespace) {
		if err := st.Projects.Transfer(t.Context(), made[i].ID, g.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	run := func(query string) {
		if _, err := st.SQL().ExecContext(t.Context(), query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	for i, change := range []func(){
		func() { add(out) },
		func() { p.join(in, u, model.Developer, nil) },
		func() { add(in) }, func() { add(below) }, func() { add(in) }, func() { add(out) }, func() { add(below) }, func() { add(in) },
		func() { move(0, below) }, func() { move(1, out) }, func() { move(3, below) },
		func() { run("UPDATE projects SET created_at = '2020-01-02 03:04:05' WHERE path = 'p2'") },
		func() { p.joinProject(made[1], u, model.Reporter, nil) },
		func() { p.joinProject(made[2], u, model.Owner, nil) }, // also through its group
		func() { move(1, in) },
		func() { p.join(out, u, model.Guest, nil) },
		func() { move(4, in) }, func() { move(5, out) },
		func() {
			if err := st.Projects.Delete(t.Context(), made[6].ID, nil); err != nil {
				t.Fatal(err)
			}
		},
		func() { run(fmt.Sprintf("DELETE FROM members WHERE user_id = %d AND source_id = %d", u.ID, in.ID)) },
		func() { p.share(in, out, model.Maintainer, nil) },
		func() { run(fmt.Sprintf("DELETE FROM projects WHERE namespace_id = %d", below.ID)) },
		func() { run(fmt.Sprintf("DELETE FROM namespaces WHERE id = %d", below.ID)) },
	} {
		change()
		for _, least := range []model.Access{model.Guest, model.Developer} {
			for _, o := range []store.ProjectOrder{
				{Column: "created_at", Desc: true}, {Column: "created_at"}, {Column: "id", Desc: true}, {Column: "id"},
			} {
				checkPages(t, st, store.ProjectFilter{MinAccess: least}, o, &store.Reader{UserID: u.ID})
			}
		}
		if t.Failed() {
			t.Fatalf("after change %d", i)
		}
	}
}

// If a member has many projects, in one group or in several, pages and totals stay the same, however often they are
// read.
func TestListsOfAMemberOfManyProjects(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := &place{t: t, st: st}
	u := storetest.User(t, st)
	reader := &store.Reader{UserID: u.ID}
	for _, n := range []int{30, 1500, 2100, 10} {
		g := p.group(nil)
		fillGroup(t, st, g, n)
		p.join(g, u, model.Developer, nil)
		for _, column := range []string{"id", "created_at"} {
			o := store.ProjectOrder{Column: column, Desc: true}
			want, total, err := st.Projects.List(
				t.Context(), store.ProjectFilter{MinAccess: model.Guest}, o, reader, store.Page{Limit: 5000},
			)
			if err != nil || total.Count != int64(len(want)) {
				t.Fatalf("%d of %+v, %v", len(want), total, err)
			}
			for _, at := range []int{0, 0, 40, len(want) - 25, len(want) - 5, len(want) + 5} {
				rows, total, err := st.Projects.List(
					t.Context(), store.ProjectFilter{MinAccess: model.Guest}, o, reader,
					store.Page{Limit: 20, Offset: at},
				)
				if err != nil || total.Count != int64(len(want)) || total.More != (at+20 < len(want)) {
					t.Errorf("%d projects at %d by %s: %+v, %v", len(want), at, column, total, err)
				}
				sameProjects(t, rows, want[min(at, len(want)):min(at+20, len(want))])
			}
		}
	}
}

// fillGroup adds n projects to a group, each created one second after the one before.
func fillGroup(t *testing.T, st *store.Store, g *model.Namespace, n int) {
	t.Helper()
	row := model.DefaultProject()
	row.NamespaceID, row.Name, row.Path = g.ID, "first", "first"
	if err := st.Projects.Create(t.Context(), &row, nil); err != nil {
		t.Fatal(err)
	}
	later := "datetime('2027-01-01', '+' || (projects.id * 3 + n) || ' seconds')"
	if storetest.Postgres() {
		later = "timestamptz '2027-01-01' + (projects.id * 3 + n) * interval '1 second'"
	}
	list := strings.Join(slices.DeleteFunc(columns(t, st, "projects"), func(c string) bool {
		return slices.Contains([]string{"id", "name", "path", "full_path", "created_at", "version"}, c)
	}), ", ")
	const numbers = "WITH RECURSIVE s (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s"
	fill := fmt.Sprintf("INSERT INTO projects (name, path, full_path, created_at, "+list+
		") SELECT 'p' || n, 'p' || n, projects.full_path || n, "+later+", "+list+
		" FROM ("+numbers+") AS numbers, projects WHERE projects.id = %d", n, row.ID)
	if _, err := st.SQL().ExecContext(t.Context(), fill); err != nil {
		t.Fatal(err)
	}
}
