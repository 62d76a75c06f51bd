package mergerequest

import (
	"context"
	"errors"

	"svc/server/platform/access"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// MaxCommits is the maximum number of commits that are read of a merge request whose branches have no common history.
const MaxCommits = 200

// Revision is a state of a merge request whose commits and files can be read: the newest one, or a stored version.
type Revision struct {
	Repo              git.Repo
	Head, Base, Start string
	From              string // the commit or tree that the files are compared with
}

// Revision returns the newest state of a merge request that its repository has.
func (v *Viewer) Revision(ctx context.Context, project model.Project, mr model.MergeRequest) (Revision, error) {
	r := NewRevision(mr.HeadSHA, mr.BaseSHA, mr.StartSHA)
	var err error
	if r.Repo, err = v.merger.Repo(project); err != nil {
		return r, err
	}
	_, err = r.Repo.Info(ctx, mr.HeadSHA)
	if !errors.Is(err, git.ErrNotFound) {
		return r, err
	}
	last, err := v.store.MergeRequests.LastVersion(ctx, mr.ID) // the head was just pushed to a fork
	if err != nil {
		return r, err
	}
	older := NewRevision(last.HeadSHA, last.BaseSHA, last.StartSHA)
	older.Repo = r.Repo
	return older, nil
}

// NewRevision returns a revision without its repository.
func NewRevision(head, base, start string) Revision {
	r := Revision{Head: head, Base: base, Start: start, From: base}
	if r.From == "" {
		r.From = git.EmptyTree
	}
	return r
}

// Commits returns the IDs of the commits, newest first.
func (r Revision) Commits(ctx context.Context) ([]string, error) {
	if r.Base == "" {
		return r.Repo.Log(ctx, git.LogFilter{From: r.Head}, 0, MaxCommits)
	}
	return r.Repo.Between(ctx, r.Start, r.Head)
}

// Files returns the changed files, and whether something was left out.
func (r Revision) Files(ctx context.Context) ([]git.FileDiff, bool, error) {
	return r.Repo.Diff(ctx, r.From, r.Head)
}

// PipelineProjects returns the paths of the source and target project of a merge request by their IDs, if the caller can
// see their pipelines.
func (v *Viewer) PipelineProjects(
	ctx context.Context, row model.ProjectRow, mr model.MergeRequest,
) (map[int64]string, error) {
	found := map[int64]string{}
	if row.ReadsJobs() {
		found[row.Project.ID] = row.Project.FullPath
	}
	if mr.SourceProjectID == nil || *mr.SourceProjectID == row.Project.ID {
		return found, nil
	}
	reader := access.Reader(ctx)
	source, err := v.store.Projects.Get(ctx, *mr.SourceProjectID, "", reader)
	if store.IsNotFound(err) {
		return found, nil
	}
	if err == nil && access.SeesProject(source, reader) && source.ReadsJobs() {
		found[source.Project.ID] = source.Project.FullPath
	}
	return found, err
}

// maxConflicts is the maximum number of files that Conflicts returns.
const maxConflicts = 50

// Conflicts returns the files that a person must combine before a merge request can be merged.
func (v *Viewer) Conflicts(ctx context.Context, project model.Project, mr model.MergeRequest) ([]string, error) {
	repo, err := v.merger.Repo(project)
	if err != nil {
		return nil, err
	}
	return repo.ConflictingFiles(ctx, mr.TargetSHA, mr.HeadSHA, maxConflicts)
}

// ClosesIssues returns which of the issues that a merge request mentions are closed when it is merged: those that it names for
// that, if it is merged into the default branch and the project wants it.
func ClosesIssues(project model.Project, mr model.MergeRequest) store.Referenced {
	if !project.AutocloseReferencedIssues || mr.TargetBranch != project.DefaultBranch {
		return store.ReferencedNone
	}
	return store.ReferencedClosed
}
