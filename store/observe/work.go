// Package observe measures what a request or a background job costs, and traces it. The context carries the measurements,
// so that the database, git and outgoing requests add to them without knowing who called.
//
//	work.go       the cost of one request or job
//	times.go      durations and outcomes, counted for metrics
//	span.go       spans of a trace, and the tracer that begins them
//	parent.go     the header traceparent
//	transport.go  spans of outgoing requests
package observe

import (
	"context"
	"sync/atomic"
	"time"
)

// Work collects the cost of one request or background job. Several goroutines may add to it. Methods of a nil Work do
// nothing, so callers need not know whether somebody measures. The zero value is ready, and part of the facts about a
// request, so that measuring a request allocates nothing.
type Work struct {
	statements    atomic.Int64
	statementTime atomic.Int64
	gitProcesses  atomic.Int64
	gitTime       atomic.Int64
	waitTime      atomic.Int64
	idleTime      atomic.Int64
	span          *Span // nil if the work is not traced
}

// Cost is what work has cost so far.
type Cost struct {
	Statements    int64         // statements sent to the database
	StatementTime time.Duration // time of these statements
	GitProcesses  int64         // git processes started, or borrowed from the idle ones
	GitTime       time.Duration // time for which git worked
	WaitTime      time.Duration // time spent waiting for a connection, a transaction or the lock of a repository
	IdleTime      time.Duration // time for which the caller wanted to wait, such as a runner for its next job
}

// Key is the key of the work in a context. A context that carries other facts, too, can answer it itself.
type Key struct{}

// With returns a context that carries the work.
func With(ctx context.Context, w *Work) context.Context { return context.WithValue(ctx, Key{}, w) }

// Of returns the work of a context, or nil.
func Of(ctx context.Context) *Work {
	w, _ := ctx.Value(Key{}).(*Work)
	return w
}

// Statement adds one statement.
func (w *Work) Statement(took time.Duration) {
	if w != nil {
		w.statements.Add(1)
		w.statementTime.Add(int64(took))
	}
}

// Git adds the use of one git process.
func (w *Work) Git(took time.Duration) {
	if w != nil {
		w.gitProcesses.Add(1)
		w.gitTime.Add(int64(took))
	}
}

// Wait adds time spent waiting.
func (w *Work) Wait(took time.Duration) {
	if w != nil {
		w.waitTime.Add(int64(took))
	}
}

// Idle adds time for which the caller wanted to wait.
func (w *Work) Idle(took time.Duration) {
	if w != nil {
		w.idleTime.Add(int64(took))
	}
}

// Cost returns what the work has cost so far.
func (w *Work) Cost() Cost {
	if w == nil {
		return Cost{}
	}
	return Cost{
		Statements: w.statements.Load(), StatementTime: time.Duration(w.statementTime.Load()),
		GitProcesses: w.gitProcesses.Load(), GitTime: time.Duration(w.gitTime.Load()),
		WaitTime: time.Duration(w.waitTime.Load()), IdleTime: time.Duration(w.idleTime.Load()),
	}
}

// Span returns the span of the work, or nil if it is not traced.
func (w *Work) Span() *Span {
	if w == nil {
		return nil
	}
	return w.span
}
