package limit

import (
	"context"
	"slices"
	"sync"
	"time"

	"svc/store/clock"
)

// windowCounter counts for one process. It removes windows that have ended from time to time.
type windowCounter struct {
	shared Counter // reserves requests in the count of all processes; nil if there is only one
	mu     sync.Mutex
	rows   map[windowKey]*window
	sweep  time.Time
}

type windowKey struct {
	key   string
	start int64
}

// window holds the count of this process, or the requests that it has reserved in the shared count and not used yet.
type window struct {
	end   time.Time
	count int64
	taken []numbers
}

// numbers is a range of reserved counts: the next one to use, and the last.
type numbers struct{ next, last int64 }

func newMemory(shared Counter) *windowCounter {
	return &windowCounter{shared: shared, rows: map[windowKey]*window{}}
}

// take counts one request and returns the count. If the count is shared, it reserves some requests at once.
func (m *windowCounter) take(ctx context.Context, key string, start, end time.Time, some int64) (int64, error) {
	at := windowKey{key, start.UnixNano()}
	if n := m.use(ctx, at, end, numbers{}); n > 0 {
		return n, nil
	}
	count, err := m.shared(ctx, key, start, end, some)
	if err != nil {
		return 0, err
	}
	return m.use(ctx, at, end, numbers{count - some + 1, count}), nil
}

// use adds reserved requests, if there are new ones, and uses one of them; 0 if none is left.
func (m *windowCounter) use(ctx context.Context, at windowKey, end time.Time, more numbers) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clean(clock.Now(ctx))
	w := m.rows[at]
	if w == nil {
		w = &window{end: end}
		m.rows[at] = w
	}
	if m.shared == nil {
		w.count++
		return w.count
	}
	if more.last > 0 {
		w.taken = append(w.taken, more)
	}
	if len(w.taken) == 0 {
		return 0
	}
	first := &w.taken[0]
	n := first.next
	if first.next++; n == first.last {
		w.taken = slices.Delete(w.taken, 0, 1)
	}
	return n
}

func (m *windowCounter) clean(now time.Time) {
	if !now.After(m.sweep) {
		return
	}
	for k, w := range m.rows {
		if now.After(w.end) {
			delete(m.rows, k)
		}
	}
	m.sweep = now.Add(time.Minute)
}
