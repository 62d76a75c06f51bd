package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectIssueDiscussion starts a thread on an issue.
// POST /projects/{id}/issues/{issue_iid}/discussions
func (d *Discussions) CreateProjectIssueDiscussion(
	ctx context.Context, req gen.CreateProjectIssueDiscussionRequestObject,
) (gen.CreateProjectIssueDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.startThread(ctx, p, req.Body.Body, req.Body.CreatedAt, nil)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectIssueDiscussion201JSONResponse(shown), nil
}

// CreateProjectMergeRequestDiscussion starts a thread on a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/discussions
func (d *Discussions) CreateProjectMergeRequestDiscussion(
	ctx context.Context, req gen.CreateProjectMergeRequestDiscussionRequestObject,
) (gen.CreateProjectMergeRequestDiscussionResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.CreateNote)
	if err != nil {
		return nil, err
	}
	shown, err := d.startThread(ctx, p, req.Body.Body, req.Body.CreatedAt, req.Body.Position)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestDiscussion201JSONResponse(shown), nil
}

// CreateProjectRepositoryCommitDiscussion starts a thread on a commit.
// POST /projects/{id}/repository/commits/{sha}/discussions
func (d *Discussions) CreateProjectRepositoryCommitDiscussion(
	ctx context.Context, req gen.CreateProjectRepositoryCommitDiscussionRequestObject,
) (gen.CreateProjectRepositoryCommitDiscussionResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.CommentCode)
	if err != nil {
		return nil, err
	}
	shown, err := d.startThread(ctx, p, req.Body.Body, req.Body.CreatedAt, req.Body.Position)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectRepositoryCommitDiscussion201JSONResponse(shown), nil
}
