package load

import (
	"context"
	"encoding/json"
	"strings"

	"svc/server/domain/mergerequest/approval"
	"svc/server/domain/mergerequest/mergestatus"
	"svc/server/domain/mergerequest/statuscheck"
	"svc/server/domain/webhook/payload"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Pipeline reads a pipeline with its jobs, and everything else that its body shows.
func (l *Loader) Pipeline(ctx context.Context, p model.Pipeline, project model.Project) (payload.PipelineInput, error) {
	in := payload.PipelineInput{Project: project, Pipeline: p, Now: clock.Now(ctx)}
	var err error
	if in.User, err = l.userOrNil(ctx, p.UserID); err != nil {
		return in, err
	}
	if in.Jobs, err = l.store.Jobs.NewestRows(ctx, p); err != nil {
		return in, err
	}
	if in.Variables, err = l.store.Pipelines.Variables(ctx, p.ID); err != nil {
		return in, err
	}
	if in.Tiers, err = l.tiers(ctx, project.ID, in.Jobs...); err != nil {
		return in, err
	}
	if in.Source, err = l.source(ctx, p, project); err != nil {
		return in, err
	}
	in.MergeRequest, err = l.mergeRequestOf(ctx, p, project)
	return in, err
}

// tiers reads the tiers of the environments of jobs.
func (l *Loader) tiers(ctx context.Context, projectID int64, jobs ...model.JobRow) (map[string]string, error) {
	known, names := map[string]bool{}, []string(nil)
	for _, j := range jobs {
		if name := j.Job.Environment; name != nil && !known[*name] {
			known[*name] = true
			names = append(names, *name)
		}
	}
	return l.store.Environments.Tiers(ctx, projectID, names)
}

// source reads the job that has started a pipeline.
func (l *Loader) source(ctx context.Context, p model.Pipeline, project model.Project) (*payload.SourcePipelineInput, error) {
	if p.UpstreamJobID == nil {
		return nil, nil // it has no parent
	}
	bridge, err := l.store.Jobs.Find(ctx, *p.UpstreamJobID)
	if store.IsNotFound(err) {
		return nil, nil // the parent is gone
	}
	if err != nil {
		return nil, err
	}
	in := &payload.SourcePipelineInput{Project: project, PipelineID: bridge.PipelineID, JobID: bridge.ID}
	if bridge.ProjectID != project.ID {
		in.Project, err = l.Project(ctx, bridge.ProjectID)
	}
	return in, err
}

// mergeRequestOf reads the merge request that a pipeline is for.
func (l *Loader) mergeRequestOf(
	ctx context.Context, p model.Pipeline, project model.Project,
) (*payload.PipelineMergeRequestInput, error) {
	if p.MergeRequestID == nil {
		return nil, nil // it is for none
	}
	m, err := l.store.MergeRequests.Find(ctx, *p.MergeRequestID)
	if store.IsNotFound(err) {
		return nil, nil // it is gone
	}
	if err != nil {
		return nil, err
	}
	in := &payload.PipelineMergeRequestInput{MergeRequest: m, Target: project}
	if m.ProjectID != project.ID {
		if in.Target, err = l.Project(ctx, m.ProjectID); err != nil {
			return nil, err
		}
	}
	unresolved, err := l.store.MergeRequests.Unresolved(ctx, []int64{m.ID})
	facts := mergestatus.Facts{Project: in.Target, Unresolved: unresolved[m.ID]}
	if m.HeadPipelineID != nil && *m.HeadPipelineID == p.ID {
		facts.Pipeline = &p
	}
	if err != nil {
		return in, err
	}
	approvals, err := approval.Load(ctx, l.store, []model.MergeRequest{m})
	if err != nil {
		return in, err
	}
	approvals[m.ID].Describe(&facts)
	if in.Target.OnlyAllowMergeIfAllStatusChecksPassed {
		missing, err := statuscheck.Missing(ctx, l.store, m)
		if err != nil {
			return in, err
		}
		facts.ChecksPending = missing[m.ID]
	}
	in.DetailedStatus = mergestatus.Detailed(m, facts)
	return in, err
}

// Job reads a job with everything that its body shows. Bridges send no hook.
func (l *Loader) Job(ctx context.Context, id int64, project model.Project) (payload.JobInput, error) {
	in := payload.JobInput{Project: project, Now: clock.Now(ctx)}
	var err error
	if in.Job, err = l.store.Jobs.GetRow(ctx, id); err != nil {
		return in, err
	}
	if in.Pipeline, err = l.store.Pipelines.Find(ctx, in.Job.Job.PipelineID); err != nil {
		return in, err
	}
	if in.Retries, err = l.store.Jobs.CountRetried(ctx, in.Job.Job.PipelineID, in.Job.Job.Name); err != nil {
		return in, err
	}
	if in.Tiers, err = l.tiers(ctx, project.ID, in.Job); err != nil {
		return in, err
	}
	if in.Source, err = l.source(ctx, in.Pipeline, project); err != nil {
		return in, err
	}
	in.Author, err = l.author(ctx, in.Pipeline)
	return in, err
}

// author reads the user who has confirmed the address of the author of a pipeline's commit, or returns nil.
func (l *Loader) author(ctx context.Context, p model.Pipeline) (*model.User, error) {
	var c git.Commit
	if json.Unmarshal([]byte(p.CommitData), &c) != nil || c.Author.Email == "" {
		return nil, nil // there is no commit
	}
	users, err := l.store.Users.ByConfirmedEmail(ctx, []string{c.Author.Email})
	if u, ok := users[strings.ToLower(c.Author.Email)]; ok && err == nil {
		return &u, nil
	}
	return nil, err
}

// Deployment reads a deployment with everything that its body shows.
func (l *Loader) Deployment(ctx context.Context, id int64, project model.Project) (payload.DeploymentInput, error) {
	row, err := l.store.Deployments.Get(ctx, project.ID, id)
	if err != nil {
		return payload.DeploymentInput{}, err
	}
	return payload.DeploymentInput{
		Project: project, Deployment: row, User: row.User, ChangedAt: row.Deployment.UpdatedAt,
	}, nil
}
