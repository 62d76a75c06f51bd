package secret

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"
)

// BusyError is returned for a hash that was not computed, because too many are waiting already.
type BusyError struct{ RetryAfter time.Duration }

func (e *BusyError) Error() string { return "too many passwords wait to be hashed" }

// gate limits how many hashes are computed at once, and how many wait for their turn.
type gate struct {
	turns   chan struct{}
	waiting atomic.Int64
	most    int64
}

const (
	// waitersPerTurn is how many hashes may wait for one turn. They wait about a second, which is acceptable when a
	// person signs in.
	waitersPerTurn = 32
	busyFor        = 2 * time.Second
)

// hashing leaves at least half of the cores to everything else, however many users sign in: each hash takes a core for
// about 30 ms, and 19 MiB.
var hashing = newGate(max(1, runtime.GOMAXPROCS(0)/2))

func newGate(turns int) *gate {
	return &gate{turns: make(chan struct{}, turns), most: int64(turns * waitersPerTurn)}
}

// enter waits for a turn, in the order of arrival. Without an error, the caller must call leave.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.turns <- struct{}{}:
		return nil
	default:
	}
	if g.waiting.Add(1) > g.most {
		g.waiting.Add(-1)
		return &BusyError{RetryAfter: busyFor}
	}
	defer g.waiting.Add(-1)
	select {
	case g.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *gate) leave() { <-g.turns }
