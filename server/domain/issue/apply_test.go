package issue_test

import (
	"context"
	"testing"
	"time"

	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
	"svc/store/storetest"
)

// A change of the row alone answers with the labels that were read before it, unless somebody has changed the issue since.
func TestAChangeAnswersWithWhatOthersChangedAtTheSameTime(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	row := model.ProjectRow{Project: storetest.Project(t, st, u), Direct: model.Owner}
	made := storetest.Issue(t, st, row.Project, u, func(i *model.Issue) {
		i.UpdatedAt = i.UpdatedAt.Add(-time.Minute)
	})
	rec := events.New(st, func(context.Context, events.Notification) error { return nil })
	issues := issue.NewService(st, issuable.New(st, rec, nil), rec, nil, nil, false)
	ctx := reqctx.With(t.Context(), &reqctx.Info{Actor: &reqctx.Actor{User: u.Caller()}})
	found, err := issues.Get(ctx, row, made.IID)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"urgent"}
	if _, err := issues.Apply(ctx, row, found, issue.Change{Labels: issuable.LabelInput{Add: &names}}); err != nil {
		t.Fatal(err)
	}
	for n, title := range []string{"while a label was added", "after it was added"} {
		before := st.Statements()
		changed, err := issues.Apply(ctx, row, found, issue.Change{Title: &title})
		if err != nil || changed.Issue.Title != title || len(changed.Labels) != 1 || changed.Labels[0].Name != "urgent" {
			t.Fatalf("%s: %+v, %v", title, changed, err)
		}
		if took := st.Statements() - before; n > 0 && took > 3 {
			t.Errorf("a change of the title took %d statements", took)
		}
		if found, err = issues.Get(ctx, row, made.IID); err != nil {
			t.Fatal(err)
		}
	}
}
