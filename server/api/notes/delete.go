package notes

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// DeleteProjectIssueNote deletes a note on an issue.
// DELETE /projects/{id}/issues/{issue_iid}/notes/{note_id}
func (n *Notes) DeleteProjectIssueNote(
	ctx context.Context, req gen.DeleteProjectIssueNoteRequestObject,
) (gen.DeleteProjectIssueNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := n.remove(ctx, p, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueNote204Response{}, nil
}

// DeleteProjectMergeRequestNote deletes a note on a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/notes/{note_id}
func (n *Notes) DeleteProjectMergeRequestNote(
	ctx context.Context, req gen.DeleteProjectMergeRequestNoteRequestObject,
) (gen.DeleteProjectMergeRequestNoteResponseObject, error) {
	p, err := n.discussion.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := n.remove(ctx, p, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestNote204Response{}, nil
}

// remove deletes a note.
func (n *Notes) remove(ctx context.Context, p note.Item, id int64, unchangedSince *string) error {
	row, err := n.discussion.Note(ctx, p, id)
	if err != nil {
		return err
	}
	return n.discussion.Remove(ctx, p, row, reqctx.UnmodifiedSince(unchangedSince))
}
