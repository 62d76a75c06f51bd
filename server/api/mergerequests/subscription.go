package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

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
	shown, err := m.presentOne(ctx, row, found.IID)
	return &shown, err
}
