package merges

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// UpdateProjectMergeRequestMerge merges a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/merge
func (m *Merges) UpdateProjectMergeRequestMerge(
	ctx context.Context, req gen.UpdateProjectMergeRequestMergeRequestObject,
) (gen.UpdateProjectMergeRequestMergeResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.MergeMergeRequest)
	if err != nil {
		return nil, err
	}
	b := gen.MergeRequestMerge{}
	if req.Body != nil {
		b = *req.Body
	}
	o := mergerequest.Options{
		SHA:           wire.Value(b.Sha),
		Squash:        b.Squash.Ptr(),
		Message:       wire.Value(b.MergeCommitMessage.Ptr()),
		SquashMessage: wire.Value(b.SquashCommitMessage.Ptr()),
		RemoveSource:  b.ShouldRemoveSourceBranch.Ptr(),
	}
	if wire.Value(b.MergeWhenPipelineSucceeds.Ptr()) || wire.Value(b.AutoMerge.Ptr()) {
		waits, err := m.scheduleMerge(ctx, row, found, user, o)
		if err != nil {
			return nil, err
		}
		if waits {
			shown, err := m.show.One(ctx, row, found.IID)
			return gen.UpdateProjectMergeRequestMerge200JSONResponse(shown.Body()), err
		}
	}
	if err := m.merger.Accept(ctx, row, user, reqctx.Of(ctx).Actor, found.ID, o); err != nil {
		return nil, apiError(err)
	}
	shown, err := m.show.One(ctx, row, found.IID)
	return gen.UpdateProjectMergeRequestMerge200JSONResponse(shown.Body()), err
}

// scheduleMerge schedules a merge for the time when the pipeline succeeds. It returns false if there is no pipeline to wait
// for.
func (m *Merges) scheduleMerge(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest, user model.User, o mergerequest.Options,
) (bool, error) {
	may, err := m.merger.Pusher.MayMerge(ctx, row, mr.TargetBranch)
	switch {
	case err != nil:
		return false, err
	case !may:
		return false, apierr.Unauthorized()
	}
	if err := m.merger.CheckWaitable(ctx, row.Project, mr, o); err != nil {
		return false, apiError(err)
	}
	return m.merger.ScheduleAutoMerge(ctx, mr, user.ID, o)
}

// CancelMergeWhenPipelineSucceedsProjectMergeRequest cancels a scheduled merge.
// POST /projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds
func (m *Merges) CancelMergeWhenPipelineSucceedsProjectMergeRequest(
	ctx context.Context, req gen.CancelMergeWhenPipelineSucceedsProjectMergeRequestRequestObject,
) (gen.CancelMergeWhenPipelineSucceedsProjectMergeRequestResponseObject, error) {
	row, found, user, err := m.findSignedIn(ctx, req.ID, req.MergeRequestIid, access.MergeMergeRequest)
	if err != nil {
		return nil, err
	}
	may, err := m.merger.Pusher.MayMerge(ctx, row, found.TargetBranch)
	if err != nil {
		return nil, err
	}
	if !may && found.AuthorID != user.ID {
		return nil, apierr.Unauthorized()
	}
	waited, err := m.merger.CancelAutoMerge(ctx, found, user.ID, mergerequest.CanceledNote)
	if err != nil {
		return nil, err
	}
	if !waited {
		return nil, apierr.NotAcceptable()
	}
	return gen.CancelMergeWhenPipelineSucceedsProjectMergeRequest201JSONResponse{Status: gen.AutoMergeCanceledStatusSuccess}, nil
}

// UpdateProjectMergeRequestRebase rebases a merge request in the background.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/rebase
func (m *Merges) UpdateProjectMergeRequestRebase(
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
