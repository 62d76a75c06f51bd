package events_test

import (
	"context"
	"testing"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/storetest"
)

// An operation costs one more statement for its event, and one for all of its audit events.
func TestARecordIsOneStatement(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	user := storetest.User(t, st)
	project := storetest.Project(t, st, user)
	recorder := events.New(st, func(context.Context, events.Notification) error { return nil })
	change := events.Change{
		Type: "project_renamed", Entity: events.Project(project), Target: events.Project(project).AsTarget(),
		Field: "name", From: "a", To: "b",
	}
	for name, record := range map[string]func(ctx context.Context) error{
		"activity": func(ctx context.Context) error {
			return recorder.Activity(ctx, project, events.On(user.ID, "opened", "Issue", 1))
		},
		"audit":              func(ctx context.Context) error { return recorder.Audit(ctx, change) },
		"audit of many":      func(ctx context.Context) error { return recorder.Audit(ctx, change, change, change) },
		"audit of no change": func(ctx context.Context) error { return recorder.Audit(ctx, events.Change{}) },
	} {
		want := int64(1)
		if name == "audit of no change" {
			want = 0
		}
		var took int64
		err := st.Tx(t.Context(), func(ctx context.Context) error {
			before := st.Statements()
			err := record(ctx)
			took = st.Statements() - before
			return err
		})
		if err != nil || took != want {
			t.Errorf("%s took %d statements, want %d: %v", name, took, want, err)
		}
	}
	if rows, _, err := st.AuditEvents.List(t.Context(), store.AuditFilter{}, store.Page{Limit: 20}); err != nil || len(rows) != 4 {
		t.Errorf("%d audit events, %v", len(rows), err)
	}
}
