package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// DeleteProjectMergeRequest deletes a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}
func (m *MergeRequests) DeleteProjectMergeRequest(
	ctx context.Context, req gen.DeleteProjectMergeRequestRequestObject,
) (gen.DeleteProjectMergeRequestResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.DestroyMergeRequest)
	if err != nil {
		return nil, err
	}
	if me := caller(ctx); row.Role() < model.Owner && (me == 0 || me != found.AuthorID) {
		return nil, apierr.Forbidden()
	}
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.store.MergeRequests.Delete(ctx, found, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
			return err
		}
		if err := m.merger.Enqueue(ctx, mergerequest.DeleteRefJob{ProjectID: row.Project.ID, IID: found.IID}); err != nil {
			return err
		}
		return m.events.Audit(ctx, events.Change{
			Type:    "delete_merge_request",
			Entity:  events.Project(row.Project),
			Target:  events.Target{Type: model.OnMergeRequest, ID: found.ID, Details: found.Title},
			Message: "Removed merge request", Remove: "merge_request",
		})
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequest204Response{}, nil
}
