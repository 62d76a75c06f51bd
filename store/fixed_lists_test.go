package store_test

import (
	"fmt"
	"slices"
	"testing"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"

	"github.com/google/go-cmp/cmp"
)

// The list of all groups has a statement of its own, and must show the same as one with a filter that all groups meet.
func TestTheListOfAllGroupsIsLikeAFilteredOne(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	for n := range 5 {
		g := model.Namespace{Kind: model.NamespaceGroup, Name: fmt.Sprintf("g%d", n%2), Path: fmt.Sprintf("p%d", n)}
		if err := st.Namespaces.Create(t.Context(), &g); err != nil {
			t.Fatal(err)
		}
	}
	admin := &store.Reader{UserID: 1, Admin: true}
	for _, order := range []string{"", "name", "path", "id"} {
		for _, descending := range []bool{false, true} {
			for _, p := range []store.Page{{Limit: 20}, {Limit: 2}, {Limit: 2, Offset: 2}, {Limit: 2, Offset: 9}} {
				f := store.GroupFilter{OrderBy: order, Desc: descending}
				rows, total, err := st.Namespaces.ListGroups(t.Context(), f, admin, p)
				if err != nil {
					t.Fatal(err)
				}
				f.Skip = []int64{-1}
				wanted, wantedTotal, err := st.Namespaces.ListGroups(t.Context(), f, admin, p)
				if err != nil || total != wantedTotal {
					t.Errorf("%+v %+v: %+v, not %+v (%v)", f, p, total, wantedTotal, err)
				}
				if diff := cmp.Diff(wanted, rows); diff != "" {
					t.Errorf("%+v %+v: %s", f, p, diff)
				}
			}
		}
	}
	before := st.Statements()
	_, total, err := st.Namespaces.ListGroups(t.Context(), store.GroupFilter{}, admin, store.Page{Limit: 2})
	if n := st.Statements() - before; err != nil || n != 1 || !total.More || total.Count != 5 {
		t.Errorf("%d statements, %+v, %v", n, total, err)
	}
}

func TestTheFirstPageOfAllAuditEventsHasTheirNumber(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	events := make([]model.AuditEvent, 5)
	for i := range events {
		events[i] = model.AuditEvent{AuthorID: 1, EntityType: "User", EntityID: 1, EventType: "e", Details: "{}"}
	}
	if err := st.AuditEvents.Create(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{2, 20} {
		before := st.Statements()
		rows, total, err := st.AuditEvents.List(t.Context(), store.AuditFilter{}, store.Page{Limit: limit})
		if n := st.Statements() - before; err != nil || n != 1 || total != (store.Total{Count: 5, Known: true, More: limit < 5}) {
			t.Errorf("%d statements, %+v, %v", n, total, err)
		}
		wanted, _, err := st.AuditEvents.ListAfter(t.Context(), store.AuditFilter{}, nil, limit)
		if diff := cmp.Diff(wanted, rows); diff != "" || err != nil {
			t.Errorf("%s (%v)", diff, err)
		}
	}
}

// Rows of a fixed list are read into the same place. A field that is null must not keep the value of the row before, and
// secrets must not share memory.
func TestRowsOfAListKeepNothingOfTheRowBefore(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	name := "first"
	for _, h := range []model.Hook{
		{URL: "https://one.example", Name: &name, Events: model.HookPush, BranchFilterStrategy: "wildcard", Sealed: []byte("one")},
		{URL: "https://two.example", Events: model.HookInstance, BranchFilterStrategy: "wildcard", Sealed: []byte("two")},
	} {
		if err := st.Hooks.Create(t.Context(), &h, 10); err != nil {
			t.Fatal(err)
		}
	}
	rows, total, err := st.Hooks.List(t.Context(), store.HookOwner{}, store.Page{Limit: 20})
	if err != nil || len(rows) != 2 || total.Count != 2 {
		t.Fatalf("%d rows, %+v, %v", len(rows), total, err)
	}
	for _, row := range rows {
		wanted, err := st.Hooks.Get(t.Context(), store.HookOwner{}, row.ID)
		wanted.UpdatedAt = row.UpdatedAt // a list does not read it
		if diff := cmp.Diff(wanted, row); diff != "" || err != nil {
			t.Errorf("%s (%v)", diff, err)
		}
	}
}

func TestMilestonesAreFilteredByAFixedStatement(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	p := storetest.Project(t, st, storetest.User(t, st))
	in := store.OwnedByProject(p)
	for n := range 3 {
		m := model.Milestone{ProjectID: &p.ID, Title: fmt.Sprintf("Title %d", n), State: "active"}
		if err := st.Milestones.Create(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []store.MilestoneFilter{
		{IIDs: []int64{2}}, {IIDs: []int64{2, 9}, State: "active"}, {Title: "Title 1"}, {Search: "LE 1"}, {Search: "le 1", Ancestors: true},
	} {
		rows, total, err := st.Milestones.List(t.Context(), in, f, store.Page{Limit: 20})
		if err != nil || total.Count != 1 || !slices.ContainsFunc(rows, func(row model.MilestoneRow) bool {
			return row.Milestone.IID == 2 && row.Place == p.FullPath
		}) {
			t.Errorf("%+v: %+v, %+v, %v", f, rows, total, err)
		}
	}
	rows, total, err := st.Milestones.List(t.Context(), in, store.MilestoneFilter{State: "closed"}, store.Page{Limit: 20})
	if err != nil || len(rows) != 0 || total != (store.Total{Known: true}) {
		t.Errorf("%+v, %+v, %v", rows, total, err)
	}
}
