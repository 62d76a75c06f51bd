package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectIssueDiscussionNote adds a note to a thread on an issue.
// POST /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}/notes
func (d *Discussions) CreateProjectIssueDiscussionNote(
	ctx context.Context, req gen.CreateProjectIssueDiscussionNoteRequestObject,
) (gen.CreateProjectIssueDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.reply(ctx, p, req.DiscussionID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueDiscussionNote201JSONResponse(shown), nil
}

// CreateProjectMergeRequestDiscussionNote adds a note to a thread on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}/notes
func (d *Discussions) CreateProjectMergeRequestDiscussionNote(
	ctx context.Context, req gen.CreateProjectMergeRequestDiscussionNoteRequestObject,
) (gen.CreateProjectMergeRequestDiscussionNoteResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.reply(ctx, p, req.DiscussionID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestDiscussionNote201JSONResponse(shown), nil
}

// CreateProjectRepositoryCommitDiscussionNote adds a note to a thread on a commit.
// POST /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}/notes
func (d *Discussions) CreateProjectRepositoryCommitDiscussionNote(
	ctx context.Context, req gen.CreateProjectRepositoryCommitDiscussionNoteRequestObject,
) (gen.CreateProjectRepositoryCommitDiscussionNoteResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.reply(ctx, p, req.DiscussionID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryCommitDiscussionNote201JSONResponse(shown), nil
}
