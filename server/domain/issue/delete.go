package issue

import (
	"context"
	"time"

	"svc/server/platform/events"
	"svc/store/model"
)

// Delete deletes an issue. With unmodifiedSince, it fails if the issue has changed since then.
func (s *Service) Delete(ctx context.Context, row model.ProjectRow, i model.Issue, unmodifiedSince *time.Time) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.Issues.Delete(ctx, i.ID, unmodifiedSince); err != nil {
			return err
		}
		return s.events.Audit(ctx, events.Change{
			Type:    "delete_issue",
			Entity:  events.Project(row.Project),
			Target:  events.Target{Type: model.OnIssue, ID: i.ID, Details: i.Title},
			Message: "Removed issue", Remove: "issue",
		})
	})
}
