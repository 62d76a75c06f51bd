package mergerequests

import (
	"context"
	"errors"
	"net/http"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
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
		return nil, mergeError(err)
	}
	shown, err := m.show.One(ctx, row, found.IID)
	return gen.UpdateProjectMergeRequestMerge200JSONResponse(shown.Body()), err
}

// mergeError turns the refusal of a merge into an API error.
func mergeError(err error) error {
	var no *mergerequest.RefusedError
	if !errors.As(err, &no) {
		return err
	}
	switch no.Kind {
	case mergerequest.NotAllowed:
		return apierr.Unauthorized()
	case mergerequest.NotNow:
		return &apierr.Error{Status: http.StatusMethodNotAllowed, Body: apierr.Body{Message: "405 Method Not Allowed"}}
	case mergerequest.HeadMoved, mergerequest.TargetMoved:
		return apierr.Conflict(no.Text)
	}
	return apierr.Unprocessable(no.Text)
}
