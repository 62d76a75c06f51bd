package limit

import (
	"testing"
	"time"
)

func TestWindowsThatEndedAreSwept(t *testing.T) {
	t.Parallel()
	m, now := newMemory(nil), time.Now()
	for key, end := range map[string]time.Time{"ended": now.Add(-time.Second), "open": now.Add(time.Hour)} {
		if _, err := m.take(t.Context(), key, now.Add(-time.Minute), end, 1); err != nil {
			t.Fatal(err)
		}
	}
	if len(m.rows) != 2 {
		t.Fatalf("%d windows before the sweep, want 2", len(m.rows))
	}
	m.sweep = now.Add(-time.Second) // as if a minute had passed
	if n, err := m.take(t.Context(), "open", now.Add(-time.Minute), now.Add(time.Hour), 1); n != 2 || err != nil {
		t.Errorf("the open window's count is %d, %v, want 2", n, err)
	}
	start := now.Add(-time.Minute).UnixNano()
	if m.rows[windowKey{"ended", start}] != nil || m.rows[windowKey{"open", start}] == nil {
		t.Errorf("after the sweep there are %v", m.rows)
	}
	if !m.sweep.After(time.Now()) {
		t.Error("the next sweep is due at once: every request would pay for one")
	}
}
