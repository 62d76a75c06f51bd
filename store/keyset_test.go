package store_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// walk reads all pages of a keyset, calls between after every page, and returns the keys in the order in which they
// came.
func walk(t testing.TB, st *store.Store, k store.Keyset, value func(model.InstanceVariable) string, between func(page int)) []string {
	t.Helper()
	var seen []string
	for page := 1; ; page++ {
		rows, more, err := st.InstanceVariables.After(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) > k.Limit || (more && len(rows) != k.Limit) {
			t.Fatalf("page %d has %d rows, more is %v", page, len(rows), more)
		}
		seen = append(seen, keys(rows)...)
		if !more {
			return seen
		}
		if page > 100 {
			t.Fatal("the walk does not end")
		}
		last := rows[len(rows)-1]
		k.After = &store.Key{Value: value(last), ID: last.ID}
		between(page)
	}
}

func byID(model.InstanceVariable) string      { return "" }
func byKey(v model.InstanceVariable) string   { return v.Key }
func byValue(v model.InstanceVariable) string { return v.Value }

func rowFor(t testing.TB, st *store.Store, key, value string) {
	t.Helper()
	if err := st.InstanceVariables.Create(t.Context(), &model.InstanceVariable{Key: key, Value: value}, 1000); err != nil {
		t.Fatal(err)
	}
}

func TestAKeysetWalkShowsEveryRowOnceInOrder(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	// The order of creation is neither that of the keys nor that of the values.
	created := []string{"d", "a", "f", "c", "g", "b", "e"}
	for i, key := range created {
		rowFor(t, st, key, "v"+strconv.Itoa(i%2))
	}
	byTies := []string{"d", "f", "g", "e", "a", "c", "b"} // v0 in order of creation, then v1
	cases := []struct {
		column string
		value  func(model.InstanceVariable) string
		want   []string
	}{
		{"id", byID, created},
		{"key", byKey, []string{"a", "b", "c", "d", "e", "f", "g"}},
		{"value", byValue, byTies},
	}
	for _, c := range cases {
		for _, desc := range []bool{false, true} {
			for _, limit := range []int{1, 2, 3, 7, 20} {
				t.Run(fmt.Sprintf("%s desc=%v by %d", c.column, desc, limit), func(t *testing.T) {
					t.Parallel()
					want := slices.Clone(c.want)
					if desc {
						slices.Reverse(want)
					}
					got := walk(t, st, store.Keyset{Column: c.column, Desc: desc, Limit: limit}, c.value, func(int) {})
					if diff := cmp.Diff(want, got); diff != "" {
						t.Error(diff)
					}
				})
			}
		}
	}
}

func TestRowsAddedBetweenPagesShiftNothing(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		keyset store.Keyset
		value  func(model.InstanceVariable) string
		added  []string // after the first page
		want   []string
	}{
		// New rows have larger ids: an ascending walk meets them at its end, a descending one never.
		{"id", store.Keyset{Column: "id"}, byID, []string{"x", "y"}, []string{"b", "d", "f", "h", "x", "y"}},
		{"id desc", store.Keyset{Column: "id", Desc: true}, byID, []string{"x", "y"}, []string{"h", "f", "d", "b"}},
		// A new row before the cursor is not met, a new row after it is. No old row is repeated or left out.
		{"key", store.Keyset{Column: "key"}, byKey, []string{"a", "g"}, []string{"b", "d", "f", "g", "h"}},
		{"key desc", store.Keyset{Column: "key", Desc: true}, byKey, []string{"i", "a"}, []string{"h", "f", "d", "b", "a"}},
		// All rows have the same value, so the id decides.
		{"value", store.Keyset{Column: "value"}, byValue, []string{"a", "c"}, []string{"b", "d", "f", "h", "a", "c"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			st := storetest.New(t)
			for _, key := range []string{"b", "d", "f", "h"} {
				rowFor(t, st, key, "same")
			}
			c.keyset.Limit = 2
			got := walk(t, st, c.keyset, c.value, func(page int) {
				for _, key := range c.added {
					if page == 1 {
						rowFor(t, st, key, "same")
					}
				}
			})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestARowDeletedBetweenPagesHidesNoOther(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for _, key := range []string{"a", "b", "c", "d"} {
		rowFor(t, st, key, "v")
	}
	got := walk(t, st, store.Keyset{Column: "key", Limit: 2}, byKey, func(int) {
		if err := st.InstanceVariables.Delete(t.Context(), "b", nil); err != nil { // the row that the cursor names
			t.Fatal(err)
		}
	})
	if diff := cmp.Diff([]string{"a", "b", "c", "d"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAKeysetPageCostsOneStatement(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	variables(t, st, 150)
	for _, limit := range []int{1, 100} {
		before := st.Statements()
		if _, _, err := st.InstanceVariables.After(t.Context(), store.Keyset{
			Column: "key", Limit: limit, After: &store.Key{Value: "K00001", ID: 1},
		}); err != nil {
			t.Fatal(err)
		}
		if got := st.Statements() - before; got != 1 {
			t.Errorf("a page of %d costs %d statements", limit, got)
		}
	}
}

func TestAKeysetCursorIsNeverReadAsSQL(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	variables(t, st, 3)
	rows, _, err := st.InstanceVariables.After(t.Context(), store.Keyset{
		Column: "key", Limit: 20, After: &store.Key{Value: "K00002') OR 1=1 --", ID: 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"K00003"}, keys(rows)); diff != "" {
		t.Error(diff)
	}
}
