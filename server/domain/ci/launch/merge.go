package launch

import (
	"context"
	"fmt"

	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// MergeRequestSource is the source of merge request pipelines.
const MergeRequestSource = "merge_request_event"

// maxOpenMergeRequests is the largest number of open merge requests that a job gets in its variables.
const maxOpenMergeRequests = 4

// MergeRequestPipeline describes a pipeline to create for a merge request.
type MergeRequestPipeline struct {
	Request model.MergeRequest
	User    model.User
	Project model.ProjectRow // where the pipeline runs, as the user sees it: the source or the target project
	Origin  string           // at most one pipeline is created per origin; empty for no such limit
}

// LaunchMergeRequest creates the pipeline of a merge request from the CI file of its newest commit. In the target project, the
// pipeline runs on the ref of the merge request. In a fork, it runs on the source branch. Merge returns a *RefusedError
// if the merge request gets no pipeline.
func (l *Launcher) LaunchMergeRequest(ctx context.Context, m MergeRequestPipeline) (model.Pipeline, error) {
	project := m.Project.Project
	if !runsCI(project) {
		return model.Pipeline{}, refused(notAllowed)
	}
	o := Request{
		Project: m.Project, User: m.User, Ref: m.Request.SourceBranch, SHA: m.Request.HeadSHA, Source: MergeRequestSource, Origin: m.Origin,
		MergeRequest: &m.Request,
	}
	if project.ID == m.Request.ProjectID {
		o.Ref = git.MergeRequestRef(m.Request.IID)
	}
	return l.Launch(ctx, o)
}

// MergeRequestFacts returns the values of the predefined variables of a merge request. It returns nil if the pipeline has
// none.
func MergeRequestFacts(
	ctx context.Context, st *store.Store, server variables.Server, id *int64,
) (*variables.MergeRequest, error) {
	if id == nil {
		return nil, nil
	}
	told, err := st.MergeRequests.JobContext(ctx, *id)
	if store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := told.MergeRequest
	f := &variables.MergeRequest{
		ID: m.ID, IID: m.IID, Title: m.Title, SourceBranch: m.SourceBranch, SourceProjectPath: told.SourcePath,
		TargetBranch: m.TargetBranch, TargetProjectPath: told.TargetPath, TargetURL: server.URL + "/" + told.TargetPath,
		DiffBaseSHA: m.BaseSHA, EventType: "detached", Milestone: told.Milestone, ProjectID: m.ProjectID, Draft: m.Draft,
		Assignees: told.Assignees, Labels: told.Labels,
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

// readMergeRequests reads the merge request of the pipeline, or the open merge requests from its branch.
func (w *launching) readMergeRequests(ctx context.Context) error {
	var err error
	switch {
	case w.MergeRequest != nil:
		w.merge, err = MergeRequestFacts(ctx, w.Store, w.Server, &w.MergeRequest.ID)
	case !w.Tag:
		w.open, err = w.Store.MergeRequests.OpenReferences(ctx, w.Project.Project.ID, w.Ref, maxOpenMergeRequests)
	}
	return err
}

// OpenMergeRequests returns references to the open merge requests from the branch of a pipeline, for the variables of its
// jobs.
func OpenMergeRequests(ctx context.Context, st *store.Store, p model.Pipeline) ([]string, error) {
	if p.Tag || p.MergeRequestID != nil {
		return nil, nil
	}
	return st.MergeRequests.OpenReferences(ctx, p.ProjectID, p.Ref, maxOpenMergeRequests)
}

// WithMergeRequest adds the facts of a merge request. Its jobs see the source branch as their ref, not the ref of the merge request.
func WithMergeRequest(f variables.Facts, m *variables.MergeRequest) variables.Facts {
	if m != nil {
		f.MergeRequest, f.Commit.Ref = m, m.SourceBranch
	}
	return f
}

// Refspecs returns what a runner fetches for a job of a merge request pipeline: its commit and, if the project fetches
// the whole history, all branches and tags.
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
