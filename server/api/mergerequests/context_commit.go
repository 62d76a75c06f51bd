package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

// ListProjectMergeRequestContextCommits lists the context commits of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/context_commits
func (m *MergeRequests) ListProjectMergeRequestContextCommits(
	ctx context.Context, req gen.ListProjectMergeRequestContextCommitsRequestObject,
) (gen.ListProjectMergeRequestContextCommitsResponseObject, error) {
	row, mr, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Commit", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	commits, total, err := m.viewer.ContextCommits(ctx, mr, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestContextCommits200JSONResponse{
		Body:    m.presentCommits(row.Project, commits),
		Headers: gen.ListProjectMergeRequestContextCommits200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectMergeRequestContextCommit adds context commits to a merge request.
// POST /projects/{id}/merge_requests/{merge_request_iid}/context_commits
func (m *MergeRequests) CreateProjectMergeRequestContextCommit(
	ctx context.Context, req gen.CreateProjectMergeRequestContextCommitRequestObject,
) (gen.CreateProjectMergeRequestContextCommitResponseObject, error) {
	row, mr, err := m.find(ctx, req.ID, req.MergeRequestIid, access.UpdateMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.service.CheckMayChange(ctx, row, mr); err != nil {
		return nil, err
	}
	commits, err := m.service.AddContextCommits(ctx, row.Project, mr, req.Body.Commits)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestContextCommit201JSONResponse(m.presentCommits(row.Project, commits)), nil
}

// DeleteProjectMergeRequestContextCommits removes context commits from a merge request.
// DELETE /projects/{id}/merge_requests/{merge_request_iid}/context_commits
func (m *MergeRequests) DeleteProjectMergeRequestContextCommits(
	ctx context.Context, req gen.DeleteProjectMergeRequestContextCommitsRequestObject,
) (gen.DeleteProjectMergeRequestContextCommitsResponseObject, error) {
	row, mr, err := m.find(ctx, req.ID, req.MergeRequestIid, access.UpdateMergeRequest)
	if err != nil {
		return nil, err
	}
	if err := m.service.CheckMayChange(ctx, row, mr); err != nil {
		return nil, err
	}
	if err := m.service.RemoveContextCommits(ctx, row.Project, mr, req.Body.Commits); err != nil {
		return nil, err
	}
	return gen.DeleteProjectMergeRequestContextCommits204Response{}, nil
}

// presentCommits presents commits of a project.
func (m *MergeRequests) presentCommits(p model.Project, commits []git.Commit) []gen.Commit {
	return present.All(commits, func(c git.Commit) gen.Commit { return m.show.Commit(p, c) })
}
