package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// UpdateProjectIssueDiscussionNote changes a note of a thread on an issue.
// PUT /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) UpdateProjectIssueDiscussionNote(
	ctx context.Context, req gen.UpdateProjectIssueDiscussionNoteRequestObject,
) (gen.UpdateProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.updateNote(ctx, p, req.DiscussionID, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectIssueDiscussionNote200JSONResponse(shown), nil
}

// UpdateProjectMergeRequestDiscussionNote changes, resolves or reopens a note of a thread on a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) UpdateProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.UpdateProjectMergeRequestDiscussionNoteRequestObject,
) (gen.UpdateProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.updateOrResolve(ctx, p, req.DiscussionID, req.NoteID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMergeRequestDiscussionNote200JSONResponse(shown), nil
}

// UpdateProjectRepositoryCommitDiscussionNote changes a note of a thread on a commit.
// PUT /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) UpdateProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.UpdateProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.UpdateProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.updateNote(ctx, p, req.DiscussionID, req.NoteID, req.Body.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectRepositoryCommitDiscussionNote200JSONResponse(shown), nil
}
