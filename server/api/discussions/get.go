package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// GetProjectIssueDiscussion returns a thread on an issue.
// GET /projects/{id}/issues/{issue_iid}/discussions/{discussion_id}
func (d *Discussions) GetProjectIssueDiscussion(
	ctx context.Context, req gen.GetProjectIssueDiscussionRequestObject,
) (gen.GetProjectIssueDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectIssueDiscussion200JSONResponse(shown), nil
}

// GetProjectMergeRequestDiscussion returns a thread on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/discussions/{discussion_id}
func (d *Discussions) GetProjectMergeRequestDiscussion(
	ctx context.Context, req gen.GetProjectMergeRequestDiscussionRequestObject,
) (gen.GetProjectMergeRequestDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestDiscussion200JSONResponse(shown), nil
}

// GetProjectRepositoryCommitDiscussion returns a thread on a commit.
// GET /projects/{id}/repository/commits/{sha}/discussions/{discussion_id}
func (d *Discussions) GetProjectRepositoryCommitDiscussion(
	ctx context.Context, req gen.GetProjectRepositoryCommitDiscussionRequestObject,
) (gen.GetProjectRepositoryCommitDiscussionResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.get(ctx, p, req.DiscussionID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryCommitDiscussion200JSONResponse(shown), nil
}
