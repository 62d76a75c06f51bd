// Package engine moves jobs and pipelines: it applies what server/domain/ci/status knows to rows, each pipeline in one transaction
// that has it for itself.
//
//	engine.go    what the engine is made of
//	work.go      one pipeline in a transaction: moves are gathered, then written in few statements
//	process.go   which waiting jobs set out, and what the pipeline's own state is
//	begin.go     a new pipeline
//	finish.go    a job is taken by a runner, and ends
//	action.go    what people do: cancel, retry, play
//	resource.go  who gets a resource group
//	bridge.go    pipelines that start others, and wait for them
//	deploy.go    environments and deployments follow their jobs
//	waiting.go   why a job does not run yet
//	clock.go     delayed jobs, and those that take too long
package engine

import (
	"context"
	"errors"
	"time"

	"svc/store"
)

// ErrNotNow says that what was asked for cannot be done in the state that the job is in.
var ErrNotNow = errors.New("the job is not in a state for this")

// Payload is work for later, as server/platform/worker has it.
type Payload interface{ Kind() string }

// Engine moves jobs and pipelines.
type Engine struct {
	store *store.Store
	later func(ctx context.Context, payload Payload, at time.Time) error
	wake  func()
}

// New needs how work is put off until a time, in the caller's transaction, and who is told that jobs wait for runners.
func New(st *store.Store, later func(ctx context.Context, payload Payload, at time.Time) error, wake func()) *Engine {
	return &Engine{store: st, later: later, wake: wake}
}

// soon puts work off until the transaction is over.
func (e *Engine) soon(ctx context.Context, payload Payload) error {
	return e.later(ctx, payload, time.Time{})
}

// now is the time as databases keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }
