package mergerequests

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
)

// MergeProjectMergeRequest merges a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/merge
func (m *MergeRequests) MergeProjectMergeRequest(
	ctx context.Context, req gen.MergeProjectMergeRequestRequestObject,
) (gen.MergeProjectMergeRequestResponseObject, error) {
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
	return gen.MergeProjectMergeRequest200JSONResponse(shown), err
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
