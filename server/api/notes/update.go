package notes

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/store/model"
)

// UpdateProjectIssueNote changes a note on an issue.
// PUT /projects/{id}/issues/{issue_iid}/notes/{note_id}
func (n *Notes) UpdateProjectIssueNote(
	ctx context.Context, req gen.UpdateProjectIssueNoteRequestObject,
) (gen.UpdateProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := n.update(ctx, p, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectIssueNote200JSONResponse(shown), nil
}

// UpdateProjectMergeRequestNote changes a note on a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}
func (n *Notes) UpdateProjectMergeRequestNote(
	ctx context.Context, req gen.UpdateProjectMergeRequestNoteRequestObject,
) (gen.UpdateProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := n.update(ctx, p, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestNote200JSONResponse(shown), nil
}

// update changes the text of a note.
func (n *Notes) update(ctx context.Context, p note.Item, id int64, body string) (gen.Note, error) {
	row, err := n.discussion.Note(ctx, p, id)
	if err == nil {
		row, err = n.discussion.Rewrite(ctx, p, row, body)
	}
	return n.presenter(ctx, p).Note(row), err
}
