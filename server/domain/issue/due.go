package issue

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// NotifyDue is the background job that notifies people of issues that are due tomorrow. It is safe to run it twice:
// nobody is notified twice.
type NotifyDue struct{}

// Kind names the job in the queue.
func (NotifyDue) Kind() string { return "issues_due" }

// dueAtOnce is the number of issues that one query reads.
const dueAtOnce = 500

// RunNotifyDue returns the function that runs a NotifyDue job. It handles each issue and its notification in a
// transaction of its own, so that a failure does not undo the notifications before it.
func RunNotifyDue(st *store.Store, rec *events.Recorder) func(context.Context, NotifyDue) error {
	return func(ctx context.Context, _ NotifyDue) error {
		now := clock.Now(ctx).UTC()
		tomorrow := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
		for {
			rows, err := st.Issues.Due(ctx, tomorrow, dueAtOnce)
			if err != nil || len(rows) == 0 {
				return err
			}
			for _, i := range rows {
				if err := st.Tx(ctx, func(ctx context.Context) error {
					fresh, err := st.Issues.MarkDueNotified(ctx, i.ID, tomorrow)
					if err != nil || !fresh {
						return err
					}
					return rec.Notify(ctx, events.Notification{
						Event: events.IssueDue, ProjectID: i.ProjectID, AuthorID: i.AuthorID, TargetType: model.OnIssue,
						TargetID: i.ID,
					})
				}); err != nil {
					return err
				}
			}
		}
	}
}
