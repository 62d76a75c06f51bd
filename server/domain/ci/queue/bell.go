package queue

import (
	"context"
	"sync"
	"time"
)

// Bell tells runners that wait that there may be a job.
type Bell struct {
	mu     sync.Mutex
	rung   chan struct{}
	closed bool
}

// NewBell makes a bell.
func NewBell() *Bell { return &Bell{rung: make(chan struct{})} }

// Listen is closed when the bell rings next. Who looks for a job listens first, so that none is missed.
func (b *Bell) Listen() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rung
}

// Ring wakes all who wait.
func (b *Bell) Ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		close(b.rung)
		b.rung = make(chan struct{})
	}
}

// Close sends all home who wait, and lets nobody wait any more.
func (b *Bell) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.rung)
	}
}

// Closed tells whether nobody waits any more.
func (b *Bell) Closed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// Wait waits until the bell rings; false if it does not until the deadline, or the caller has gone.
func (b *Bell) Wait(ctx context.Context, rung <-chan struct{}, until time.Time) bool {
	left := time.Until(until)
	if left <= 0 {
		return false
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-rung:
		return !b.Closed()
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}
