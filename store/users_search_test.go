package store_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// searched is a user as a search without any index sees them.
type searched struct {
	id                 int64
	name, username     string
	lowName, lowerUser string // lower-cased by the database
	email              string
	active             bool
}

// letters are few, so that parts of names repeat. They contain all characters that are special to LIKE, FTS5 or case
// folding.
var letters = []string{
	"a", "b", "A", "n", "k", "S", "%", "_", `\`, "'", `"`, "é", "É",
	"\u017f", "\u212a", "ß", "я", "Я", "日", " ", "*", "-", "ab", "ana",
}

func word(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(letters[r.IntN(len(letters))])
	}
	return b.String()
}

// crowd fills a database with users. Most names contain a common part, the old ones another.
func crowd(t testing.TB, st *store.Store, r *rand.Rand, n int) {
	t.Helper()
	people(t, st, n, func(i int) (name, state string) {
		name, state = word(r, 1+r.IntN(6)), "active"
		if i%3 > 0 {
			name += " Everybody"
		}
		if i < n/4 {
			name += " oldest hand"
		}
		if i%7 == 0 {
			state = "blocked"
		}
		return name, state
	})
}

// people fills a database with users with the given names and states.
func people(t testing.TB, st *store.Store, n int, who func(i int) (name, state string)) {
	t.Helper()
	for begin := 0; begin < n; begin += 500 {
		var values []string
		var args []any
		for i := begin; i < min(n, begin+500); i++ {
			at := 4 * len(values)
			row := fmt.Sprintf("($%d, $%d, $%d, $%d, '2026-01-02 03:04:05', '2026-01-02 03:04:05')", at+1, at+2, at+3, at+4)
			name, state := who(i)
			values, args = append(values, row), append(args,
				fmt.Sprintf("user-%d.%x", i, i*31%4096), name, fmt.Sprintf("u%d@example.com", i), state)
		}
		query := "INSERT INTO users (username, name, email, state, created_at, updated_at) VALUES " + strings.Join(values, ", ")
		if _, err := st.SQL().ExecContext(t.Context(), query, args...); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := st.SQL().ExecContext(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

func everybody(t testing.TB, st *store.Store) []searched {
	t.Helper()
	rows, err := st.SQL().QueryContext(t.Context(), "SELECT id, name, username, lower(name), lower(username), email, state FROM users")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var out []searched
	for rows.Next() {
		var u searched
		var state string
		if err := rows.Scan(&u.id, &u.name, &u.username, &u.lowName, &u.lowerUser, &u.email, &state); err != nil {
			t.Fatal(err)
		}
		u.active = state == "active"
		out = append(out, u)
	}
	return out
}

// naive reports whether a user matches a term, without an index.
func naive(u searched, term, lowTerm string) bool {
	if strings.Contains(term, "@") && strings.EqualFold(u.email, term) {
		return true
	}
	if utf8.RuneCountInString(term) < 3 {
		return strings.HasPrefix(u.lowName, lowTerm) || strings.HasPrefix(u.lowerUser, lowTerm)
	}
	if storetest.Postgres() {
		return strings.Contains(u.lowName, lowTerm) || strings.Contains(u.lowerUser, lowTerm)
	}
	fold := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "\u017f", "s") }
	return strings.Contains(fold(u.name), fold(term)) || strings.Contains(fold(u.username), fold(term))
}

func terms(r *rand.Rand, all []searched) []string {
	out := []string{
		"Every", "everybody", "body", "ery", "use", "user-", "us", "u", "a", "an", "%", "_", `\`, "é", "日", "я", "nobody at all", "zzz",
		"oldest hand", "Everybody oldest", "body old", "%%%", "___", `"a"`, "a*",
		"u7@example.com", "U17@Example.com", "@example.com", "kkk", "sss",
		"\u017f\u017f\u017f", "\u212a\u212a\u212a", "яяя", "user-1", "user-12.", "everybody oldest hand ", "verybodyverybody",
	}
	for range 25 {
		u := all[r.IntN(len(all))]
		runes := []rune(u.name)
		if r.IntN(3) == 0 {
			runes = []rune(u.username)
		}
		from := r.IntN(len(runes))
		part := string(runes[from : from+1+r.IntN(len(runes)-from)])
		if r.IntN(2) == 0 {
			part = strings.ToUpper(part)
		}
		out = append(out, part, word(r, 1+r.IntN(4)))
	}
	return slices.DeleteFunc(out, func(s string) bool { return strings.TrimSpace(s) == "" })
}

func TestSearchFindsWhatLookingAtEveryNameFinds(t *testing.T) {
	t.Parallel()
	// Below and above the number of users that is read one by one, and the number that is always counted.
	for _, users := range []int{300, 4000} {
		t.Run(fmt.Sprint(users), func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			r := rand.New(rand.NewPCG(7, uint64(users)))
			crowd(t, st, r, users)
			all := everybody(t, st)
			for _, term := range terms(r, all) {
				compareSearch(t, st, r, all, store.UserFilter{Search: term, SearchPrivateEmail: true, Active: r.IntN(3) == 0})
			}
		})
	}
}

// Every letter that has a case stands between two others. A search must fold it in the same way, whichever path it
// takes.
func TestSearchFoldsCaseInOneWay(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	r := rand.New(rand.NewPCG(7, 7))
	names := map[int]string{}
	for c := 'A'; c < 0x1FFFF; c++ {
		if unicode.SimpleFold(c) != c {
			names[len(names)] = "right " + string(c) + " here"
		}
	}
	people(t, st, len(names), func(i int) (string, string) { return names[i], "active" })
	all := everybody(t, st)
	for _, c := range "abcdefghijklmnopqrstuvwxyz\u017f\u212aÅéßЯ" {
		compareSearch(t, st, r, all, store.UserFilter{Search: "RIGHT " + string(c) + " here"})
	}
}

func compareSearch(t *testing.T, st *store.Store, r *rand.Rand, all []searched, f store.UserFilter) {
	t.Helper()
	term := strings.TrimSpace(f.Search)
	var low string
	if err := st.SQL().QueryRowContext(t.Context(), "SELECT lower($1)", term).Scan(&low); err != nil {
		t.Fatal(err)
	}
	order := store.UserOrder{Column: []string{"id", "id", "username"}[r.IntN(3)], Desc: r.IntN(2) == 0}
	found := slices.DeleteFunc(slices.Clone(all), func(u searched) bool { return (f.Active && !u.active) || !naive(u, term, low) })
	slices.SortFunc(found, func(a, b searched) int {
		by := cmp.Compare(a.id, b.id)
		if order.Column == "username" {
			by = cmp.Compare(a.username, b.username)
		}
		if order.Desc {
			return -by
		}
		return by
	})
	for _, offset := range []int{0, 20, 1500} {
		rows, total, err := st.Users.List(t.Context(), f, order, store.Page{Limit: 20, Offset: offset})
		what := fmt.Sprintf("%q, active %v, by %v from %d", term, f.Active, order, offset)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		sameRows(t, what, rows, found[min(offset, len(found)):min(offset+20, len(found))])
		if total.Known && total.Count != int64(len(found)) || total.More != (len(found) > offset+20) {
			t.Errorf("%s: total %+v of %d", what, total, len(found))
		}
		if !total.Known && (len(all) <= 2500 || len(found) <= 20) {
			t.Errorf("%s: %d of %d users are not counted", what, len(found), len(all))
		}
	}
	compareCursor(t, st, r, found, f, order)
}

// compareCursor continues after some row of the matches.
func compareCursor(t *testing.T, st *store.Store, r *rand.Rand, found []searched, f store.UserFilter, o store.UserOrder) {
	t.Helper()
	k := store.Keyset{Column: o.Column, Desc: o.Desc, Limit: 20}
	behind := 0
	if len(found) > 0 {
		behind = r.IntN(len(found)) + 1
		k.After = &store.Key{Value: found[behind-1].username, ID: found[behind-1].id}
	}
	rows, more, err := st.Users.After(t.Context(), f, k)
	what := fmt.Sprintf("%q, active %v, by %v behind the %dth", f.Search, f.Active, o, behind)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	sameRows(t, what, rows, found[behind:min(behind+20, len(found))])
	if more != (len(found) > behind+20) {
		t.Errorf("%s: more is %v", what, more)
	}
}

func sameRows(t *testing.T, what string, got []model.User, want []searched) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a model.User, b searched) bool { return a.ID == b.id }) {
		t.Errorf("%s: %d rows, want %d", what, len(got), len(want))
		for _, u := range got {
			t.Logf("got  %d %q %s", u.ID, u.Name, u.Username)
		}
		for _, u := range want {
			t.Logf("want %d %q %s", u.id, u.name, u.username)
		}
	}
}
