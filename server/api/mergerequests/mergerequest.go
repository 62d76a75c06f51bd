package mergerequests

import (
	"context"
	"slices"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// GetProjectMergeRequest returns a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}
func (m *MergeRequests) GetProjectMergeRequest(
	ctx context.Context, req gen.GetProjectMergeRequestRequestObject,
) (gen.GetProjectMergeRequestResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	single, err := m.show.One(ctx, row, found.IID)
	if err != nil {
		return nil, err
	}
	shown := single.Body()
	if wire.Value(req.Params.IncludeDivergedCommitsCount) {
		if found, err = m.merger.CheckInTime(ctx, row.Project, found); err != nil {
			return nil, err
		}
		shown.DivergedCommitsCount = &found.Diverged
	}
	if wire.Value(req.Params.IncludeRebaseInProgress) {
		shown.RebaseInProgress = &found.Rebasing
	}
	if wire.Value(req.Params.RenderHTML) {
		present.MergeRequestPresenter{}.HTML(&shown)
	}
	return gen.GetProjectMergeRequest200JSONResponse(shown), nil
}

// UpdateProjectMergeRequest changes a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}
func (m *MergeRequests) UpdateProjectMergeRequest(
	ctx context.Context, req gen.UpdateProjectMergeRequestRequestObject,
) (gen.UpdateProjectMergeRequestResponseObject, error) {
	row, found, err := m.findForUpdate(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	if err := m.change(ctx, row, found, *req.Body); err != nil {
		return nil, err
	}
	shown, err := m.show.One(ctx, row, found.IID)
	return gen.UpdateProjectMergeRequest200JSONResponse(shown.Body()), err
}

// findForUpdate finds a merge request that the caller may change.
func (m *MergeRequests) findForUpdate(ctx context.Context, project string, iid int64) (model.ProjectRow, model.MergeRequest, error) {
	row, found, err := m.find(ctx, project, iid, access.UpdateMergeRequest)
	if err == nil {
		err = m.checkMayChange(ctx, row, found)
	}
	return row, found, err
}

// checkMayChange refuses callers who may not change a merge request. Developers, the author and the assignees may.
func (m *MergeRequests) checkMayChange(ctx context.Context, row model.ProjectRow, found model.MergeRequest) error {
	me := caller(ctx)
	if row.Role() >= model.Developer || found.AuthorID == me && me != 0 {
		return nil
	}
	assignees, err := m.store.MergeRequests.AssigneeIDs(ctx, found.ID)
	if err == nil && (me == 0 || !slices.Contains(assignees, me)) {
		err = apierr.Forbidden()
	}
	return err
}

// change changes a merge request. The caller must be allowed to change it.
func (m *MergeRequests) change(ctx context.Context, row model.ProjectRow, found model.MergeRequest, body gen.MergeRequestUpdate) error {
	c, err := m.read(ctx, row, found, body)
	if err != nil {
		return err
	}
	if err := m.store.Tx(ctx, func(ctx context.Context) error { return m.apply(ctx, row, c) }); err != nil {
		return m.explain(ctx, found, err)
	}
	return nil
}

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

// SubscribeProjectMergeRequest subscribes the caller to a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/subscribe
func (m *MergeRequests) SubscribeProjectMergeRequest(
	ctx context.Context, req gen.SubscribeProjectMergeRequestRequestObject,
) (gen.SubscribeProjectMergeRequestResponseObject, error) {
	shown, err := m.follow(ctx, req.ID, req.MergeRequestIid, true)
	if err != nil || shown == nil {
		return notModified{}, err
	}
	return gen.SubscribeProjectMergeRequest201JSONResponse(*shown), nil
}

// UnsubscribeProjectMergeRequest unsubscribes the caller from a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/unsubscribe
func (m *MergeRequests) UnsubscribeProjectMergeRequest(
	ctx context.Context, req gen.UnsubscribeProjectMergeRequestRequestObject,
) (gen.UnsubscribeProjectMergeRequestResponseObject, error) {
	shown, err := m.follow(ctx, req.ID, req.MergeRequestIid, false)
	if err != nil || shown == nil {
		return notModified{}, err
	}
	return gen.UnsubscribeProjectMergeRequest201JSONResponse(*shown), nil
}

// follow subscribes the caller to a merge request, or unsubscribes the caller. It returns nil if nothing changes.
func (m *MergeRequests) follow(ctx context.Context, project string, iid int64, wanted bool) (*gen.MergeRequest, error) {
	row, found, err := m.find(ctx, project, iid, access.FollowMergeRequest)
	if err != nil {
		return nil, err
	}
	me := caller(ctx)
	if me == 0 {
		return nil, apierr.Unauthorized()
	}
	follows, err := m.store.Subscriptions.IsSubscribed(ctx, model.OnMergeRequest, found.ID, me)
	if err != nil || follows == wanted {
		return nil, err
	}
	if err := m.store.Subscriptions.Set(ctx, model.OnMergeRequest, found.ID, me, wanted); err != nil {
		return nil, err
	}
	single, err := m.show.One(ctx, row, found.IID)
	shown := single.Body()
	return &shown, err
}
