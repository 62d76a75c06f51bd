package discussions

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/store/model"
)

// UpdateProjectMergeRequestDiscussion resolves or reopens a thread on a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}
func (d *Discussions) UpdateProjectMergeRequestDiscussion(
	ctx context.Context, req gen.UpdateProjectMergeRequestDiscussionRequestObject,
) (gen.UpdateProjectMergeRequestDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ResolveNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.resolveThread(ctx, p, req.DiscussionID, req.Body.Resolved)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestDiscussion200JSONResponse(shown), nil
}

// resolveThread resolves or reopens a thread.
func (d *Discussions) resolveThread(ctx context.Context, p note.Item, id string, resolved bool) (gen.NoteDiscussion, error) {
	if err := d.notes.ResolveThread(ctx, p, id, resolved); err != nil {
		return gen.NoteDiscussion{}, err
	}
	return d.get(ctx, p, id)
}
