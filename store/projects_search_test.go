package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func projectAt(t testing.TB, st *store.Store, in int64, name, path string) model.Project {
	t.Helper()
	p := model.DefaultProject()
	p.NamespaceID, p.Name, p.Path, p.Visibility = in, name, path, model.Public
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	return p
}

func newGroup(t testing.TB, st *store.Store) model.Namespace {
	t.Helper()
	g := model.DefaultNamespace(model.NamespaceGroup)
	g.Name, g.Path = "Group", "group"
	if err := st.Namespaces.Create(t.Context(), &g); err != nil {
		t.Fatal(err)
	}
	return g
}

func projectsFound(t testing.TB, st *store.Store, term string) []string {
	t.Helper()
	rows, total, err := st.Projects.List(
		t.Context(), store.ProjectFilter{Search: term}, store.ProjectOrder{Column: "id"}, nil, store.Page{Limit: 1000},
	)
	if err != nil || int(total.Count) != len(rows) {
		t.Fatalf("%q: %d of %d, %v", term, len(rows), total.Count, err)
	}
	var names []string
	for _, row := range rows {
		names = append(names, row.Project.Name)
	}
	return names
}

func TestSearchFindsWhatTheNamesOfProjectsHold(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	in := newGroup(t, st).ID
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same names in every run
	letters := []rune(`abABé日_%"'\- .`)
	text := func(most int) string {
		out := make([]rune, 1+random.IntN(most))
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	type pair struct{ name, path string }
	var all []pair
	for i := range 300 {
		p := pair{
			fmt.Sprintf("%s%d", text(12), i),
			fmt.Sprintf("p%d-%s", i, strings.Repeat(string("abAB"[random.IntN(4)]), random.IntN(4))),
		}
		projectAt(t, st, in, p.name, p.path)
		all = append(all, p)
	}
	hits := 0
	for range 400 {
		term := strings.TrimSpace(text(4))
		if random.IntN(2) == 0 { // a part of an existing name
			name := []rune(all[random.IntN(len(all))].name)
			from := random.IntN(len(name))
			term = strings.TrimSpace(string(name[from:min(len(name), from+1+random.IntN(5))]))
		}
		if term == "" {
			continue
		}
		var want []string
		for _, p := range all {
			if strings.Contains(strings.ToLower(p.name), strings.ToLower(term)) ||
				strings.Contains(strings.ToLower(p.path), strings.ToLower(term)) {
				want = append(want, p.name)
			}
		}
		hits += len(want)
		if got := projectsFound(t, st, term); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", term, got, want)
		}
	}
	if hits == 0 {
		t.Error("no term finds anything")
	}
}

func TestSearchOfProjectsFollowsEveryChange(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	in := newGroup(t, st).ID
	p := projectAt(t, st, in, "Telescope", "scope")
	projectAt(t, st, in, "Other", "other")
	check := func(when string, want map[string]int) {
		for term, n := range want {
			if got := projectsFound(t, st, term); len(got) != n {
				t.Errorf("%s %q finds %q", when, term, got)
			}
		}
	}
	check("at first", map[string]int{"TELE": 1, "scope": 1, "other": 1, "group": 0, "x' OR 1=1 --": 0, `sco" OR "tel`: 0})
	if err := st.Projects.Update(t.Context(), p.ID, map[string]any{"name": "Microscope", "path": "micro"}); err != nil {
		t.Fatal(err)
	}
	check("after a change", map[string]int{"tele": 0, "micro": 1, "roscop": 1})
	if err := st.Projects.Delete(t.Context(), p.ID, nil); err != nil {
		t.Fatal(err)
	}
	check("after its end", map[string]int{"micro": 0, "other": 1})
}

func TestSearchOfProjectsIsBackedByAnIndexAlsoForFrequentTerms(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	in := newGroup(t, st).ID
	first := projectAt(t, st, in, "common needle", "first")
	number := "WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n FROM s"
	hash := "printf('%x', n * 2654435761 % 4294967296)"
	if storetest.Postgres() {
		hash = "md5(n::text)"
	}
	columns := strings.Join(slices.DeleteFunc(columns(t, st, "projects"), func(c string) bool {
		return slices.Contains([]string{"id", "name", "path", "full_path"}, c)
	}), ", ")
	fill := "INSERT INTO projects (name, path, full_path, " + columns + ") SELECT 'common ' || " + hash +
		" || n, 'p' || n, 'group/p' || n, " + columns +
		" FROM (" + number + ") AS numbers, projects"
	if _, err := st.SQL().ExecContext(t.Context(), fill); err != nil {
		t.Fatal(err)
	}
	if _, err := st.SQL().ExecContext(t.Context(), "ANALYZE projects"); err != nil {
		t.Fatal(err)
	}
	explain := map[bool]string{true: "EXPLAIN ", false: "EXPLAIN QUERY PLAN "}[storetest.Postgres()]
	for _, term := range []string{"needle", "common"} {
		where := store.ProjectSearch(t.Context(), st, term)
		got := plan(t, st, explain+"SELECT id FROM projects WHERE "+where+" ORDER BY created_at DESC, id DESC LIMIT 21")
		for _, line := range strings.Split(got, "\n") {
			if strings.Contains(line, "Seq Scan on projects") ||
				(strings.HasPrefix(line, "SCAN projects") && !strings.Contains(line, "INDEX")) {
				t.Errorf("%s\n%s", where, got)
			}
		}
		rows, _, err := st.Projects.List(
			t.Context(), store.ProjectFilter{Search: term}, store.ProjectOrder{Column: "id"}, nil, store.Page{Limit: 1},
		)
		if err != nil || len(rows) != 1 || rows[0].Project.ID != first.ID {
			t.Errorf("%s finds %d, %v", term, len(rows), err)
		}
	}
}
