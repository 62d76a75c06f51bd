package mergerequests

import (
	"context"
	"errors"

	"svc/server/platform/access"
	"svc/store/git"
	"svc/store/model"
)

// maxCommits is the maximum number of commits that are read without a page.
const maxCommits = 200

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

// openVersion returns a version of a merge request with the repository that has its commits.
func (m *MergeRequests) openVersion(row model.ProjectRow, v model.MergeRequestVersion) (mergeRequestCommits, error) {
	s := mergeRequestCommits{
		row: row, mr: model.MergeRequest{HeadSHA: v.HeadSHA, BaseSHA: v.BaseSHA, StartSHA: v.StartSHA}, from: v.BaseSHA,
	}
	if s.from == "" {
		s.from = git.EmptyTree
	}
	var err error
	s.repo, err = m.merger.Repo(row.Project)
	return s, err
}

// commits returns the IDs of the commits of a merge request, newest first.
func (s mergeRequestCommits) commits(ctx context.Context) ([]string, error) {
	if s.mr.BaseSHA == "" {
		return s.repo.Log(ctx, git.LogFilter{From: s.mr.HeadSHA}, 0, maxCommits)
	}
	return s.repo.Between(ctx, s.mr.StartSHA, s.mr.HeadSHA)
}

// contents reads the commits and the changed files of a version. They may be missing, because git may have deleted the
// commits of an old version.
func (s mergeRequestCommits) contents(ctx context.Context) ([]git.Commit, []git.FileDiff, error) {
	var commits []git.Commit
	var files []git.FileDiff
	ids, err := s.commits(ctx)
	if err == nil {
		commits, err = s.repo.Commits(ctx, ids[:min(len(ids), maxCommits)])
	}
	if err == nil {
		files, _, err = s.repo.Diff(ctx, s.from, s.mr.HeadSHA)
	}
	if err != nil {
		if _, known := s.repo.Info(ctx, s.mr.HeadSHA); errors.Is(known, git.ErrNotFound) {
			err = nil
		}
	}
	return commits, files, err
}
