package queue

import (
	"context"
	"sync"
	"time"
)

// Signal wakes waiting runner requests when there may be a job.
type Signal struct {
	mu     sync.Mutex
	rung   chan struct{}
	closed bool
}

// NewSignal returns an open Bell.
func NewSignal() *Signal { return &Signal{rung: make(chan struct{})} }

// Subscribe returns a channel that is closed when the bell next rings. A request must call Listen before it looks for a
// job. Otherwise it can miss a ring.
func (b *Signal) Subscribe() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.rung
}

// Notify wakes all waiting requests.
func (b *Signal) Notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		close(b.rung)
		b.rung = make(chan struct{})
	}
}

// Close wakes all waiting requests. After that, Wait returns at once.
func (b *Signal) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.rung)
	}
}

// Closed reports whether Close was called.
func (b *Signal) Closed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// Wait blocks until the bell rings. It returns false if the deadline passes, the context ends or the bell is closed
// first.
func (b *Signal) Wait(ctx context.Context, rung <-chan struct{}, until time.Time) bool {
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
