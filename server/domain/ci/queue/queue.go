// Package queue gives pending jobs to runners that ask for one.
//
//	queue.go        a runner asks for a job and gets one
//	choose.go       which jobs a runner may run, and which of them comes first; no I/O
//	prepare.go      build everything that the runner needs for a job
//	depend.go       artifacts and variables of earlier jobs
//	cross.go        artifacts and variables of jobs in other projects and pipelines
//	environment.go  the URL of a job's environment
//	identity.go     signed tokens by which other services know the job
package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/payload"
	"svc/server/domain/ci/signal"
	"svc/server/domain/ci/status"
	"svc/server/domain/ci/variables"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
	"svc/store/secret"
)

// Queue gives pending jobs to runners.
type Queue struct {
	store  *store.Store
	engine *engine.Engine
	files  *artifacts.Service
	repos  *git.Repositories
	server variables.Server
	sign   Sign
	*signal.Signal
	nextProject atomic.Int64 // if there are many groups: the project at which the next search starts
}

// Dependencies are the dependencies of a Queue.
type Dependencies struct {
	Store        *store.Store
	Engine       *engine.Engine
	Artifacts    *artifacts.Service
	Repositories *git.Repositories
	Server       variables.Server
	Signal       *signal.Signal // wakes runners that wait for a job
	Sign         Sign           // signs the tokens of id_tokens
}

// New returns a Queue.
func New(d Dependencies) *Queue {
	return &Queue{
		store: d.Store, engine: d.Engine, files: d.Artifacts, repos: d.Repositories, server: d.Server,
		Signal: d.Signal, sign: d.Sign,
	}
}

const (
	// maxTries is how often Next searches again after another runner has taken the job.
	maxTries = 12
	// groupBatch is the number of groups of pending jobs that one search reads.
	groupBatch = 2000
)

// Next assigns a job to a runner and returns its payload, or nil if there is no job. If a job cannot run, Next marks it
// as failed and tries another one.
func (q *Queue) Next(ctx context.Context, c store.RunnerRequest) (*payload.Payload, error) {
	if !c.Waiting || c.Runner.Paused {
		return nil, nil
	}
	for range maxTries {
		candidates, err := q.candidates(ctx, c.Runner)
		if err != nil || len(candidates) == 0 {
			return nil, err
		}
		given, again, err := q.assign(ctx, c, candidates)
		if err != nil || given != nil || !again {
			return given, err
		}
	}
	return nil, nil
}

// assign tries to assign the first candidate. Again means that another search may find a job.
func (q *Queue) assign(
	ctx context.Context, c store.RunnerRequest, candidates []candidate,
) (given *payload.Payload, again bool, err error) {
	token := secret.NewJobToken()
	w := &preparation{Queue: q, runner: c.Runner, multiStep: c.MultiStep, token: token}
	if err := w.load(ctx, candidates[0].jobID); err != nil {
		return nil, store.IsNotFound(err), ignoreNotFound(err)
	}
	job := w.job
	if job.Status != string(status.Pending) {
		return nil, true, nil // another runner was faster
	}
	made, err := w.prepare(ctx, candidates[0], len(candidates))
	var broken *brokenError
	if errors.As(err, &broken) {
		if err := q.engine.Drop(ctx, job, broken.reason); err != nil && !errors.Is(err, engine.ErrWrongStatus) && !store.IsNotFound(err) {
			return nil, false, err
		}
		return nil, true, nil
	}
	if err != nil {
		return nil, false, err
	}
	taken, err := q.engine.Claim(ctx, job.PipelineID, store.Claim{
		JobID: job.ID, RunnerID: c.Runner.ID, ManagerID: c.ManagerID, Digest: secret.DigestText(token),
		Timeout: int64(made.RunnerInfo.Timeout), Deploys: job.Environment != nil,
		Debug: hasDebugTrace(made.Variables),
	})
	if err != nil || !taken {
		return nil, true, err
	}
	return made, false, nil
}

func ignoreNotFound(err error) error {
	if store.IsNotFound(err) {
		return nil
	}
	return err
}

// candidates returns the jobs that a runner may run: the oldest one of each project, in the order in which they get a runner.
func (q *Queue) candidates(ctx context.Context, r model.Runner) ([]candidate, error) {
	var tags []string
	if err := json.Unmarshal([]byte(r.Tags), &tags); err != nil {
		return nil, fmt.Errorf("read the tags of runner %d: %w", r.ID, err)
	}
	from := q.nextProject.Load()
	groups, err := q.store.Jobs.PendingGroups(ctx, from, groupBatch)
	switch {
	case err != nil:
		return nil, err
	case len(groups) == groupBatch: // the next search reads the rest
		q.nextProject.Store(groups[len(groups)-1].ProjectID + 1)
	case from > 0:
		q.nextProject.Store(0)
		if len(groups) == 0 {
			return q.candidates(ctx, r)
		}
	}
	oldest := oldestByProject(groups, status.RunnerRules{
		Tags: tags, Untagged: r.RunUntagged, ProtectedOnly: r.AccessLevel == "ref_protected",
	})
	if len(oldest) == 0 {
		return nil, nil
	}
	ids := make([]int64, 0, len(oldest))
	for id := range oldest {
		ids = append(ids, id)
	}
	projects, err := q.store.Jobs.ForRunner(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	return order(oldest, projects), nil
}

// Watch wakes waiting runners when another process has queued jobs. It checks once a second, until the context ends.
func (q *Queue) Watch(ctx context.Context, failed func(error)) {
	if !q.store.Postgres() {
		return // SQLite: there is no other process
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var last int64
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		mark, err := q.store.Jobs.QueueMark(ctx)
		if err != nil {
			if ctx.Err() == nil {
				failed(err)
			}
			continue
		}
		if mark > last {
			q.Notify()
		}
		last = mark
	}
}
