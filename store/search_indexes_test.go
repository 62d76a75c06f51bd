package store_test

import (
	"fmt"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// A search finds the same before and after merging. If the index had many segments, one is left.
func TestTidySearchChangesNothingThatIsFound(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for i := range 11 {
		storetest.User(t, st, func(u *model.User) { u.Username = fmt.Sprintf("tidy%d", i) })
	}
	if err := st.Users.Update(t.Context(), 1, map[string]any{"username": "renamed"}); err != nil {
		t.Fatal(err)
	}
	pieces := func() (n int) {
		if storetest.Postgres() {
			return 1
		}
		if err := st.SQL().QueryRowContext(t.Context(), "SELECT count(DISTINCT segid) FROM user_search_idx").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := pieces(); n < 4 && !storetest.Postgres() {
		t.Fatalf("%d pieces are too few to put together", n)
	}
	find := func() string {
		return found(t, st, store.UserFilter{Search: "tidy"}) + ", " + found(t, st, store.UserFilter{Search: "name"})
	}
	want := find()
	for range 2 {
		if err := st.MergeSearchIndexes(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, n := find(), pieces(); got != want || n != 1 {
			t.Errorf("%d pieces find %q, want %q", n, got, want)
		}
	}
	storetest.User(t, st, func(u *model.User) { u.Username = "tidyagain" })
	if got := found(t, st, store.UserFilter{Search: "tidyagain"}); got != "tidyagain" {
		t.Errorf("afterwards %q is found", got)
	}
}
