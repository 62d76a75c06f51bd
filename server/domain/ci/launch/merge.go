package launch

import (
	"context"
	"fmt"

	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// MergeRequestSource is what pipelines of merge requests are made by.
const MergeRequestSource = "merge_request_event"

// mostOpen is how many open merge requests a job is told of.
const mostOpen = 4

// Merge is a pipeline that is wanted for a merge request.
type Merge struct {
	Request model.MergeRequest
	User    model.User
	Project model.ProjectRow // where it runs, as the user sees it: the source project, or the target project
	Origin  string           // of which there must not be two, else empty
}

// Merge makes the pipeline of a merge request, from what the CI file of its newest commit says. In the project that it is to be
// merged into, the pipeline is of the merge request's own ref; in a fork it is of the branch. It is a *RefusedError if
// there is to be none.
func (l *Launcher) Merge(ctx context.Context, m Merge) (model.Pipeline, error) {
	project := m.Project.Project
	if !runsCI(project) {
		return model.Pipeline{}, refused(notAllowed)
	}
	o := Order{
		Project: m.Project, User: m.User, Ref: m.Request.SourceBranch, SHA: m.Request.HeadSHA, Source: MergeRequestSource, Origin: m.Origin,
		MergeRequest: &m.Request,
	}
	if project.ID == m.Request.ProjectID {
		o.Ref = git.ProposedRef(m.Request.IID)
	}
	return l.Launch(ctx, o)
}

// MergeFacts is what the service says of the merge request that a pipeline is for; nil if it is for none.
func MergeFacts(ctx context.Context, st *store.Store, server variables.Server, id *int64) (*variables.MergeRequest, error) {
	if id == nil {
		return nil, nil
	}
	told, err := st.MergeRequests.Told(ctx, *id)
	if store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := told.MergeRequest
	f := &variables.MergeRequest{
		ID: m.ID, IID: m.IID, Title: m.Title, SourceBranch: m.SourceBranch, SourceProjectPath: told.SourcePath, TargetBranch: m.TargetBranch,
		TargetProjectPath: told.TargetPath, TargetURL: server.URL + "/" + told.TargetPath, DiffBaseSHA: m.BaseSHA, EventType: "detached",
		Milestone: told.Milestone, ProjectID: m.ProjectID, Draft: m.Draft, Assignees: told.Assignees, Labels: told.Labels,
		TargetBranchProtected: told.TargetProtected,
	}
	if m.Description != nil {
		f.Description = *m.Description
	}
	if m.SourceProjectID != nil {
		f.SourceProjectID, f.SourceURL = *m.SourceProjectID, server.URL+"/"+told.SourcePath
	}
	return f, nil
}

// readMerges reads the merge request of a pipeline, or those that are open from its branch.
func (w *work) readMerges(ctx context.Context) error {
	var err error
	switch {
	case w.MergeRequest != nil:
		w.merge, err = MergeFacts(ctx, w.Store, w.Server, &w.MergeRequest.ID)
	case !w.Tag:
		w.open, err = w.Store.MergeRequests.OpenReferences(ctx, w.Project.Project.ID, w.Ref, mostOpen)
	}
	return err
}

// OpenMerges are the merge requests that are open from the branch of a pipeline, as its jobs are told.
func OpenMerges(ctx context.Context, st *store.Store, p model.Pipeline) ([]string, error) {
	if p.Tag || p.MergeRequestID != nil {
		return nil, nil
	}
	return st.MergeRequests.OpenReferences(ctx, p.ProjectID, p.Ref, mostOpen)
}

// For adds what is said of a merge request. Its jobs know the branch that is to be merged, and not the ref that keeps it.
func For(f variables.Facts, m *variables.MergeRequest) variables.Facts {
	if m != nil {
		f.MergeRequest, f.Commit.Ref = m, m.SourceBranch
	}
	return f
}

// Refspecs are what a runner fetches for a job of a merge request: its commit, and with the whole history all branches and tags.
func Refspecs(p model.Pipeline, depth int64) []string {
	if p.MergeRequestID == nil {
		return nil
	}
	specs := []string{fmt.Sprintf("+%s:refs/pipelines/%d", p.SHA, p.ID)}
	if depth == 0 {
		specs = append(specs, "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
	}
	return specs
}
