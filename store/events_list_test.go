package store_test

import (
	"fmt"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/storetest"
)

// newProjectsWithEvents creates 70 projects of an author, every second one public, each with an event. It returns their
// ids.
func newProjectsWithEvents(t testing.TB, st *store.Store, author model.User) []int64 {
	t.Helper()
	var projects []int64
	for n := range 70 {
		p := model.DefaultProject()
		p.NamespaceID, p.Name, p.Path = *author.NamespaceID, fmt.Sprintf("P %d", n), fmt.Sprintf("p-%d", n)
		if n%2 == 0 {
			p.Visibility = model.Public
		}
		if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
			t.Fatal(err)
		}
		projects = append(projects, p.ID)
		if err := st.Events.Create(t.Context(), p, &model.Event{AuthorID: author.ID, Action: model.EventCreated}); err != nil {
			t.Fatal(err)
		}
	}
	return projects
}

// The database accepts every statement that a list of events can produce, for every reader.
func TestListsOfEventsAreStatements(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	author, reader := storetest.User(t, st), storetest.User(t, st)
	projects := newProjectsWithEvents(t, st, author)
	day := time.Now().Add(-time.Hour)
	later := time.Now().Add(time.Hour)
	for name, r := range map[string]*store.Reader{
		"anonymous": nil, "reader": {UserID: reader.ID}, "author": {UserID: author.ID}, "administrator": {UserID: reader.ID, Admin: true},
	} {
		view, err := st.Events.ViewOfAuthor(t.Context(), author.ID, r)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if hidden := map[string]int{"anonymous": 35, "reader": 35}[name]; len(view.Hidden) != hidden {
			t.Errorf("%s: %d projects are hidden, want %d", name, len(view.Hidden), hidden)
		}
		for _, f := range []store.EventFilter{
			{AuthorID: author.ID},
			{AuthorID: author.ID, Action: model.EventCreated, From: &day, Until: &later},
			{AuthorID: author.ID, Action: model.EventPushed, Asc: true},
			{AuthorID: author.ID, TargetType: model.OnIssue},
			{ProjectID: projects[0]},
			{AuthorID: reader.ID, Projects: projects},
			{AuthorID: reader.ID, Projects: projects[:9], Asc: true},
		} {
			f.View = view
			for _, p := range []store.Page{{Limit: 2}, {Limit: 100, Offset: 200}} {
				if _, _, err := st.Events.List(t.Context(), f, p); err != nil {
					t.Errorf("%s, %+v: %v", name, f, err)
				}
			}
			if _, err := st.Events.CountByDay(t.Context(), f); err != nil {
				t.Errorf("%s, %+v by day: %v", name, f, err)
			}
		}
		days, err := st.Events.CountByDay(t.Context(), store.EventFilter{AuthorID: author.ID, View: view})
		sum := int64(0)
		for date, n := range days {
			if _, bad := time.Parse(time.DateOnly, date); bad != nil {
				t.Error(bad)
			}
			sum += n
		}
		if err != nil || sum != int64(70-len(view.Hidden)) {
			t.Errorf("%s: %v by day, %v", name, days, err)
		}
		rows, total, err := st.Events.List(t.Context(), store.EventFilter{AuthorID: author.ID, View: view}, store.Page{Limit: 20})
		if want := int64(70 - len(view.Hidden)); err != nil || total.Count != want || len(rows) != 20 ||
			rows[0].Author.Username != author.Username {
			t.Errorf("%s: %d of %d, %v", name, len(rows), total.Count, err)
		}
	}
	_, mine, err := st.Events.ViewOfMember(t.Context(), &store.Reader{UserID: author.ID})
	if err != nil || len(mine) != 70 {
		t.Errorf("%d, %v", len(mine), err)
	}
}

func TestListsOfAuditEventsAreStatements(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	one, day := int64(1), time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
	for n := range 5 {
		row := model.AuditEvent{
			AuthorID: 1, EntityType: "User", EntityID: one, EventType: "e", Details: "{}", CreatedAt: day.AddDate(0, 0, n-2),
		}
		if err := st.AuditEvents.Create(t.Context(), []model.AuditEvent{row}); err != nil {
			t.Fatal(err)
		}
	}
	for i, f := range []store.AuditFilter{
		{},
		{EntityType: "User"},
		{EntityType: "User", EntityID: &one},
		{EntityType: "User", EntityID: &one, AuthorID: &one, After: &day},
		{After: &day},
		{Before: &day, EntityType: "User"},
	} {
		want := 5
		if i > 2 {
			want = 3
		}
		rows, total, err := st.AuditEvents.List(t.Context(), f, store.Page{Limit: 2})
		if err != nil || len(rows) != 2 || total.Count != int64(want) {
			t.Errorf("%+v: %d of %d, %v", f, len(rows), total.Count, err)
		}
		var last *int64
		seen := 0
		for range 4 {
			rows, more, err := st.AuditEvents.ListAfter(t.Context(), f, last, 2)
			if err != nil {
				t.Fatalf("%+v: %v", f, err)
			}
			seen += len(rows)
			if !more {
				break
			}
			last = &rows[len(rows)-1].ID
		}
		if seen != want {
			t.Errorf("%+v: the walk sees %d, want %d", f, seen, want)
		}
	}
}
