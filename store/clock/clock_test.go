package clock

import (
	"context"
	"sync"
	"testing"
	"time"
)

// near reports whether two times differ by less than a busy machine needs for a few lines of code.
func near(a, b time.Time) bool { return a.Sub(b).Abs() < time.Minute }

func TestWithoutAClockTheSystemTimeIsShown(t *testing.T) {
	t.Parallel()
	var none *Clock
	for name, got := range map[string]time.Time{
		"a context without a clock": Now(t.Context()),
		"a context with nil":        Now(With(t.Context(), none)),
		"the zero value":            Now(With(t.Context(), &Clock{})),
		"nil":                       none.Now(),
	} {
		if !near(got, time.Now()) {
			t.Errorf("%s shows %s", name, got)
		}
	}
}

func TestAClockThatIsSetRunsOn(t *testing.T) {
	t.Parallel()
	c := &Clock{}
	if moved := c.Set(time.Now().AddDate(1, 0, 0)); moved < 364*24*time.Hour {
		t.Errorf("it was moved by %s", moved)
	}
	if moved := c.Set(time.Now().AddDate(-1, 0, 0)); moved > -729*24*time.Hour {
		t.Errorf("it was moved back by %s", moved)
	}
	first := c.Now()
	if !near(first, time.Now().AddDate(-1, 0, 0)) {
		t.Errorf("it shows %s", first)
	}
	for deadline := time.Now().Add(time.Minute); !c.Now().After(first); {
		if time.Now().After(deadline) {
			t.Fatal("it stands still")
		}
	}
}

func TestAFrozenClockStandsStillUntilItResumes(t *testing.T) {
	t.Parallel()
	c, at := &Clock{}, time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	c.Freeze()
	first := c.Now()
	if !near(first, time.Now()) || !c.Now().Equal(first) {
		t.Errorf("it shows %s", first)
	}
	c.Set(at)
	for range 2 {
		if got := c.Now(); !got.Equal(at) {
			t.Errorf("after it is set it shows %s", got)
		}
	}
	c.Resume()
	if got := c.Now(); !got.After(at) || !near(got, at) {
		t.Errorf("after it resumes it shows %s", got)
	}
}

func TestEachContextHasItsClock(t *testing.T) {
	t.Parallel()
	early, late := &Clock{}, &Clock{}
	early.Set(time.Now().Add(-time.Hour))
	late.Set(time.Now().Add(time.Hour))
	one, two := With(t.Context(), early), With(t.Context(), late)
	if !near(Now(one).Add(2*time.Hour), Now(two)) {
		t.Errorf("%s and %s", Now(one), Now(two))
	}
	if !near(Now(context.WithoutCancel(With(one, late))), late.Now()) {
		t.Error("the inner clock does not count")
	}
}

func TestAClockCanBeMovedByConcurrentCallers(t *testing.T) {
	t.Parallel()
	c, end := &Clock{}, time.Now().Add(time.Hour)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				c.Freeze()
				c.Set(end)
				_ = c.Now()
				c.Resume()
			}
		})
	}
	all.Wait()
	if !near(c.Now(), end) {
		t.Errorf("it shows %s", c.Now())
	}
}

func BenchmarkNow(b *testing.B) {
	ctx := b.Context()
	for b.Loop() {
		Now(ctx)
	}
}

func TestAClockThatWasHeldShowsItsOwnTimeAgain(t *testing.T) {
	t.Parallel()
	past := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	c := &Clock{}
	c.Set(time.Now().Add(time.Hour))
	release := c.Hold()
	c.Set(past)
	inner := c.Hold()
	c.Set(past.Add(time.Minute))
	inner()
	if !c.Now().Equal(past) {
		t.Errorf("the held clock shows %s", c.Now())
	}
	release()
	if ahead := time.Until(c.Now()); ahead < 59*time.Minute || ahead > 61*time.Minute {
		t.Errorf("the clock is ahead by %s", ahead)
	}
	var none *Clock
	none.Hold()()
}
