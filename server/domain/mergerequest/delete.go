package mergerequest

import (
	"context"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// CheckMayDelete refuses callers who may not delete a merge request. Owners of the project and the author may.
func (s *Service) CheckMayDelete(ctx context.Context, row model.ProjectRow, mr model.MergeRequest) error {
	if me := caller(ctx); row.Role() < model.Owner && (me == 0 || me != mr.AuthorID) {
		return apierr.Forbidden()
	}
	return nil
}

// Delete deletes a merge request, unless it has changed since the given time. A job deletes its ref.
func (s *Service) Delete(
	ctx context.Context, project model.Project, mr model.MergeRequest, unchangedSince *time.Time,
) error {
	return s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.store.MergeRequests.Delete(ctx, mr, unchangedSince); err != nil {
			return err
		}
		if err := s.merger.Enqueue(ctx, DeleteRefJob{ProjectID: project.ID, IID: mr.IID}); err != nil {
			return err
		}
		return s.events.Audit(ctx, events.Change{
			Type:    "delete_merge_request",
			Entity:  events.Project(project),
			Target:  events.Target{Type: model.OnMergeRequest, ID: mr.ID, Details: mr.Title},
			Message: "Removed merge request", Remove: "merge_request",
		})
	})
}
