package store_test

import (
	"fmt"
	"strings"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

func TestAPageOfUsersCostsFewStatements(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for range 5 {
		storetest.User(t, st)
	}
	// SQLite checks how common a term is, if the term is short or the order is not by id.
	probe := int64(1)
	if storetest.Postgres() {
		probe = 0
	}
	for _, c := range []struct {
		term, column string
		most         int64
	}{{"", "id", 1}, {"", "name", 1}, {"user", "id", 1}, {"us", "id", 1 + probe}, {"user", "name", 1 + probe}} {
		f := store.UserFilter{Search: c.term, Active: true, CustomAttributes: map[string]string{}}
		before := st.Statements()
		rows, total, err := st.Users.List(t.Context(), f, store.UserOrder{Column: c.column}, store.Page{Limit: 2})
		if err != nil || len(rows) != 2 || total.Count != 5 {
			t.Fatalf("%d of %d users, %v", len(rows), total.Count, err)
		}
		if got := st.Statements() - before; got != c.most+1 {
			t.Errorf("a page of %q by %s costs %d statements", c.term, c.column, got)
		}
		before = st.Statements()
		k := store.Keyset{Column: c.column, Limit: 2, After: &store.Key{Value: "User", ID: 1}}
		if _, _, err := st.Users.After(t.Context(), f, k); err != nil {
			t.Fatal(err)
		}
		if got := st.Statements() - before; got != c.most {
			t.Errorf("a keyset page of %q by %s costs %d statements", c.term, c.column, got)
		}
	}
}

func found(t testing.TB, st *store.Store, f store.UserFilter) string {
	t.Helper()
	rows, _, err := st.Users.List(t.Context(), f, store.UserOrder{Column: "id"}, store.Page{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, u := range rows {
		names = append(names, u.Username)
	}
	return strings.Join(names, " ")
}

func TestSearchFollowsEveryChangeOfAName(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st, func(u *model.User) { u.Username, u.Name = "sidney", `100% "Sid" O'Neill_x \ Jones` })
	storetest.User(t, st)
	for term, want := range map[string]string{
		"idne": "sidney", "JONES": "sidney", `0% "s`: "sidney", "O'N": "sidney", "l_x": "sidney", `x \ J`: "sidney",
		"si": "sidney", "10": "sidney", "id": "", "%%%": "", "l.x": "", "sid*": "", "sid OR": "", "sidney jones": "", "x' OR 1=1 --": "",
	} {
		if got := found(t, st, store.UserFilter{Search: term}); got != want {
			t.Errorf("%q finds %q, want %q", term, got, want)
		}
	}
	if err := st.Users.Update(t.Context(), u.ID, map[string]any{"name": "Robin", "username": "robin"}); err != nil {
		t.Fatal(err)
	}
	for term, want := range map[string]string{"sidney": "", "jones": "", "obi": "robin"} {
		if got := found(t, st, store.UserFilter{Search: term}); got != want {
			t.Errorf("after the change %q finds %q, want %q", term, got, want)
		}
	}
}

func TestSearchAndKeysetPagesUseIndexes(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	if storetest.Postgres() {
		// The planner prefers a scan on few rows. What matters is that it can do without one.
		if _, err := st.SQL().ExecContext(t.Context(), `INSERT INTO users (username, name, email, created_at, updated_at)
			SELECT 'u' || n, md5(n::text), 'u' || n || '@example.com', now(), now() FROM generate_series(1, 20000) n`); err != nil {
			t.Fatal(err)
		}
		if _, err := st.SQL().ExecContext(t.Context(), "ANALYZE users, user_search"); err != nil {
			t.Fatal(err)
		}
	}
	explain := "EXPLAIN QUERY PLAN "
	if storetest.Postgres() {
		explain = "EXPLAIN "
	}
	for _, q := range []string{
		"SELECT * FROM users ORDER BY name, id LIMIT 21",
		"SELECT * FROM users WHERE (username, id) > ('u5', 7) ORDER BY username, id LIMIT 21",
		"SELECT * FROM users WHERE (" + store.NameSearch(st, "abcd") + ") ORDER BY id DESC LIMIT 21",
		"SELECT * FROM users WHERE (" + store.NameSearch(st, "abcd") + " OR lower(email) = 'a@b') ORDER BY id DESC LIMIT 21",
		"SELECT * FROM users WHERE (" + store.NameSearch(st, "zz") + ") ORDER BY id DESC LIMIT 21",
		"SELECT * FROM users WHERE (" + store.NameSearch(st, "abcd") + ") ORDER BY id + 0 DESC LIMIT 21",
	} {
		plan := plan(t, st, explain+q)
		for _, line := range strings.Split(plan, "\n") {
			if strings.Contains(line, "Seq Scan on user") || (strings.HasPrefix(line, "SCAN users") && !strings.Contains(line, "INDEX")) {
				t.Errorf("%s\n%s", q, plan)
			}
		}
	}
}

func plan(t testing.TB, st *store.Store, query string) string {
	t.Helper()
	rows, err := st.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var out strings.Builder
	for rows.Next() {
		var a, b, c any
		var line string
		dest := []any{&a, &b, &c, &line}
		if storetest.Postgres() {
			dest = dest[3:]
		}
		if err := rows.Scan(dest...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, line)
	}
	return out.String()
}
