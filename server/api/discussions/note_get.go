package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// GetProjectIssueDiscussionNote returns a note of a thread on an issue.
// GET /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) GetProjectIssueDiscussionNote(
	ctx context.Context, req gen.GetProjectIssueDiscussionNoteRequestObject,
) (gen.GetProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.note(ctx, p, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueDiscussionNote200JSONResponse(shown), nil
}

// GetProjectMergeRequestDiscussionNote returns a note of a thread on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) GetProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.GetProjectMergeRequestDiscussionNoteRequestObject,
) (gen.GetProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.note(ctx, p, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestDiscussionNote200JSONResponse(shown), nil
}

// GetProjectRepositoryCommitDiscussionNote returns a note of a thread on a commit.
// GET /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) GetProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.GetProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.GetProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.note(ctx, p, req.DiscussionID, req.NoteID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryCommitDiscussionNote200JSONResponse(shown), nil
}
