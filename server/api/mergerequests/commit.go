package mergerequests

import (
	"context"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
)

// ListProjectMergeRequestCommits lists the commits of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/commits
func (m *MergeRequests) ListProjectMergeRequestCommits(
	ctx context.Context, req gen.ListProjectMergeRequestCommitsRequestObject,
) (gen.ListProjectMergeRequestCommitsResponseObject, error) {
	s, err := m.open(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Commit", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	ids, err := s.Commits(ctx)
	if err != nil {
		return nil, err
	}
	few, total := pagination.PageOf(window, ids)
	commits, err := s.Repo.Commits(ctx, few)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestCommits200JSONResponse{
		Body:    present.All(commits, func(c git.Commit) gen.Commit { return m.show.Commit(s.row.Project, c) }),
		Headers: gen.ListProjectMergeRequestCommits200ResponseHeaders(window.Headers(total)),
	}, nil
}
