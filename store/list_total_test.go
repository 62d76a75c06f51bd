package store_test

import (
	"fmt"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// A list has its total in the same statement, whatever its columns are, and its times keep every digit.
func TestAListHasItsTotalInOneStatement(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	owner := storetest.User(t, st)
	p := storetest.Project(t, st, owner)
	in := store.OwnedByProject(p)
	at := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	var first model.Label
	for n := range 5 {
		l := model.Label{ProjectID: &p.ID, Name: fmt.Sprintf("l%d", n), Color: "#ffffff", CreatedAt: at, UpdatedAt: at}
		priority := int64(n)
		if err := st.Labels.Create(t.Context(), &l, &priority); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			first = l
		}
		b := model.Board{ProjectID: &p.ID, Name: l.Name}
		if _, err := st.Boards.Create(t.Context(), in, &b, 10); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Subscriptions.Set(t.Context(), model.OnLabel, first.ID, owner.ID, true); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		page       store.Page
		rows       int
		more       bool
		statements int64
	}{
		{store.Page{Limit: 20}, 5, false, 1},
		{store.Page{Limit: 2}, 2, true, 1},
		{store.Page{Limit: 2, Offset: 4}, 1, false, 1},
		{store.Page{Limit: 2, Offset: 9}, 0, false, 2}, // no row has the total
	} {
		before := st.Statements()
		rows, total, err := st.Labels.List(t.Context(), in, store.LabelFilter{Ancestors: true, UserID: owner.ID, Times: true}, c.page)
		if err != nil || len(rows) != c.rows || total != (store.Total{Count: 5, Known: true, More: c.more}) {
			t.Errorf("%+v: %d rows, %+v, %v", c.page, len(rows), total, err)
		}
		if n := st.Statements() - before; n != c.statements {
			t.Errorf("%+v: %d statements", c.page, n)
		}
		for i, row := range rows {
			n := int64(c.page.Offset + i)
			if !row.Label.CreatedAt.Equal(at) || row.Priority == nil || *row.Priority != n || row.Subscribed != (n == 0) {
				t.Errorf("%+v: %+v", c.page, row)
			}
		}
	}
	boards, total, err := st.Boards.List(t.Context(), in, store.Page{Limit: 2})
	if err != nil || len(boards) != 2 || total.Count != 5 || !total.More {
		t.Errorf("%d boards, %+v, %v", len(boards), total, err)
	}
}

// A list that computes all rows counts them while it does.
func TestMembersOfAllGroupsAreCountedInOneStatement(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	for range 4 {
		m := model.Member{
			SourceType: model.SourceProject, SourceID: p.ID, UserID: storetest.User(t, st).ID, AccessLevel: model.Developer,
		}
		if err := st.Members.Add(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	f := store.MemberFilter{SourceType: model.SourceProject, SourceID: p.ID, Inherited: true}
	all, whole, err := st.Members.List(t.Context(), f, store.Page{Limit: 20})
	if err != nil || whole.Count != int64(len(all)) || len(all) < 4 {
		t.Fatalf("%d members, %+v, %v", len(all), whole, err)
	}
	before := st.Statements()
	rows, total, err := st.Members.List(t.Context(), f, store.Page{Limit: 2})
	if err != nil || len(rows) != 2 || total.Count != whole.Count || !total.More {
		t.Errorf("%d members, %+v, %v", len(rows), total, err)
	}
	if n := st.Statements() - before; n != 1 { // it reads the users, too
		t.Errorf("%d statements", n)
	}
}
