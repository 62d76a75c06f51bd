package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// UpdateProjectMergeRequestRebase rebases a merge request in the background.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/rebase
func (m *MergeRequests) UpdateProjectMergeRequestRebase(
	ctx context.Context, req gen.UpdateProjectMergeRequestRebaseRequestObject,
) (gen.UpdateProjectMergeRequestRebaseResponseObject, error) {
	_, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.UpdateMergeRequest)
	if err != nil {
		return nil, err
	}
	may, err := m.merger.MayRebase(ctx, user.ID, found)
	switch {
	case err != nil:
		return nil, err
	case !may:
		return nil, apierr.Forbidden("Cannot push to source branch")
	case found.State != model.Opened:
		return nil, apierr.Forbidden("The merge request is not open")
	}
	skip := req.Body != nil && wire.Value(req.Body.SkipCi.Ptr())
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		locked, err := m.store.MergeRequests.Lock(ctx, found.ID)
		if err != nil {
			return err
		}
		if locked.Rebasing {
			return apierr.Conflict("A rebase is already in progress")
		}
		if err := m.store.MergeRequests.UpdateInternal(ctx, found.ID, map[string]any{"rebasing": true, "merge_error": nil}); err != nil {
			return err
		}
		return m.merger.Enqueue(ctx, mergerequest.Rebase{ID: found.ID, UserID: user.ID, SkipCI: skip})
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestRebase202JSONResponse{RebaseInProgress: true}, nil
}
