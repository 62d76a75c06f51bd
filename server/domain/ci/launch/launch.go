// Package launch creates pipelines: it reads the CI file of a commit, compiles it and passes the jobs to the engine.
//
//	launch.go          create a pipeline for a commit
//	config.go          find the CI file
//	files.go           included files, changed files and existing files
//	facts.go           predefined variables and stored variables
//	rows.go            the rows of a pipeline and its jobs
//	keep.go            keep the commit of a pipeline fetchable until the pipeline is deleted
//	ref.go             create a pipeline on a ref: find its commit, and check that the user may run jobs there
//	authorize.go       who may run pipelines, whatever their source
//	push.go            pipelines for pushes
//	schedule.go        pipelines for schedules
//	bridge.go          pipelines that other pipelines start
//	artifact.go        CI files that jobs create
//	user_variables.go  checks of variables that users pass to pipelines
//	lint.go            check CI files without running them
//	merge.go           pipelines for merge requests
package launch

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/freeze"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/server/domain/repository/push"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
)

// Dependencies are the dependencies of a Launcher.
type Dependencies struct {
	Store  *store.Store
	Repos  *git.Repositories
	Engine *engine.Engine
	Server variables.Server
	// Later schedules a background job, in the caller's transaction. The zero time means soon.
	Later  func(ctx context.Context, job engine.Payload, at time.Time) error
	Pusher *push.Pusher       // knows the rules of protected refs
	Files  *artifacts.Service // the artifacts of jobs
}

// Launcher creates pipelines.
type Launcher struct{ Dependencies }

// New returns a Launcher.
func New(p Dependencies) *Launcher { return &Launcher{p} }

// Request describes a pipeline to create.
type Request struct {
	Project          model.ProjectRow // as the user sees it
	User             model.User
	Ref              string // short name
	Tag              bool
	SHA              string // the commit
	Before           string // the previous commit of the ref, for a push; else empty
	Source           string
	Variables        []model.PipelineVariable
	VariablesTrusted bool   // the variables come from another user, who may pass variables
	Origin           string // at most one pipeline is created per origin; empty for no such limit
	Schedule         *model.PipelineSchedule
	Upstream         *model.Job        // the bridge that starts this pipeline
	Depth            int64             // number of pipelines above this one
	Child            bool              // a child pipeline, in the same project
	Config           []byte            // used instead of the project's CI file
	Inputs           map[string]string // for the CI file
	extra            map[string][]byte // files that are in no repository
	Keep             bool              // if the CI file is invalid, store the pipeline as failed
	Skip             bool              // store the pipeline as skipped

	MergeRequest *model.MergeRequest // the merge request that the pipeline is for
}

// RefusedError explains, in sentences for the user, why no pipeline was created.
type RefusedError struct {
	Texts    []string
	Pipeline *model.Pipeline // the failed pipeline that was stored, if any
	NoJobs   bool            // not an error: there are no jobs to run
}

func (e *RefusedError) Error() string { return e.Texts[0] }

func refused(texts ...string) error { return &RefusedError{Texts: texts} }

// Messages of a RefusedError.
const (
	noFile      = "Missing CI config file"
	noRef       = "Reference not found"
	twoRefs     = "Ref is ambiguous"
	notAllowed  = "You are not allowed to run pipelines on this ref"
	noRole      = "Insufficient permissions to create a new pipeline"
	noVariables = "Insufficient permissions to set pipeline variables"
)

const configError = "config_error"

// Launch creates a pipeline. It returns a *RefusedError if the request does not lead to a pipeline that runs.
func (l *Launcher) Launch(ctx context.Context, o Request) (model.Pipeline, error) {
	if o.Origin != "" {
		if p, err := l.Store.Pipelines.GetByOrigin(ctx, o.Origin); err == nil || !store.IsNotFound(err) {
			return p, err
		}
	}
	w, err := l.prepare(ctx, o)
	if err != nil {
		return model.Pipeline{}, err
	}
	source, err := w.source(ctx)
	if err != nil {
		return model.Pipeline{}, err
	}
	if w.iid, err = l.Store.Pipelines.NextIID(ctx, o.Project.Project.ID); err != nil {
		return model.Pipeline{}, err
	}
	n := w.newPipeline()
	if o.Skip {
		n.Pipeline.Status = "skipped"
		return w.begin(ctx, n)
	}
	compiled, err := w.compile(ctx, source)
	var mistakes syntax.Errors
	switch {
	case errors.Is(err, syntax.ErrFiltered), errors.Is(err, syntax.ErrNoJobs):
		return model.Pipeline{}, &RefusedError{Texts: []string{err.Error()}, NoJobs: true}
	case errors.As(err, &mistakes):
		return w.refuseConfig(ctx, n, mistakes)
	case err != nil:
		return model.Pipeline{}, err
	}
	if err := w.addJobs(n, compiled); err != nil {
		return model.Pipeline{}, err
	}
	return w.begin(ctx, n)
}

// launching is a pipeline while it is created.
type launching struct {
	*Launcher
	Request
	repo      git.Repo
	commit    git.Commit
	message   string // of an annotated tag
	protected bool
	iid       int64
	stored    Stored
	files     *files
	merge     *variables.MergeRequest
	open      []string // references of open merge requests from the branch
	frozen    bool     // the project is in a freeze period
}

func (l *Launcher) repo(p model.Project) (git.Repo, error) {
	return l.Repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
}

func (l *Launcher) prepare(ctx context.Context, o Request) (*launching, error) {
	if o.Before == "" {
		o.Before = git.Zero
	}
	project := o.Project.Project
	repo, err := l.repo(project)
	if err != nil {
		return nil, err
	}
	w := &launching{Launcher: l, Request: o, repo: repo}
	if w.protected, err = l.authorize(ctx, o); err != nil {
		return nil, err
	}
	if w.commit, err = w.commitOf(ctx); err != nil {
		return nil, err
	}
	if err := w.readMergeRequests(ctx); err != nil {
		return nil, err
	}
	if w.stored, err = ReadStored(ctx, l.Store, project); err != nil {
		return nil, err
	}
	periods, err := l.Store.FreezePeriods.OfProject(ctx, project.ID)
	if err != nil {
		return nil, err
	}
	w.frozen = freeze.Active(periods, clock.Now(ctx))
	if o.Tag {
		w.message = tagMessage(ctx, w.repo, o.Ref)
	}
	w.files = newFiles(l, o, w.repo)
	return w, nil
}

// commitOf returns the commit of the pipeline. Lint may check a file without a commit; the repository then counts as
// empty.
func (w *launching) commitOf(ctx context.Context) (git.Commit, error) {
	if w.SHA == git.Zero && w.Config != nil {
		return git.Commit{ID: git.Zero}, nil
	}
	commit, err := w.repo.Commit(ctx, w.SHA)
	if errors.Is(err, git.ErrNotFound) {
		err = refused(noRef)
	}
	return commit, err
}

// compile loads and compiles the CI file.
func (w *launching) compile(ctx context.Context, source []byte) (*syntax.Pipeline, error) {
	at := w.context(ctx)
	config, err := syntax.Load(source, syntax.Sources{File: w.files.reader(ctx)}, at)
	if err != nil {
		return nil, err
	}
	return config.Compile(at)
}

// refuseConfig handles a CI file with errors. It stores the pipeline as failed if w.Keep is set.
func (w *launching) refuseConfig(
	ctx context.Context, n *store.NewPipeline, mistakes syntax.Errors,
) (model.Pipeline, error) {
	no := &RefusedError{Texts: mistakes.Messages()}
	if !w.Keep {
		return model.Pipeline{}, no
	}
	at := clock.Now(ctx).UTC().Truncate(time.Microsecond)
	text, reason := mistakes.Error(), configError
	n.Pipeline.Status, n.Pipeline.YamlErrors, n.Pipeline.FailureReason, n.Pipeline.FinishedAt = "failed", &text, &reason, &at
	p, err := w.begin(ctx, n)
	if err != nil {
		return p, err
	}
	no.Pipeline = &p
	return p, no
}

// begin stores a pipeline and queues the background jobs that follow. If another pipeline has the same origin, begin
// returns that one.
func (w *launching) begin(ctx context.Context, n *store.NewPipeline) (model.Pipeline, error) {
	err := w.Store.Tx(ctx, func(ctx context.Context) error {
		if err := w.Engine.Begin(ctx, n); err != nil {
			return err
		}
		if err := w.Store.MergeRequests.SetHeadPipeline(ctx, n.Pipeline); err != nil {
			return err
		}
		if err := w.enqueue(ctx, KeepCommit{ProjectID: n.Pipeline.ProjectID, PipelineID: n.Pipeline.ID}); err != nil {
			return err
		}
		if !w.supersedes(n) {
			return nil
		}
		return w.enqueue(ctx, engine.Supersede{PipelineID: n.Pipeline.ID})
	})
	var conflict *store.ConflictError
	if errors.As(err, &conflict) && conflict.Constraint == "pipelines_origin" {
		return w.Store.Pipelines.GetByOrigin(ctx, w.Origin)
	}
	return n.Pipeline, err
}

// supersedes reports whether the new pipeline may make older pipelines of the branch redundant.
func (w *launching) supersedes(n *store.NewPipeline) bool {
	return len(n.Jobs) > 0 && !w.Tag && w.Upstream == nil && w.Schedule == nil && w.Project.Project.AutoCancelPendingPipelines == "enabled"
}

func (l *Launcher) enqueue(ctx context.Context, job engine.Payload) error {
	return l.Later(ctx, job, time.Time{})
}

// Commit returns the commit data that was stored with a pipeline.
func Commit(p model.Pipeline) git.Commit {
	var c git.Commit
	if json.Unmarshal([]byte(p.CommitData), &c) != nil {
		return git.Commit{ID: p.SHA}
	}
	return c
}
