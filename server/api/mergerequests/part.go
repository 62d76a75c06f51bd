package mergerequests

import (
	"context"
	"errors"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/git"
	"svc/store/model"
)

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

// ListProjectMergeRequestDiffs lists the changed files of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/diffs
func (m *MergeRequests) ListProjectMergeRequestDiffs(
	ctx context.Context, req gen.ListProjectMergeRequestDiffsRequestObject,
) (gen.ListProjectMergeRequestDiffsResponseObject, error) {
	s, err := m.open(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	window, err := m.window(ctx, "Diff", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	files, _, err := s.repo.Diff(ctx, s.from, s.mr.HeadSHA)
	if err != nil {
		return nil, err
	}
	few, total := pagination.PageOf(window, files)
	return gen.ListProjectMergeRequestDiffs200JSONResponse{
		Body:    present.All(few, func(f git.FileDiff) gen.Diff { return present.Diff(f, wire.Value(req.Params.Unidiff)) }),
		Headers: gen.ListProjectMergeRequestDiffs200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectMergeRequestChanges returns a merge request with its changed files.
// GET /projects/{id}/merge_requests/{merge_request_iid}/changes
func (m *MergeRequests) GetProjectMergeRequestChanges(
	ctx context.Context, req gen.GetProjectMergeRequestChangesRequestObject,
) (gen.GetProjectMergeRequestChangesResponseObject, error) {
	s, err := m.open(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	files, cut, err := s.repo.Diff(ctx, s.from, s.mr.HeadSHA)
	if err != nil {
		return nil, err
	}
	single, err := m.show.One(ctx, s.row, s.mr.IID)
	if err != nil {
		return nil, err
	}
	shown := single.Body()
	changes := present.All(files, func(f git.FileDiff) gen.Diff { return present.Diff(f, wire.Value(req.Params.Unidiff)) })
	shown.Changes, shown.Overflow = &changes, &cut
	return gen.GetProjectMergeRequestChanges200JSONResponse(shown), nil
}

// GetProjectMergeRequestRawDiffs returns the diff of a merge request as git prints it.
// GET /projects/{id}/merge_requests/{merge_request_iid}/raw_diffs
func (m *MergeRequests) GetProjectMergeRequestRawDiffs(
	ctx context.Context, req gen.GetProjectMergeRequestRawDiffsRequestObject,
) (gen.GetProjectMergeRequestRawDiffsResponseObject, error) {
	s, err := m.open(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	text, err := s.repo.RawDiff(ctx, s.from, s.mr.HeadSHA)
	if errors.Is(err, git.ErrTooLarge) {
		return nil, apierr.Unprocessable("The diff is too large")
	}
	return rawDiffs(text), err
}

// ListProjectMergeRequestVersions lists the versions of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/versions
func (m *MergeRequests) ListProjectMergeRequestVersions(
	ctx context.Context, req gen.ListProjectMergeRequestVersionsRequestObject,
) (gen.ListProjectMergeRequestVersionsResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := m.window(ctx, "MergeRequestDiff", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := m.store.MergeRequests.Versions(ctx, found.ID, window.Page)
	if err != nil {
		return nil, err
	}
	repo, err := m.merger.Repo(row.Project)
	if err != nil {
		return nil, err
	}
	shown, err := versions(ctx, repo, rows...)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestVersions200JSONResponse{
		Body: shown, Headers: gen.ListProjectMergeRequestVersions200ResponseHeaders(window.Headers(total)),
	}, nil
}

// versions presents versions with their patch IDs.
func versions(ctx context.Context, repo git.Repo, rows ...model.MergeRequestVersion) ([]gen.MergeRequestVersion, error) {
	pairs := make([]git.Pair, len(rows))
	for i, v := range rows {
		pairs[i] = git.Pair{From: v.BaseSHA, To: v.HeadSHA}
	}
	ids, err := repo.PatchIDs(ctx, pairs)
	if err != nil {
		return nil, err
	}
	shown := make([]gen.MergeRequestVersion, len(rows))
	for i, v := range rows {
		shown[i] = present.MergeRequestVersion(v, ids[i])
	}
	return shown, nil
}

// GetProjectMergeRequestVersion returns a version of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/versions/{version_id}
func (m *MergeRequests) GetProjectMergeRequestVersion(
	ctx context.Context, req gen.GetProjectMergeRequestVersionRequestObject,
) (gen.GetProjectMergeRequestVersionResponseObject, error) {
	row, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	v, err := m.store.MergeRequests.Version(ctx, found.ID, req.VersionID)
	if err != nil {
		return nil, err
	}
	repo, err := m.merger.Repo(row.Project)
	if err != nil {
		return nil, err
	}
	s := mergeRequestCommits{row: row, mr: model.MergeRequest{HeadSHA: v.HeadSHA, BaseSHA: v.BaseSHA, StartSHA: v.StartSHA}, repo: repo, from: v.BaseSHA}
	if s.from == "" {
		s.from = git.EmptyTree
	}
	var commits []git.Commit
	var files []git.FileDiff
	ids, err := s.commits(ctx)
	if err == nil {
		commits, err = repo.Commits(ctx, ids[:min(len(ids), maxCommits)])
	}
	if err == nil {
		files, _, err = repo.Diff(ctx, s.from, v.HeadSHA)
	}
	if err != nil { // git may have deleted the commits of an old version
		if _, known := repo.Info(ctx, v.HeadSHA); !errors.Is(known, git.ErrNotFound) {
			return nil, err
		}
	}
	listed, err := versions(ctx, repo, v)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMergeRequestVersion200JSONResponse(m.show.VersionDetail(
		row.Project, listed[0], commits, files, wire.Value(req.Params.Unidiff),
	)), nil
}

// ListProjectMergeRequestParticipants lists the participants of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/participants
func (m *MergeRequests) ListProjectMergeRequestParticipants(
	ctx context.Context, req gen.ListProjectMergeRequestParticipantsRequestObject,
) (gen.ListProjectMergeRequestParticipantsResponseObject, error) {
	_, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := m.window(ctx, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := m.store.MergeRequests.Participants(ctx, found, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestParticipants200JSONResponse{
		Body:    present.All(rows, m.show.UserBasic),
		Headers: gen.ListProjectMergeRequestParticipants200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectMergeRequestReviewers lists the reviewers of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/reviewers
func (m *MergeRequests) ListProjectMergeRequestReviewers(
	ctx context.Context, req gen.ListProjectMergeRequestReviewersRequestObject,
) (gen.ListProjectMergeRequestReviewersResponseObject, error) {
	_, found, err := m.find(ctx, req.ID, req.MergeRequestIid, access.ReadMergeRequest)
	if err != nil {
		return nil, err
	}
	window, err := m.window(ctx, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, err := m.store.MergeRequests.Reviewers(ctx, found.ID)
	if err != nil {
		return nil, err
	}
	few, total := pagination.PageOf(window, rows)
	return gen.ListProjectMergeRequestReviewers200JSONResponse{
		Body:    present.All(few, m.show.MergeRequestReviewer),
		Headers: gen.ListProjectMergeRequestReviewers200ResponseHeaders(window.Headers(total)),
	}, nil
}
