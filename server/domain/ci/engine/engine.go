// Package engine moves jobs and pipelines from one status to the next. It applies the rules of server/domain/ci/status to
// rows. Each change to a pipeline is one transaction that locks the pipeline.
//
//	engine.go     the Engine type
//	work.go       one pipeline in a transaction: collects moves and writes them in few statements
//	process.go    which waiting jobs start, and the status of the pipeline
//	begin.go      create a pipeline
//	finish.go     a runner claims a job; a job finishes
//	action.go     user actions: cancel, retry, play
//	erase.go      who may erase a job
//	supersede.go  cancel older pipelines of a branch
//	resource.go   resource groups: which job gets one, and in which order
//	bridge.go     pipelines that start other pipelines and wait for them
//	deploy.go     environments and deployments follow their jobs
//	protect.go    who may run jobs of protected environments, and the approvals of deployments
//	hooks.go      announces to webhooks what has changed
//	waiting.go    explain why a job does not run yet
//	clock.go      delayed jobs, and jobs that take too long
package engine

import (
	"context"
	"errors"
	"time"

	"svc/server/domain/ci/signal"
	"svc/server/domain/webhook/announce"
	"svc/store"
	"svc/store/clock"
)

// ErrWrongStatus means that the action is not possible in the current status of the job.
var ErrWrongStatus = errors.New("the state of the job does not allow this")

// Payload is a background job (see server/platform/worker).
type Payload interface{ Kind() string }

// Engine moves jobs and pipelines from one status to the next.
type Engine struct {
	store    *store.Store
	schedule func(ctx context.Context, payload Payload, at time.Time) error
	signal   *signal.Signal
	hooks    *announce.Announcer // announces to webhooks; nil announces nothing
}

// WithHooks lets the engine announce to webhooks what it changes.
func (e *Engine) WithHooks(hooks *announce.Announcer) *Engine {
	e.hooks = hooks
	return e
}

// New returns an Engine. It schedules background jobs with later, in the caller's transaction. It notifies runners when
// jobs wait for them.
func New(
	st *store.Store, later func(ctx context.Context, payload Payload, at time.Time) error, runners *signal.Signal,
) *Engine {
	return &Engine{store: st, schedule: later, signal: runners}
}

// enqueue schedules a background job to run right after the transaction.
func (e *Engine) enqueue(ctx context.Context, payload Payload) error {
	return e.schedule(ctx, payload, time.Time{})
}

// now returns the time in the precision of the databases.
func now(ctx context.Context) time.Time { return clock.Now(ctx).UTC().Truncate(time.Microsecond) }
