package launch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/server/platform/access"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Limits of downstream pipelines.
const (
	maxChildren = 2    // levels of child pipelines
	maxDepth    = 20   // pipelines above the new one
	maxFamily   = 1000 // pipelines in one family
	retryDelay  = 10 * time.Second
)

// failure means that a bridge cannot start its pipeline.
type failure struct {
	reason   status.Reason
	pipeline *model.Pipeline // the failed pipeline that was stored, if any
}

func (f *failure) Error() string { return string(f.reason) }

func newFailure(reason status.Reason) error { return &failure{reason: reason} }

// Bridge creates the downstream pipeline of a bridge.
func (l *Launcher) Bridge(ctx context.Context, b engine.Bridge) error {
	job, err := l.Store.Jobs.Find(ctx, b.JobID)
	if err != nil || job.Status != string(status.Pending) {
		return ignoreStale(err)
	}
	spec, err := l.Engine.Spec(ctx, &job)
	if err != nil {
		return ignoreStale(err)
	}
	if spec.Trigger == nil {
		return ignoreStale(l.mirrorUpstream(ctx, job, spec))
	}
	downstream, err := l.startDownstream(ctx, job, spec)
	var f *failure
	switch {
	case errors.As(err, &f):
		if f.pipeline != nil {
			if err := l.Store.Jobs.SetDownstream(ctx, job.ID, f.pipeline.ID, clock.Now(ctx).UTC().Truncate(time.Microsecond)); err != nil {
				return err
			}
		}
		return ignoreStale(l.Engine.Drop(ctx, job, f.reason))
	case err != nil:
		return ignoreStale(err)
	}
	return ignoreStale(l.Engine.BridgeStarted(ctx, job, downstream.ID, spec.Trigger.Strategy != ""))
}

// ignoreStale ignores errors that mean that the pipeline or job was deleted or has moved on.
func ignoreStale(err error) error {
	if store.IsNotFound(err) || errors.Is(err, engine.ErrWrongStatus) {
		return nil
	}
	return err
}

// startDownstream creates the downstream pipeline of a bridge.
func (l *Launcher) startDownstream(ctx context.Context, job model.Job, spec syntax.Job) (model.Pipeline, error) {
	origin := fmt.Sprintf("bridge %d", job.ID)
	if p, err := l.Store.Pipelines.GetByOrigin(ctx, origin); err == nil || !store.IsNotFound(err) {
		return p, err // a server created it before and then crashed
	}
	upstream, err := l.Store.Pipelines.Find(ctx, job.PipelineID)
	if err != nil {
		return model.Pipeline{}, err
	}
	if job.UserID == nil {
		return model.Pipeline{}, newFailure(status.UserBlocked)
	}
	user, err := l.Store.Users.Get(ctx, *job.UserID)
	if err != nil {
		return model.Pipeline{}, err
	}
	if user.State != model.UserActive {
		return model.Pipeline{}, newFailure(status.UserBlocked)
	}
	o := Request{User: user, Origin: origin, Upstream: &job, Depth: upstream.Depth + 1, Keep: true}
	if spec.Trigger.Project != "" {
		o, err = l.orderDownstream(ctx, o, spec.Trigger, upstream)
	} else {
		o, err = l.orderChild(ctx, o, spec.Trigger, upstream)
	}
	if err != nil {
		return model.Pipeline{}, err
	}
	if err := l.checkLimits(ctx, o, upstream); err != nil {
		return model.Pipeline{}, err
	}
	if o.Variables, err = l.forwarded(ctx, o.User, job, spec, upstream); err != nil {
		return model.Pipeline{}, err
	}
	p, err := l.Launch(ctx, o)
	var no *RefusedError
	if errors.As(err, &no) {
		err = &failure{reason: status.DownstreamPipelineCreationFailed, pipeline: no.Pipeline}
	}
	return p, err
}

// orderDownstream completes the order for a pipeline in another project.
func (l *Launcher) orderDownstream(
	ctx context.Context, o Request, t *syntax.Trigger, upstream model.Pipeline,
) (Request, error) {
	reader := Reader(o.User)
	row, err := l.Store.Projects.Get(ctx, 0, t.Project, reader)
	switch {
	case store.IsNotFound(err) || err == nil && !access.SeesProject(row, reader):
		return o, newFailure(status.DownstreamBridgeProjectNotFound)
	case err != nil:
		return o, err
	case row.Role() < model.Developer || !runsCI(row.Project):
		return o, newFailure(status.InsufficientBridgePermissions)
	}
	o.Project, o.Source, o.Inputs = row, "pipeline", t.Inputs
	ref := t.Branch
	if ref == "" {
		ref = row.Project.DefaultBranch
	}
	o, err = l.ResolveRef(ctx, o, ref)
	var no *RefusedError
	switch {
	case errors.As(err, &no) && no.Texts[0] == notAllowed:
		err = newFailure(status.InsufficientBridgePermissions)
	case errors.As(err, &no):
		err = newFailure(status.InvalidBridgeTrigger)
	}
	if err == nil && o.Project.Project.ID == upstream.ProjectID && o.Ref == upstream.Ref && o.SHA == upstream.SHA {
		err = newFailure(status.PipelineLoopDetected)
	}
	return o, err
}

// orderChild completes the order for a child pipeline: the same commit with other CI files.
func (l *Launcher) orderChild(
	ctx context.Context, o Request, t *syntax.Trigger, upstream model.Pipeline,
) (Request, error) {
	row, err := l.Store.Projects.Get(ctx, upstream.ProjectID, "", Reader(o.User))
	if err != nil {
		return o, err
	}
	if row.Role() < model.Developer || !runsCI(row.Project) {
		return o, newFailure(status.InsufficientBridgePermissions)
	}
	o.Project, o.Source, o.Child = row, "parent_pipeline", true
	o.Ref, o.Tag, o.SHA, o.Before = upstream.Ref, upstream.Tag, upstream.SHA, upstream.BeforeSHA
	if upstream.MergeRequestID != nil {
		m, err := l.Store.MergeRequests.Find(ctx, *upstream.MergeRequestID)
		if err != nil {
			return o, err
		}
		o.MergeRequest = &m
	}
	o.Config, o.extra, err = l.childConfig(ctx, t, upstream)
	return o, err
}

// childConfig returns a CI file that includes the files that the bridge names. It also returns the included artifacts,
// as files that only this pipeline can read.
func (l *Launcher) childConfig(
	ctx context.Context, t *syntax.Trigger, upstream model.Pipeline,
) ([]byte, map[string][]byte, error) {
	var list []includeItem
	extra := map[string][]byte{}
	for i, f := range t.Include {
		inputs := f.Inputs
		if inputs == nil {
			inputs = t.Inputs
		}
		one := includeItem{Local: f.Local, Template: f.Template, Project: f.Project, Ref: f.Ref, File: f.File, Inputs: inputs}
		if f.Artifact != "" {
			text, err := l.artifact(ctx, upstream.ID, f.Job, f.Artifact)
			if err != nil {
				return nil, nil, err
			}
			one.Local = fmt.Sprintf("%s/%d.yml", artifactFolder, i)
			extra[one.Local] = text
		}
		list = append(list, one)
	}
	config, err := includeConfig(list...)
	return config, extra, err
}

// artifactFolder is a path that cannot exist in a repository.
const artifactFolder = ".git/artifacts"

// checkLimits refuses pipelines that form a loop or exceed the limits.
func (l *Launcher) checkLimits(ctx context.Context, o Request, upstream model.Pipeline) error {
	above, family, err := l.Store.Pipelines.Family(ctx, upstream.ID, maxDepth+1, maxFamily)
	if err != nil {
		return err
	}
	children, inRow := 0, o.Child
	for _, p := range above { // the nearest first
		if !o.Child && p.ProjectID == o.Project.Project.ID && p.Ref == o.Ref && p.SHA == o.SHA {
			return newFailure(status.PipelineLoopDetected)
		}
		if inRow = inRow && p.Child; inRow {
			children++
		}
	}
	switch {
	case children >= maxChildren, len(above) >= maxDepth:
		return newFailure(status.ReachedMaxDescendantPipelinesDepth)
	case family >= maxFamily:
		return newFailure(status.ReachedMaxPipelineHierarchySize)
	}
	return nil
}

// forwarded returns the variables that a bridge passes to the downstream pipeline, according to trigger:forward: its
// own variables from the CI file, expanded, and the variables of its pipeline.
func (l *Launcher) forwarded(
	ctx context.Context, user model.User, job model.Job, spec syntax.Job, upstream model.Pipeline,
) ([]model.PipelineVariable, error) {
	given, err := l.Store.Pipelines.Variables(ctx, upstream.ID)
	if err != nil {
		return nil, err
	}
	var handed []variables.Variable
	if spec.Trigger.ForwardYAML {
		set, err := l.bridgeSet(ctx, user, job, spec, upstream, given)
		if err != nil {
			return nil, err
		}
		for _, v := range spec.Variables {
			if !v.Raw {
				if v.Value, err = set.Expand(v.Value); err != nil {
					return nil, newFailure(status.DownstreamPipelineCreationFailed)
				}
				v.Raw = true // do not expand it again in the other project
			}
			handed = append(handed, v)
		}
	}
	if spec.Trigger.ForwardPipeline {
		handed = variables.Merge(handed, PipelineVariables(given))
	}
	rows := make([]model.PipelineVariable, len(handed))
	for i, v := range handed {
		rows[i] = model.PipelineVariable{Key: v.Key, Value: v.Value, VariableType: model.VariableEnv, Raw: v.Raw}
		if v.File {
			rows[i].VariableType = model.VariableFile
		}
	}
	return rows, nil
}

// bridgeSet returns the variables for expanding the variables of a bridge.
func (l *Launcher) bridgeSet(
	ctx context.Context, user model.User, job model.Job, spec syntax.Job, p model.Pipeline,
	given []model.PipelineVariable,
) (*variables.Set, error) {
	row, err := l.Store.Projects.Get(ctx, p.ProjectID, "", Reader(user))
	if err != nil {
		return nil, err
	}
	stored, err := ReadStored(ctx, l.Store, row.Project)
	if err != nil {
		return nil, err
	}
	facts := Facts(l.Server, row.Project, p, &user)
	facts.Project.Languages = stored.Languages
	merge, err := MergeRequestFacts(ctx, l.Store, l.Server, p.MergeRequestID)
	if err != nil {
		return nil, err
	}
	facts = WithMergeRequest(facts, merge)
	facts.Job = &variables.Job{ID: job.ID, Name: job.Name, Stage: job.Stage, GroupName: spec.BaseName}
	environment := ""
	if job.Environment != nil {
		environment = *job.Environment
	}
	above := stored.Sources(p.Protected, environment)
	above.Pipeline = PipelineVariables(given)
	return variables.NewSet(
		variables.NewLayer(variables.Predefined(facts)), variables.NewLayer(spec.Variables),
		variables.NewLayer(above.AboveFile()),
	), nil
}

// mirrorUpstream handles a bridge with needs:pipeline. The bridge gets the status of the newest pipeline on the default branch
// of another project.
func (l *Launcher) mirrorUpstream(ctx context.Context, job model.Job, spec syntax.Job) error {
	path := ""
	for _, need := range spec.CrossNeeds {
		if need.Pipeline != "" && need.Job == "" {
			path = need.Pipeline
		}
	}
	if job.UserID == nil {
		return l.Engine.Drop(ctx, job, status.UserBlocked)
	}
	user, err := l.Store.Users.Get(ctx, *job.UserID)
	if err != nil {
		return err
	}
	reader := Reader(user)
	row, err := l.Store.Projects.Get(ctx, 0, path, reader)
	switch {
	case store.IsNotFound(err) || err == nil && !access.SeesProject(row, reader):
		return l.Engine.Drop(ctx, job, status.UpstreamBridgeProjectNotFound)
	case err != nil:
		return err
	case !row.ReadsJobs():
		return l.Engine.Drop(ctx, job, status.InsufficientUpstreamPermissions)
	}
	p, err := l.Store.Pipelines.Latest(ctx, row.Project.ID, row.Project.DefaultBranch, "")
	if store.IsNotFound(err) {
		return l.Engine.Drop(ctx, job, status.UpstreamBridgeProjectNotFound)
	}
	if err != nil {
		return err
	}
	switch s := status.Status(p.Status); {
	case s == status.Success:
		return l.Engine.BridgeStarted(ctx, job, p.ID, false)
	case s.IsComplete():
		return l.Engine.Drop(ctx, job, status.UnknownFailure)
	}
	return l.Later(ctx, engine.Bridge{JobID: job.ID}, clock.Now(ctx).Add(retryDelay))
}
