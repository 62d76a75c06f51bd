package observe

import (
	"context"
	"sync"
	"testing"
	"time"
)

type spans struct {
	mu   sync.Mutex
	list []Span
}

func (s *spans) Add(one Span) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, one)
}

func TestTraceparentsFollowTheSpecification(t *testing.T) {
	t.Parallel()
	const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	if p := ParseParent(good); p.String() != good || !p.Sampled {
		t.Errorf("%s was read as %s", good, p)
	}
	if p := ParseParent("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00-later"); p.IsZero() || p.Sampled {
		t.Error("a later version was refused")
	}
	for _, bad := range []string{
		"", "00", good + "-more", "ff" + good[2:], "0x" + good[2:], "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
		"00-4bf92f3577b34da6a3ce929d0e0e473z-00f067aa0ba902b7-01", "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00later",
	} {
		if p := ParseParent(bad); !p.IsZero() {
			t.Errorf("%q was read as %s", bad, p)
		}
	}
}

func TestSpansOfAWorkShareItsTrace(t *testing.T) {
	t.Parallel()
	var got spans
	var w Work
	parent := ParseParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	NewTracer(&got, 1).Begin(&w, "getThing", Server, parent)
	ctx := With(t.Context(), &w)
	inner := Start(ctx, "git log", Internal)
	inner.SetText("a", "b")
	inner.Finish()
	w.Statement(time.Millisecond)
	w.Span().SetCost(w.Cost())
	w.Span().Finish()
	if len(got.list) != 2 || got.list[0].Trace != parent.Trace || got.list[0].Parent != got.list[1].ID ||
		got.list[1].Parent != parent.Span || got.list[1].Attributes[0].Number != 1 {
		t.Errorf("%+v", got.list)
	}
	if next := ParseParent(inner.AsParent().String()); next.Trace != parent.Trace || next.Span != inner.ID || !next.Sampled {
		t.Errorf("passed on %+v", next)
	}
}

func TestTheShareOfTracesIsKept(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0, 0.25, 1} {
		recorded := 0
		tracer := NewTracer(&spans{}, share)
		for range 4000 {
			var w Work
			tracer.Begin(&w, "x", Server, Parent{})
			if w.Span() != nil {
				recorded++
			}
		}
		if got := float64(recorded) / 4000; got < share-0.05 || got > share+0.05 {
			t.Errorf("%v of the traces were recorded, want %v", got, share)
		}
	}
	var w Work
	NewTracer(&spans{}, 1).Begin(&w, "x", Server, Parent{Trace: [16]byte{1}, Span: [8]byte{1}})
	if w.Span() != nil {
		t.Error("a caller that does not record was not followed")
	}
}

func TestWithoutATracerMeasuringAllocatesNothing(t *testing.T) {
	var w Work
	ctx := With(t.Context(), &w)
	var off *Tracer
	if n := testing.AllocsPerRun(100, func() { once(ctx, off, &w) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func once(ctx context.Context, off *Tracer, w *Work) {
	off.Begin(w, "x", Server, Parent{})
	s := Start(ctx, "git log", Internal)
	s.SetText("a", "b")
	s.SetNumber("c", 1)
	s.Finish()
	Of(ctx).Statement(time.Millisecond)
	Of(ctx).Wait(time.Millisecond)
	w.Span().SetCost(w.Cost())
}

func TestDurationsAreCountedInBuckets(t *testing.T) {
	t.Parallel()
	var times Times
	for _, d := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, time.Hour} {
		times.Observe(d)
	}
	count, sum, upTo := times.Read()
	if count != 4 || sum < 3600 || upTo[.0005] != 1 || upTo[.001] != 2 || upTo[.01] != 2 || upTo[.025] != 3 || upTo[300] != 3 {
		t.Errorf("%d durations, %v s, %v", count, sum, upTo)
	}
}
