package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"svc/server/domain/ci/launch"
	"svc/server/domain/ci/payload"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/syntax"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/clock"
	"svc/store/git"
	"svc/store/model"
	"svc/store/secret"
)

// brokenError means that a job cannot run.
type brokenError struct{ reason status.Reason }

func (e *brokenError) Error() string { return "the job cannot run: " + string(e.reason) }

func broken(reason status.Reason) error { return &brokenError{reason} }

// preparation is a job while it is prepared for a runner.
type preparation struct {
	*Queue
	job    model.Job
	runner model.Runner
	token  string
	// multiStep says that the machine runs every step of a job.
	multiStep bool
	specJSON  string // the definition from the CI file, as JSON
	spec      syntax.Job
	project   model.Project
	pipeline  model.Pipeline
	user      *model.User
	timeout   time.Duration
	needed    []model.Job     // jobs whose artifacts this job gets
	known     variables.Facts // the values of the predefined variables
}

// prepare builds the payload for the runner. A *brokenError means that the job can never run.
func (w *preparation) prepare(ctx context.Context, c candidate, depth int) (*payload.Payload, error) {
	w.timeout = time.Duration(w.job.Timeout) * time.Second
	if w.runner.MaximumTimeout != nil && *w.runner.MaximumTimeout > 0 {
		w.timeout = min(w.timeout, time.Duration(*w.runner.MaximumTimeout)*time.Second)
	}
	if err := w.loadRows(ctx); err != nil {
		return nil, err
	}
	if err := w.findNeeded(ctx); err != nil {
		return nil, err
	}
	vars, err := w.variables(ctx)
	if err != nil {
		return nil, err
	}
	dependencies, err := w.dependencies(ctx)
	if err != nil {
		return nil, err
	}
	info, err := w.info(ctx, c.running, depth)
	if err != nil {
		return nil, err
	}
	made, err := payload.New(payload.Input{
		ID:             w.job.ID,
		Token:          w.token,
		Job:            w.spec,
		Info:           info,
		Git:            w.git(),
		Timeout:        w.timeout,
		Variables:      vars,
		Dependencies:   dependencies,
		GitFetch:       w.project.BuildGitStrategy != "clone",
		GitDepth:       int(w.project.CiDefaultGitDepth),
		SeparateCaches: w.project.CiSeparatedCaches,
		FileKey:        func(files []string) (string, error) { return w.fileKey(ctx, files) },
		TokenPrefixes:  []string{secret.JobTokenPrefix},
	})
	var tooLong *variables.TooLongError
	if errors.As(err, &tooLong) {
		return nil, broken(status.DataIntegrityFailure)
	}
	if err != nil {
		return nil, fmt.Errorf("prepare job %d: %w", w.job.ID, err)
	}
	return &made, nil
}

// load reads a job, its pipeline and its definition from the CI file.
func (w *preparation) load(ctx context.Context, id int64) error {
	var err error
	w.job, w.pipeline, w.specJSON, err = w.store.Jobs.GetWithSpec(ctx, id)
	return err
}

// loadRows reads the other rows that a payload needs. It refuses jobs that may no longer run.
func (w *preparation) loadRows(ctx context.Context) error {
	if json.Unmarshal([]byte(w.specJSON), &w.spec) != nil {
		return broken(status.DataIntegrityFailure)
	}
	if w.spec.Release != nil && !w.multiStep {
		return broken(status.RunnerUnsupported) // the runner would not create the release
	}
	row, err := w.store.Projects.Get(ctx, w.job.ProjectID, "", &store.Reader{Admin: true})
	if err != nil {
		return brokenIfMissing(err)
	}
	w.project = row.Project
	if w.project.BuildsAccessLevel == model.FeatureDisabled || w.project.Archived {
		return broken(status.BuildsDisabled)
	}
	if w.job.UserID == nil {
		return broken(status.UserBlocked) // the account was deleted
	}
	user, err := w.store.Users.Get(ctx, *w.job.UserID)
	if err != nil {
		return brokenIfMissing(err)
	}
	if user.State != model.UserActive {
		return broken(status.UserBlocked)
	}
	w.user = &user
	return nil
}

// brokenIfMissing turns a missing row into a *brokenError: the job cannot run without it.
func brokenIfMissing(err error) error {
	if store.IsNotFound(err) {
		return broken(status.DataIntegrityFailure)
	}
	return err
}

func (w *preparation) info(ctx context.Context, running int64, depth int) (payload.JobInfo, error) {
	root, err := w.store.Jobs.RootNamespace(ctx, w.project.NamespaceID)
	if err != nil {
		return payload.JobInfo{}, err
	}
	info := payload.JobInfo{
		PipelineID: w.pipeline.ID, ProjectID: w.project.ID, ProjectName: w.project.Name, ProjectFullPath: w.project.FullPath,
		NamespaceID: w.project.NamespaceID, RootNamespaceID: root, OrganizationID: 1, UserID: w.user.ID,
		RunningOnSharedRunner: "+Inf", QueueSize: depth,
	}
	if w.runner.RunnerType == model.InstanceRunner { // only instance runners are counted
		info.RunningOnSharedRunner = strconv.FormatInt(running, 10)
	}
	if w.job.QueuedAt != nil {
		info.TimeInQueue = max(clock.Now(ctx).Sub(*w.job.QueuedAt).Seconds(), 0)
	}
	return info, nil
}

func (w *preparation) git() payload.GitInfo {
	info := payload.GitInfo{
		RepoURL: w.server.URL + "/" + w.project.FullPath + ".git", RepoObjectFormat: "sha1", Ref: w.pipeline.Ref, SHA: w.pipeline.SHA,
		BeforeSHA: w.pipeline.BeforeSHA, RefType: "branch", Protected: w.pipeline.Protected,
	}
	if w.pipeline.Tag {
		info.RefType = "tag"
	}
	info.Refspecs = launch.Refspecs(w.pipeline, w.project.CiDefaultGitDepth)
	if u, err := url.Parse(info.RepoURL); err == nil {
		u.User = url.UserPassword(variables.GitUser, w.token)
		info.RepoURL = u.String()
	}
	return info
}

// variables returns all variables of the job. Needs in other projects and pipelines are found here, because they may
// contain variables, and their dotenv reports add more.
func (w *preparation) variables(ctx context.Context) ([]variables.Variable, error) {
	sources, err := w.sources(ctx)
	if err != nil {
		return nil, err
	}
	if len(w.spec.CrossNeeds) > 0 {
		if err := w.findCrossNeeds(ctx, sources.Merge()); err != nil {
			return nil, err
		}
	}
	if sources.Dotenv, err = w.dotenv(ctx); err != nil {
		return nil, err
	}
	return w.addIdentities(ctx, sources.Merge())
}

// sources returns the variables of the job, except those from dotenv reports.
func (w *preparation) sources(ctx context.Context) (variables.Sources, error) {
	stored, err := launch.ReadStored(ctx, w.store, w.project)
	if err != nil {
		return variables.Sources{}, err
	}
	given, err := w.store.Pipelines.Variables(ctx, w.pipeline.ID)
	if err != nil {
		return variables.Sources{}, err
	}
	played, err := w.store.Jobs.PlayVariables(ctx, w.job.ID)
	if err != nil {
		return variables.Sources{}, err
	}
	environment := ""
	if w.job.Environment != nil {
		environment = *w.job.Environment
	}
	facts, err := w.facts(ctx, environment, stored.Languages)
	if err != nil {
		return variables.Sources{}, err
	}
	w.known = facts
	sources := stored.Sources(w.job.Protected, environment)
	sources.Predefined, sources.File, sources.Pipeline = variables.Predefined(facts), w.spec.Variables, launch.PipelineVariables(given)
	for _, v := range played {
		sources.Job = append(sources.Job, variables.Variable{Key: v.Key, Value: v.Value})
	}
	return sources, nil
}

// facts collects the values of the predefined variables.
func (w *preparation) facts(ctx context.Context, environment string, languages []string) (variables.Facts, error) {
	f := launch.Facts(w.server, w.project, w.pipeline, w.user)
	f.Project.Languages = languages
	merge, err := launch.MergeRequestFacts(ctx, w.store, w.server, w.pipeline.MergeRequestID)
	if err != nil {
		return f, err
	}
	if f.Pipeline.OpenMergeRequests, err = launch.OpenMergeRequests(ctx, w.store, w.pipeline); err != nil {
		return f, err
	}
	f = launch.WithMergeRequest(f, merge)
	f.Job = &variables.Job{
		ID: w.job.ID, Name: w.job.Name, Stage: w.job.Stage, GroupName: w.spec.BaseName, Token: w.token,
		Timeout: w.timeout, Started: clock.Now(ctx).UTC(),
		Manual: w.job.RunWhen == "manual", NodeIndex: w.spec.NodeIndex, NodeTotal: w.spec.NodeTotal,
	}
	if w.spec.Image != nil {
		f.Job.Image = w.spec.Image.Name
	}
	f.Runner = &variables.Runner{ID: w.runner.ID, Tags: decodeList(w.runner.Tags)}
	if w.runner.Description != nil {
		f.Runner.Description = *w.runner.Description
	}
	if w.runner.Version != nil {
		f.Runner.Version = *w.runner.Version
	}
	if e := w.spec.Environment; e != nil && environment != "" {
		f.Environment = &variables.Environment{Name: environment, URL: e.URL, Action: e.Action, Tier: e.DeploymentTier}
	}
	return f, nil
}

// fileKey returns a digest of the content of files at the pipeline's commit, or "" if none of them exists.
func (w *preparation) fileKey(ctx context.Context, files []string) (string, error) {
	repo, err := w.repos.OpenProject(w.project.RepositoryStorage, w.project.ID, w.project.EmptyRepo)
	if err != nil {
		return "", err
	}
	key := ""
	for _, file := range files {
		entry, err := repo.TreeAt(ctx, w.pipeline.SHA, file)
		if errors.Is(err, git.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", err
		}
		key += entry.ID + "\n"
	}
	if key == "" {
		return "", nil
	}
	return secret.DigestText(key)[:40], nil
}

// hasDebugTrace reports whether the variables make the runner log everything, including secrets.
func hasDebugTrace(all []payload.Variable) bool {
	for _, v := range all {
		if v.Key == "CI_DEBUG_TRACE" || v.Key == "CI_DEBUG_SERVICES" {
			if on, err := strconv.ParseBool(strings.TrimSpace(v.Value)); err == nil && on {
				return true
			}
		}
	}
	return false
}
