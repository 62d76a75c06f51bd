package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// DeleteProjectIssueDiscussionNote deletes a note of a thread on an issue.
// DELETE /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) DeleteProjectIssueDiscussionNote(
	ctx context.Context, req gen.DeleteProjectIssueDiscussionNoteRequestObject,
) (gen.DeleteProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, p, req.DiscussionID, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectIssueDiscussionNote204Response{}, nil
}

// DeleteProjectMergeRequestDiscussionNote deletes a note of a thread on a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) DeleteProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.DeleteProjectMergeRequestDiscussionNoteRequestObject,
) (gen.DeleteProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.AdminNote)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, p, req.DiscussionID, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestDiscussionNote204Response{}, nil
}

// DeleteProjectRepositoryCommitDiscussionNote deletes a note of a thread on a commit.
// DELETE /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes/{note_id}
func (d *Discussions) DeleteProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.DeleteProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.DeleteProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	if err := d.remove(ctx, p, req.DiscussionID, req.NoteID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectRepositoryCommitDiscussionNote204Response{}, nil
}
