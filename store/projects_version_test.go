package store_test

import (
	"reflect"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// Lists use cached projects. However a row changes, also through another table, its namespace or the owner of that,
// lists show the current state.
func TestListsShowProjectsAsTheyAre(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	owner, creator := storetest.User(t, st), storetest.User(t, st)
	origin := storetest.Project(t, st, owner)
	fork := storetest.Project(t, st, owner, func(p *model.Project) { p.ForkedFromID, p.CreatorID = &origin.ID, &creator.ID })
	reader := &store.Reader{Admin: true}
	versions := map[int64]bool{}
	for _, change := range []string{
		"SELECT 1",
		"UPDATE projects SET description = 'another'",
		"UPDATE projects SET star_count = star_count + 1",
		"UPDATE projects SET star_count = star_count", // changes no value, but still gives a new version
		"UPDATE users SET name = 'Another' WHERE username = '" + owner.Username + "'",
		"UPDATE users SET locked_at = '2026-01-02 03:04:05' WHERE username = '" + owner.Username + "'",
		"UPDATE namespaces SET name = 'another' WHERE path = '" + owner.Username + "'",
		"UPDATE namespaces SET avatar = 'another.png' WHERE path = '" + owner.Username + "'",
		"DELETE FROM users WHERE username = '" + creator.Username + "'",
		"DELETE FROM projects WHERE path = '" + origin.Path + "'",
	} {
		if _, err := st.SQL().ExecContext(t.Context(), change); err != nil {
			t.Fatalf("%s: %v", change, err)
		}
		for range 2 { // from the table, and from the cache
			rows, _, err := st.Projects.List(
				t.Context(), store.ProjectFilter{}, store.ProjectOrder{Column: "id", Desc: true}, reader,
				store.Page{Limit: 20},
			)
			if err != nil {
				t.Fatal(err)
			}
			alone, err := st.Projects.Get(t.Context(), fork.ID, "", reader)
			if err != nil || !reflect.DeepEqual(rows[0], alone) {
				t.Errorf("%s: listed %+v, alone %+v, %v", change, rows[0], alone, err)
			}
			versions[rows[0].Project.Version] = true
		}
	}
	if len(versions) != 10 {
		t.Errorf("%d versions", len(versions))
	}
}
