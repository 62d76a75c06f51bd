// Package signal wakes runner requests that wait for a job.
package signal

import (
	"context"
	"sync"
	"time"

	"svc/store/observe"
)

// Signal wakes waiting runner requests when there may be a job.
type Signal struct {
	mu      sync.Mutex
	changed chan struct{} // closed by the next Notify
	closed  bool
}

// New returns a Signal on which requests can wait.
func New() *Signal { return &Signal{changed: make(chan struct{})} }

// Subscribe returns a channel that is closed by the next Notify. A request must call Subscribe before it looks for a
// job. Otherwise it can miss a job that is queued between the search and the wait.
func (s *Signal) Subscribe() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Notify wakes all waiting requests.
func (s *Signal) Notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		close(s.changed)
		s.changed = make(chan struct{})
	}
}

// Close wakes all waiting requests. After that, Wait returns at once.
func (s *Signal) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.closed = true
		close(s.changed)
	}
}

// Closed reports whether Close was called.
func (s *Signal) Closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// Wait blocks until the channel of Subscribe is closed. It returns false if the deadline passes, the context ends or
// the Signal is closed first.
func (s *Signal) Wait(ctx context.Context, changed <-chan struct{}, until time.Time) bool {
	left := time.Until(until)
	if left <= 0 {
		return false
	}
	timer, began := time.NewTimer(left), time.Now()
	defer timer.Stop()
	defer func() { observe.Of(ctx).Idle(time.Since(began)) }()
	select {
	case <-changed:
		return !s.Closed()
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
