package notes

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// GetProjectIssueNote shows a note on an issue.
// GET /projects/{id}/issues/{issue_iid}/notes/{note_id}
func (n *Notes) GetProjectIssueNote(
	ctx context.Context, req gen.GetProjectIssueNoteRequestObject,
) (gen.GetProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := n.discussion.Note(ctx, p, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueNote200JSONResponse(n.presenter(ctx, p).Note(row)), nil
}

// GetProjectMergeRequestNote shows a note on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}
func (n *Notes) GetProjectMergeRequestNote(
	ctx context.Context, req gen.GetProjectMergeRequestNoteRequestObject,
) (gen.GetProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	row, err := n.discussion.Note(ctx, p, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestNote200JSONResponse(n.presenter(ctx, p).Note(row)), nil
}
