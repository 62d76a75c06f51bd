package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// CancelMergeWhenPipelineSucceedsProjectMergeRequest cancels a scheduled merge.
// POST /projects/{id}/merge_requests/{merge_request_iid}/cancel_merge_when_pipeline_succeeds
func (m *MergeRequests) CancelMergeWhenPipelineSucceedsProjectMergeRequest(
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

// scheduleMerge schedules a merge for the time when the pipeline succeeds. It returns false if there is no pipeline to wait
// for.
func (m *MergeRequests) scheduleMerge(
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
		return false, mergeError(err)
	}
	return m.merger.ScheduleAutoMerge(ctx, mr, user.ID, o)
}
