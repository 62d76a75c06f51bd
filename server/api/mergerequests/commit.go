package mergerequests

import (
	"context"
	"errors"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
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
	window, err := m.window(ctx, "Commit", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	ids, err := s.commits(ctx)
	if err != nil {
		return nil, err
	}
	few, total := pagination.PageOf(window, ids)
	commits, err := s.repo.Commits(ctx, few)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestCommits200JSONResponse{
		Body:    present.All(commits, func(c git.Commit) gen.Commit { return m.show.Commit(s.row.Project, c) }),
		Headers: gen.ListProjectMergeRequestCommits200ResponseHeaders(window.Headers(total)),
	}, nil
}

// mergeRequestCommits is a merge request with the repository that has its commits.
type mergeRequestCommits struct {
	row  model.ProjectRow
	mr   model.MergeRequest
	repo git.Repo
	from string // the commit or tree to compare with
}

// open finds a merge request and the repository with its commits.
func (m *MergeRequests) open(ctx context.Context, project string, iid int64) (mergeRequestCommits, error) {
	row, mr, err := m.find(ctx, project, iid, access.ReadMergeRequest)
	s := mergeRequestCommits{row: row, mr: mr, from: mr.BaseSHA}
	if err != nil {
		return s, err
	}
	if s.repo, err = m.merger.Repo(row.Project); err != nil {
		return s, err
	}
	if _, err := s.repo.Info(ctx, mr.HeadSHA); errors.Is(err, git.ErrNotFound) { // just pushed to a fork
		last, err := m.store.MergeRequests.LastVersion(ctx, mr.ID)
		if err != nil {
			return s, err
		}
		s.mr.HeadSHA, s.mr.BaseSHA, s.mr.StartSHA, s.from = last.HeadSHA, last.BaseSHA, last.StartSHA, last.BaseSHA
	} else if err != nil {
		return s, err
	}
	if s.from == "" {
		s.from = git.EmptyTree
	}
	return s, nil
}

// commits returns the IDs of the commits of a merge request, newest first.
func (s mergeRequestCommits) commits(ctx context.Context) ([]string, error) {
	if s.mr.BaseSHA == "" {
		return s.repo.Log(ctx, git.LogFilter{From: s.mr.HeadSHA}, 0, maxCommits)
	}
	return s.repo.Between(ctx, s.mr.StartSHA, s.mr.HeadSHA)
}

const maxCommits = 200
