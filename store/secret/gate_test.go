package secret

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestAGateLetsFewInAndTurnsManyAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2)
		var inside, most, served, refused atomic.Int64
		var wait sync.WaitGroup
		for range 200 {
			wait.Go(func() {
				err := g.enter(t.Context())
				var busy *BusyError
				if errors.As(err, &busy) && busy.RetryAfter > 0 {
					refused.Add(1)
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				defer g.leave()
				if n := inside.Add(1); n > most.Load() {
					most.Store(n)
				}
				time.Sleep(30 * time.Millisecond)
				inside.Add(-1)
				served.Add(1)
			})
		}
		wait.Wait()
		if most.Load() != 2 || served.Load() != 2+2*waitersPerTurn || served.Load()+refused.Load() != 200 {
			t.Errorf("%d at once, %d served, %d refused", most.Load(), served.Load(), refused.Load())
		}
		if g.waiting.Load() != 0 || len(g.turns) != 0 {
			t.Errorf("%d still wait, %d are inside", g.waiting.Load(), len(g.turns))
		}
	})
}

func TestWaitingForATurnEndsWithTheRequest(t *testing.T) {
	t.Parallel()
	g := newGate(1)
	if err := g.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := g.enter(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting ended with %v", err)
	}
	g.leave()
	if err := g.enter(t.Context()); err != nil { // a caller that gave up has freed its place
		t.Error(err)
	}
}

func TestAnEndedRequestHashesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if hash, err := HashPassword(ctx, "correct horse"); !errors.Is(err, context.Canceled) || hash != "" {
		t.Errorf("hash %q, %v", hash, err)
	}
}
