package issue_test

import (
	"context"
	"testing"
	"time"

	"svc/server/domain/issue"
	"svc/server/platform/events"
	"svc/store/model"
	"svc/store/storetest"
)

func TestPeopleAreToldOnceOfWhatIsDueTomorrow(t *testing.T) {
	t.Parallel()
	st := storetest.New(t)
	u := storetest.User(t, st)
	p := model.DefaultProject()
	p.NamespaceID, p.Name, p.Path = *u.NamespaceID, "Web", "web"
	if err := st.Projects.Create(t.Context(), &p, nil); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC()
	for n := range 3 {
		due := time.Date(now.Year(), now.Month(), now.Day()+n, 0, 0, 0, 0, time.UTC)
		i := model.Issue{
			ProjectID: p.ID, AuthorID: u.ID, Title: "due", State: model.Opened, IssueType: "issue", Severity: "UNKNOWN",
			DueDate: &due,
		}
		if err := st.Issues.Create(t.Context(), &i, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	var told []events.Notification
	run := issue.RunNotifyDue(st, events.New(st, func(_ context.Context, n events.Notification) error {
		told = append(told, n)
		return nil
	}))
	for range 2 {
		if err := run(t.Context(), issue.NotifyDue{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(told) != 1 || told[0].Event != events.IssueDue {
		t.Errorf("%+v", told)
	}
}
