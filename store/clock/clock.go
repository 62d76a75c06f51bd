// Package clock tells the time of the service. That is the system time, except in tests: there, each service in a process
// can have a clock of its own, which a test moves so that tokens expire and schedules run without waiting.
//
// Code that decides by the time, stores it or shows it calls Now with its context. Code that measures how long something
// takes, or sets the deadline of a connection, calls package time.
package clock

import (
	"context"
	"sync"
	"time"
)

// Clock shows the system time plus an offset, or stands still. The zero value and nil show the system time. Several
// goroutines can use a clock at once.
type Clock struct {
	mu     sync.RWMutex
	offset time.Duration // how far the clock is ahead of the system time while it runs
	frozen bool
	at     time.Time // what the clock shows while it is frozen
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	if c == nil {
		return time.Now()
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.now()
}

// now returns the time that the clock shows. The caller holds the lock.
func (c *Clock) now() time.Time {
	if c.frozen {
		return c.at
	}
	return time.Now().Add(c.offset)
}

// Set makes the clock show a time, and returns how far it was moved. A clock that runs continues from there; a frozen one
// stays frozen.
func (c *Clock) Set(to time.Time) (moved time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	moved = to.Sub(c.now())
	c.offset, c.at = time.Until(to), to
	return moved
}

// Freeze stops the clock at the time that it shows.
func (c *Clock) Freeze() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at, c.frozen = c.now(), true
}

// Hold stops the clock, so that Set can move it from one time to the next. The returned function undoes all of that: the
// clock shows what it would show without Hold. A nil clock stays as it is.
func (c *Clock) Hold() (release func()) {
	if c == nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	offset, frozen, at := c.offset, c.frozen, c.at
	c.at, c.frozen = c.now(), true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.offset, c.frozen, c.at = offset, frozen, at
	}
}

// Resume lets a frozen clock continue from the time that it shows.
func (c *Clock) Resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset, c.frozen = time.Until(c.now()), false
}

type key struct{}

// With returns a context with a clock. A nil clock changes nothing.
func With(ctx context.Context, c *Clock) context.Context {
	if c == nil {
		return ctx
	}
	return context.WithValue(ctx, key{}, c)
}

// Now returns the time of the clock of a context, or the system time if the context has none.
func Now(ctx context.Context) time.Time {
	c, _ := ctx.Value(key{}).(*Clock)
	return c.Now()
}
