package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// variables adds many variables with the keys K00001, K00002, …, with many rows per statement.
func variables(t testing.TB, st *store.Store, many int) {
	t.Helper()
	for first := 1; first <= many; first += 1000 {
		var rows []string
		for n := first; n <= min(many, first+999); n++ {
			rows = append(rows, fmt.Sprintf("('K%05d', 'v', '2024-01-01 00:00:00+00:00', '2024-01-01 00:00:00+00:00')", n))
		}
		_, err := st.SQL().ExecContext(t.Context(),
			"INSERT INTO instance_variables (key, value, created_at, updated_at) VALUES "+strings.Join(rows, ", "))
		if err != nil {
			t.Fatal(err)
		}
	}
}

func keys(rows []model.InstanceVariable) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = row.Key
	}
	return out
}

func TestAPageIsAWindowInOrder(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	variables(t, st, 5)
	cases := []struct {
		name       string
		page       store.Page
		keys       []string
		total      store.Total
		statements int64
	}{
		{
			"all and room for more",
			store.Page{Limit: 20},
			[]string{"K00001", "K00002", "K00003", "K00004", "K00005"},
			store.Total{Count: 5, Known: true},
			1,
		},
		{
			"exactly all",
			store.Page{Limit: 5},
			[]string{"K00001", "K00002", "K00003", "K00004", "K00005"},
			store.Total{Count: 5, Known: true},
			1,
		},
		{"first", store.Page{Limit: 2}, []string{"K00001", "K00002"}, store.Total{Count: 5, Known: true, More: true}, 2},
		{"middle", store.Page{Limit: 2, Offset: 2}, []string{"K00003", "K00004"}, store.Total{Count: 5, Known: true, More: true}, 2},
		{"last, not full", store.Page{Limit: 2, Offset: 4}, []string{"K00005"}, store.Total{Count: 5, Known: true}, 1},
		{"last, full", store.Page{Limit: 1, Offset: 4}, []string{"K00005"}, store.Total{Count: 5, Known: true}, 1},
		{"just past the end", store.Page{Limit: 2, Offset: 5}, []string{}, store.Total{Count: 5, Known: true}, 2},
		{"far past the end", store.Page{Limit: 2, Offset: 1 << 40}, []string{}, store.Total{Count: 5, Known: true}, 2},
	}
	for _, c := range cases { // one after the other, because statements are counted
		before := st.Statements()
		rows, total, err := st.InstanceVariables.List(t.Context(), c.page)
		if err != nil {
			t.Fatal(err)
		}
		if got := st.Statements() - before; got != c.statements {
			t.Errorf("%s: %d statements, want %d", c.name, got, c.statements)
		}
		if diff := cmp.Diff(c.keys, keys(rows)); diff != "" {
			t.Errorf("%s: rows differ:\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.total, total); diff != "" {
			t.Errorf("%s: total differs:\n%s", c.name, diff)
		}
	}
}

func TestAnEmptyListIsNotNilAndCountedAtNoCost(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	before := st.Statements()
	rows, total, err := st.InstanceVariables.List(t.Context(), store.Page{Limit: 20})
	if err != nil {
		t.Fatal(err)
	}
	if rows == nil || len(rows) != 0 || total != (store.Total{Known: true}) {
		t.Errorf("rows %v, total %+v", rows, total)
	}
	if got := st.Statements() - before; got != 1 {
		t.Errorf("%d statements, want 1", got)
	}
}

func TestStatementsDoNotDependOnTheListsLength(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	variables(t, st, 250)
	cost := func(limit int) int64 {
		before := st.Statements()
		rows, _, err := st.InstanceVariables.List(t.Context(), store.Page{Limit: limit})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != limit {
			t.Fatalf("%d rows, want %d", len(rows), limit)
		}
		return st.Statements() - before
	}
	want := cost(1)
	for _, limit := range []int{20, 100} {
		if got := cost(limit); got != want {
			t.Errorf("a page of %d costs %d statements, one of 1 costs %d", limit, got, want)
		}
	}
}

func TestTotalsAreLeftOutAboveTenThousandRows(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	variables(t, st, store.CountCap)
	total := func(p store.Page) store.Total {
		t.Helper()
		_, total, err := st.InstanceVariables.List(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return total
	}
	all := store.Total{Count: 10000, Known: true}
	if diff := cmp.Diff(store.Total{Count: 10000, Known: true, More: true}, total(store.Page{Limit: 20})); diff != "" {
		t.Errorf("first page of 10,000:\n%s", diff)
	}
	if diff := cmp.Diff(all, total(store.Page{Limit: 20, Offset: 9980})); diff != "" {
		t.Errorf("last page of 10,000:\n%s", diff)
	}
	if diff := cmp.Diff(all, total(store.Page{Limit: 20, Offset: 10000})); diff != "" {
		t.Errorf("past the end of 10,000:\n%s", diff)
	}
	one := &model.InstanceVariable{Key: "ONE_MORE", Value: "v"}
	if err := st.InstanceVariables.Create(t.Context(), one, store.CountCap+1); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		page store.Page
		more bool
	}{
		"first page":       {store.Page{Limit: 20}, true},
		"before the last":  {store.Page{Limit: 20, Offset: 9980}, true},
		"last page":        {store.Page{Limit: 20, Offset: 10000}, false},
		"past the end":     {store.Page{Limit: 20, Offset: 20000}, false},
		"one row per page": {store.Page{Limit: 1, Offset: 10000}, false},
	} {
		if got := total(c.page); got.Known || got.More != c.more {
			t.Errorf("%s of 10,001: total is %+v, want unknown with more %v", name, got, c.more)
		}
	}
}

func TestAListThatFailsSaysSo(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	if _, _, err := st.InstanceVariables.List(ctx, store.Page{Limit: 1}); err == nil {
		t.Error("no error")
	}
	if _, _, err := st.InstanceVariables.After(ctx, store.Keyset{Column: "id", Limit: 1}); err == nil {
		t.Error("no error of the keyset")
	}
}
