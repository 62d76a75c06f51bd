package mergerequests

import (
	"context"
	"errors"

	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/store/git"
	"svc/store/model"
)

// mergeRequestCommits is a merge request with its newest commits, or those of one of its versions.
type mergeRequestCommits struct {
	mergerequest.Revision
	row model.ProjectRow
	mr  model.MergeRequest
}

// open finds a merge request and the repository with its commits.
func (m *MergeRequests) open(ctx context.Context, project string, iid int64) (mergeRequestCommits, error) {
	row, mr, err := m.find(ctx, project, iid, access.ReadMergeRequest)
	s := mergeRequestCommits{row: row, mr: mr}
	if err != nil {
		return s, err
	}
	s.Revision, err = m.viewer.Revision(ctx, row.Project, mr)
	return s, err
}

// openVersion returns a version of a merge request with the repository that has its commits.
func (m *MergeRequests) openVersion(row model.ProjectRow, v model.MergeRequestVersion) (mergeRequestCommits, error) {
	s := mergeRequestCommits{row: row, Revision: mergerequest.NewRevision(v.HeadSHA, v.BaseSHA, v.StartSHA)}
	var err error
	s.Repo, err = m.merger.Repo(row.Project)
	return s, err
}

// contents reads the commits and the changed files of a version. They may be missing, because git may have deleted the
// commits of an old version.
func (s mergeRequestCommits) contents(ctx context.Context) ([]git.Commit, []git.FileDiff, error) {
	var commits []git.Commit
	var files []git.FileDiff
	ids, err := s.Commits(ctx)
	if err == nil {
		commits, err = s.Repo.Commits(ctx, ids[:min(len(ids), mergerequest.MaxCommits)])
	}
	if err == nil {
		files, _, err = s.Files(ctx)
	}
	if err != nil {
		if _, known := s.Repo.Info(ctx, s.Head); errors.Is(known, git.ErrNotFound) {
			err = nil
		}
	}
	return commits, files, err
}
