// Package launch brings pipelines into being: it reads the CI file of a commit, compiles it and hands the jobs to the engine.
//
//	launch.go    a pipeline for a commit, whoever wants it
//	config.go    where the CI file is
//	files.go     included files, changed files, files that exist
//	facts.go     the variables that the service defines, and those that are stored
//	rows.go      the pipeline as rows
//	kept.go      its commit stays fetchable
//	ref.go       which commit somebody means, and whether they may run jobs there
//	judge.go     who may run pipelines, wherever they come from
//	push.go      pipelines of pushes
//	schedule.go  pipelines of schedules
//	bridge.go    pipelines that other pipelines start
//	artifact.go  CI files that jobs make
//	given.go     what people may give to pipelines
//	lint.go      CI files that are checked only
//	merge.go     pipelines of merge requests
package launch

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Parts are what a launcher is made of.
type Parts struct {
	Store  *store.Store
	Repos  *git.Repositories
	Engine *engine.Engine
	Server variables.Server
	// Later puts work off until a time, in the caller's transaction; the zero time is soon.
	Later func(ctx context.Context, job engine.Payload, at time.Time) error
	// Sees tells whether somebody sees a project at all.
	Sees func(row model.ProjectRow, r *store.Reader) bool
	// Runs tells whether a ref is protected, and whether who the project was read for may run jobs on it.
	Runs  func(ctx context.Context, row model.ProjectRow, ref string, tag bool) (protected, may bool, err error)
	Files *artifacts.Keeper // what jobs have made
}

// Launcher makes pipelines.
type Launcher struct{ Parts }

// New makes a launcher of its parts.
func New(p Parts) *Launcher { return &Launcher{p} }

// Order is a pipeline that somebody wants.
type Order struct {
	Project   model.ProjectRow // as the user sees it
	User      model.User
	Ref       string // short name
	Tag       bool
	SHA       string // of a commit
	Before    string // what the ref was before a push, else empty
	Source    string
	Variables []model.PipelineVariable
	Vouched   bool   // somebody who may give variables gave these, and not the user
	Origin    string // of which there must not be two, else empty
	Schedule  *model.PipelineSchedule
	Upstream  *model.Job        // the bridge that starts it
	Depth     int64             // how many pipelines led to it
	Child     bool              // of a pipeline of the same project
	Config    []byte            // instead of the project's CI file
	Inputs    map[string]string // for the CI file
	extra     map[string][]byte // files that are in no repository
	Keep      bool              // a pipeline whose file is wrong is kept as failed
	Skip      bool              // the pipeline is kept as skipped

	MergeRequest *model.MergeRequest // that it is for
}

// RefusedError is why there is no pipeline, in sentences for who wanted it.
type RefusedError struct {
	Texts    []string
	Pipeline *model.Pipeline // what was kept all the same
	None     bool            // nothing is wrong: there is just nothing to run
}

func (e *RefusedError) Error() string { return e.Texts[0] }

func refused(texts ...string) error { return &RefusedError{Texts: texts} }

// The sentences.
const (
	noFile     = "Missing CI config file"
	noRef      = "Reference not found"
	twoRefs    = "Ref is ambiguous"
	notAllowed = "You are not allowed to run pipelines on this ref"
	noRole     = "Insufficient permissions to create a new pipeline"
	noGiving   = "Insufficient permissions to set pipeline variables"
)

const configError = "config_error"

// Launch makes a pipeline. It is a *RefusedError if there is to be none.
func (l *Launcher) Launch(ctx context.Context, o Order) (model.Pipeline, error) {
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
	n := w.empty()
	if o.Skip {
		n.Pipeline.Status = "skipped"
		return w.begin(ctx, n)
	}
	compiled, err := w.compile(ctx, source)
	var mistakes syntax.Errors
	switch {
	case errors.Is(err, syntax.ErrFiltered), errors.Is(err, syntax.ErrNoJobs):
		return model.Pipeline{}, &RefusedError{Texts: []string{err.Error()}, None: true}
	case errors.As(err, &mistakes):
		return w.mistaken(ctx, n, mistakes)
	case err != nil:
		return model.Pipeline{}, err
	}
	if err := w.fill(n, compiled); err != nil {
		return model.Pipeline{}, err
	}
	return w.begin(ctx, n)
}

// work is one pipeline on its way.
type work struct {
	*Launcher
	Order
	repo      git.Repo
	commit    git.Commit
	message   string // of an annotated tag
	protected bool
	iid       int64
	stored    Stored
	files     *files
	merge     *variables.MergeRequest
	open      []string // merge requests from the branch
}

// repo is the repository of a project.
func (l *Launcher) repo(p model.Project) (git.Repo, error) {
	return l.Repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
}

func (l *Launcher) prepare(ctx context.Context, o Order) (*work, error) {
	if o.Before == "" {
		o.Before = git.Zero
	}
	project := o.Project.Project
	repo, err := l.repo(project)
	if err != nil {
		return nil, err
	}
	w := &work{Launcher: l, Order: o, repo: repo}
	if w.protected, err = l.judge(ctx, o); err != nil {
		return nil, err
	}
	if w.commit, err = w.commitOf(ctx); err != nil {
		return nil, err
	}
	if err := w.readMerges(ctx); err != nil {
		return nil, err
	}
	if w.stored, err = ReadStored(ctx, l.Store, project); err != nil {
		return nil, err
	}
	if o.Tag {
		w.message = tagMessage(ctx, w.repo, o.Ref)
	}
	w.files = newFiles(l, o, w.repo)
	return w, nil
}

// commitOf is the commit that the pipeline is for. A file of no commit is checked in an empty repository.
func (w *work) commitOf(ctx context.Context) (git.Commit, error) {
	if w.SHA == git.Zero && w.Config != nil {
		return git.Commit{ID: git.Zero}, nil
	}
	commit, err := w.repo.Commit(ctx, w.SHA)
	if errors.Is(err, git.ErrNotFound) {
		err = refused(noRef)
	}
	return commit, err
}

// compile makes a pipeline of the CI file.
func (w *work) compile(ctx context.Context, source []byte) (*syntax.Pipeline, error) {
	at := w.context(ctx)
	config, err := syntax.Load(source, syntax.Sources{File: w.files.reader(ctx)}, at)
	if err != nil {
		return nil, err
	}
	return config.Compile(at)
}

// mistaken is what becomes of a pipeline whose CI file is wrong.
func (w *work) mistaken(ctx context.Context, n *store.NewPipeline, mistakes syntax.Errors) (model.Pipeline, error) {
	no := &RefusedError{Texts: mistakes.Messages()}
	if !w.Keep {
		return model.Pipeline{}, no
	}
	at := time.Now().UTC().Truncate(time.Microsecond)
	text, reason := mistakes.Error(), configError
	n.Pipeline.Status, n.Pipeline.YamlErrors, n.Pipeline.FailureReason, n.Pipeline.FinishedAt = "failed", &text, &reason, &at
	p, err := w.begin(ctx, n)
	if err != nil {
		return p, err
	}
	no.Pipeline = &p
	return p, no
}

// begin keeps a pipeline and all that follows from it. Of two that are made for the same the second is the first.
func (w *work) begin(ctx context.Context, n *store.NewPipeline) (model.Pipeline, error) {
	err := w.Store.Tx(ctx, func(ctx context.Context) error {
		if err := w.Engine.Begin(ctx, n); err != nil {
			return err
		}
		if err := w.Store.MergeRequests.PipelineMade(ctx, n.Pipeline); err != nil {
			return err
		}
		if err := w.soon(ctx, Kept{ProjectID: n.Pipeline.ProjectID, PipelineID: n.Pipeline.ID}); err != nil {
			return err
		}
		if !w.supersedes(n) {
			return nil
		}
		return w.soon(ctx, engine.Supersede{PipelineID: n.Pipeline.ID})
	})
	var conflict *store.ConflictError
	if errors.As(err, &conflict) && conflict.Constraint == "pipelines_origin" {
		return w.Store.Pipelines.GetByOrigin(ctx, w.Origin)
	}
	return n.Pipeline, err
}

// supersedes tells whether older pipelines of the branch may be needless now.
func (w *work) supersedes(n *store.NewPipeline) bool {
	return len(n.Jobs) > 0 && !w.Tag && w.Upstream == nil && w.Schedule == nil && w.Project.Project.AutoCancelPendingPipelines == "enabled"
}

func (l *Launcher) soon(ctx context.Context, job engine.Payload) error {
	return l.Later(ctx, job, time.Time{})
}

// Commit is the commit of a pipeline, as it was kept with it.
func Commit(p model.Pipeline) git.Commit {
	var c git.Commit
	if json.Unmarshal([]byte(p.CommitData), &c) != nil {
		return git.Commit{ID: p.SHA}
	}
	return c
}
