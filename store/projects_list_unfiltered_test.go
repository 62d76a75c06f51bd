package store_test

import (
	"fmt"
	"reflect"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// longLists is a page size for which no prepared statement is used, so that the statements for any filter read the list.
const longLists = 1000

// For all kinds of readers, page by page and by keyset, prepared statements find the same projects, roles and totals as
// the statements for any filter.
func TestPlainListsOfProjectsAgreeWithFilteredOnes(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	readers := listed(t, st)
	for name, r := range readers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, column := range []string{"id", "name", "path", "created_at", "updated_at", "last_activity_at", "star_count"} {
				for _, least := range []model.Access{model.NoAccess, model.Guest, model.Developer, model.Owner} {
					checkPages(
						t, st, store.ProjectFilter{MinAccess: least},
						store.ProjectOrder{Column: column, Desc: least != model.Guest}, r,
					)
				}
			}
			checkKeyset(t, st, r, true)
			checkKeyset(t, st, r, false)
		})
	}
}

// listed creates projects of all visibilities in nested groups, including forks, and readers who see different ones.
func listed(t *testing.T, st *store.Store) map[string]*store.Reader {
	t.Helper()
	p := &place{t: t, st: st}
	top := openGroup(p, nil)
	low, other, team := openGroup(p, top), openGroup(p, nil), openGroup(p, nil)
	direct, above, invited, shared, all := storetest.User(t, st), storetest.User(t, st), storetest.User(t, st),
		storetest.User(t, st), storetest.User(t, st)
	var made []*model.Project
	for i := range 18 {
		row := model.DefaultProject()
		row.NamespaceID = []int64{top.ID, low.ID, other.ID}[i/3%3]
		row.Name, row.Path = fmt.Sprintf("p%d", 50-i), fmt.Sprintf("q%d", i)
		row.Visibility, row.StarCount = []model.Visibility{model.Private, model.Internal, model.Public}[i%3], int64(i%2)
		if i > 8 {
			row.ForkedFromID = &made[i-9].ID
		}
		if err := st.Projects.Create(t.Context(), &row, nil); err != nil {
			t.Fatal(err)
		}
		made = append(made, &row)
	}
	p.joinProject(made[3], direct, model.Maintainer, nil)
	p.joinProject(made[6], direct, model.Guest, nil)
	p.join(top, above, model.Developer, nil)
	p.joinProject(made[0], above, model.Owner, nil) // also through the group
	p.join(team, invited, model.Maintainer, nil)
	p.share(low, team, model.Developer, nil)
	p.join(other, shared, model.Reporter, nil)
	p.shareProject(made[0], other, model.Guest, nil)
	p.shareProject(made[3], other, model.Developer, nil)
	for _, g := range []*model.Namespace{top, other, team} {
		p.join(g, all, model.Owner, nil)
	}
	return map[string]*store.Reader{
		"anonymous": nil, "administrator": {UserID: storetest.User(t, st).ID, Admin: true},
		"nowhere": {UserID: storetest.User(t, st).ID}, "external": {UserID: direct.ID, External: true},
		"direct": {UserID: direct.ID}, "above": {UserID: above.ID}, "invited": {UserID: invited.ID},
		"shared": {UserID: shared.ID}, "all": {UserID: all.ID},
	}
}

// openGroup creates a public group.
func openGroup(p *place, parent *model.Namespace) *model.Namespace {
	p.t.Helper()
	p.count++
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path, g.Visibility = "g", fmt.Sprintf("g%d", p.count), model.Public
	if parent != nil {
		g.ParentID = &parent.ID
	}
	if err := p.st.Namespaces.Create(p.t.Context(), &g); err != nil {
		p.t.Fatal(err)
	}
	return &g
}

func checkPages(t *testing.T, st *store.Store, f store.ProjectFilter, o store.ProjectOrder, r *store.Reader) {
	t.Helper()
	const size = 4
	want, count, err := st.Projects.List(t.Context(), f, o, r, store.Page{Limit: longLists})
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(want)+2*size; at += size {
		rows, total, err := st.Projects.List(t.Context(), f, o, r, store.Page{Limit: size, Offset: at})
		if err != nil {
			t.Fatal(err)
		}
		from, to := min(at, len(want)), min(at+size, len(want))
		sameProjects(t, rows, want[from:to])
		if total != (store.Total{Count: count.Count, Known: true, More: at+size < len(want)}) {
			t.Errorf("%+v by %s at %d: the total is %+v, want %+v", f.MinAccess, o.Column, at, total, count)
		}
	}
}

func checkKeyset(t *testing.T, st *store.Store, r *store.Reader, desc bool) {
	t.Helper()
	want, _, err := st.Projects.After(t.Context(), store.ProjectFilter{}, r, store.Keyset{Column: "id", Desc: desc, Limit: longLists})
	if err != nil {
		t.Fatal(err)
	}
	k, all := store.Keyset{Column: "id", Desc: desc, Limit: 3}, []model.ProjectRow{}
	for more := true; more; {
		var rows []model.ProjectRow
		if rows, more, err = st.Projects.After(t.Context(), store.ProjectFilter{}, r, k); err != nil {
			t.Fatal(err)
		}
		if all = append(all, rows...); more {
			k.After = &store.Key{ID: rows[len(rows)-1].Project.ID}
		}
	}
	sameProjects(t, all, want)
	for _, row := range all {
		alone, err := st.Projects.Get(t.Context(), row.Project.ID, "", r)
		if err != nil || !reflect.DeepEqual(row, alone) {
			t.Errorf("listed %+v, alone %+v (%v)", row, alone, err)
		}
	}
}

func sameProjects(t *testing.T, rows, want []model.ProjectRow) {
	t.Helper()
	if len(rows) != len(want) {
		t.Fatalf("%d projects, want %d", len(rows), len(want))
	}
	for i := range rows {
		if !reflect.DeepEqual(rows[i], want[i]) {
			t.Errorf("at %d there is %+v, want %+v", i, rows[i], want[i])
		}
	}
}

// If the ids of a page are close together and far from the first id, the list counts as too long to count. Lists in
// another order are counted.
func TestALongListOfProjectsIsNotCounted(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := &place{t: t, st: st}
	in := openGroup(p, nil)
	for i := range 25 {
		row := model.DefaultProject()
		row.ID, row.NamespaceID, row.Visibility = int64(50000+i), in.ID, model.Public
		row.Name, row.Path = fmt.Sprintf("p%d", i), fmt.Sprintf("p%d", i)
		if err := st.Projects.Create(t.Context(), &row, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		order store.ProjectOrder
		at    int
		want  store.Total
	}{
		{store.ProjectOrder{Column: "id", Desc: true}, 0, store.Total{Count: store.CountCap + 1, More: true}},
		{store.ProjectOrder{Column: "created_at", Desc: true}, 0, store.Total{Count: store.CountCap + 1, More: true}},
		{store.ProjectOrder{Column: "id", Desc: true}, 20, store.Total{Count: 25, Known: true}}, // reaches the end
		{store.ProjectOrder{Column: "id", Desc: true}, 40, store.Total{Count: 25, Known: true}},
		{store.ProjectOrder{Column: "id"}, 0, store.Total{Count: 25, Known: true, More: true}},
		{store.ProjectOrder{Column: "name", Desc: true}, 0, store.Total{Count: 25, Known: true, More: true}},
	} {
		rows, total, err := st.Projects.List(t.Context(), store.ProjectFilter{}, c.order, nil, store.Page{Limit: 20, Offset: c.at})
		if err != nil || total != c.want {
			t.Errorf("%+v at %d: %d rows, %+v, want %+v (%v)", c.order, c.at, len(rows), total, c.want, err)
		}
	}
}
