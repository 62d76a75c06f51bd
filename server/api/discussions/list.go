package discussions

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// ListProjectIssueDiscussions lists the threads on an issue.
// GET /projects/{id}/issues/{issue_iid}/discussions
func (d *Discussions) ListProjectIssueDiscussions(
	ctx context.Context, req gen.ListProjectIssueDiscussionsRequestObject,
) (gen.ListProjectIssueDiscussionsResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnIssue, req.IssueIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, p, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectIssueDiscussions200JSONResponse{
		Body: rows, Headers: gen.ListProjectIssueDiscussions200ResponseHeaders(headers),
	}, nil
}

// ListProjectMergeRequestDiscussions lists the threads on a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/discussions
func (d *Discussions) ListProjectMergeRequestDiscussions(
	ctx context.Context, req gen.ListProjectMergeRequestDiscussionsRequestObject,
) (gen.ListProjectMergeRequestDiscussionsResponseObject, error) {
	p, err := d.notes.Find(ctx, req.ID, model.OnMergeRequest, req.MergeRequestIid, access.ReadNote)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, p, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestDiscussions200JSONResponse{
		Body: rows, Headers: gen.ListProjectMergeRequestDiscussions200ResponseHeaders(headers),
	}, nil
}

// ListProjectRepositoryCommitDiscussions lists the threads on a commit.
// GET /projects/{id}/repository/commits/{sha}/discussions
func (d *Discussions) ListProjectRepositoryCommitDiscussions(
	ctx context.Context, req gen.ListProjectRepositoryCommitDiscussionsRequestObject,
) (gen.ListProjectRepositoryCommitDiscussionsResponseObject, error) {
	p, err := d.notes.Commit(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	rows, headers, err := d.list(ctx, p, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommitDiscussions200JSONResponse{
		Body: rows, Headers: gen.ListProjectRepositoryCommitDiscussions200ResponseHeaders(headers),
	}, nil
}
