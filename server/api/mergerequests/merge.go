package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
)

// UpdateProjectMergeRequestMerge merges a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/merge
func (m *MergeRequests) UpdateProjectMergeRequestMerge(
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
	wait := wire.Value(b.MergeWhenPipelineSucceeds.Ptr()) || wire.Value(b.AutoMerge.Ptr())
	if _, err := m.service.Merge(ctx, row, found, user, mergeOptionsFrom(b), wait); err != nil {
		return nil, err
	}
	shown, err := m.presentOne(ctx, row, found.IID)
	return gen.UpdateProjectMergeRequestMerge200JSONResponse(shown), err
}

// mergeOptionsFrom converts the body of a request to merge.
func mergeOptionsFrom(b gen.MergeRequestMerge) mergerequest.Options {
	return mergerequest.Options{
		SHA:           wire.Value(b.Sha),
		Squash:        b.Squash.Ptr(),
		Message:       wire.Value(b.MergeCommitMessage.Ptr()),
		SquashMessage: wire.Value(b.SquashCommitMessage.Ptr()),
		RemoveSource:  b.ShouldRemoveSourceBranch.Ptr(),
	}
}
