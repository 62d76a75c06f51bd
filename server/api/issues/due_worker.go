package issues

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store"
	"svc/store/model"
)

// Due is the job that tells people of issues that are due tomorrow. Running it twice tells nobody twice.
type Due struct{}

// Kind names the job in the queue.
func (Due) Kind() string { return "issues_due" }

// dueAtOnce is how many issues are looked at in one go.
const dueAtOnce = 500

// TellDue runs the job: each issue in its own transaction with its news, so that one that fails keeps none back.
func TellDue(st *store.Store, rec *events.Recorder) func(context.Context, Due) error {
	return func(ctx context.Context, _ Due) error {
		now := time.Now().UTC()
		tomorrow := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, time.UTC)
		for {
			rows, err := st.Issues.Due(ctx, tomorrow, dueAtOnce)
			if err != nil || len(rows) == 0 {
				return err
			}
			for _, i := range rows {
				if err := st.Tx(ctx, func(ctx context.Context) error {
					fresh, err := st.Issues.Told(ctx, i.ID, tomorrow)
					if err != nil || !fresh {
						return err
					}
					return rec.Tell(ctx, events.News{Event: events.IssueDue, ProjectID: i.ProjectID, AuthorID: i.AuthorID, TargetType: model.OnIssue, TargetID: i.ID})
				}); err != nil {
					return err
				}
			}
		}
	}
}
