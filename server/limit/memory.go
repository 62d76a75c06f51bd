package limit

import (
	"context"
	"sync"
	"time"
)

// memory counts for one process. Windows that have ended are swept away as time goes on.
type memory struct {
	shared Counter // takes requests out of what all processes count, if there are others
	mu     sync.Mutex
	rows   map[windowKey]*window
	sweep  time.Time
}

type windowKey struct {
	key   string
	start int64
}

// window is what was counted, and how much of it this process has not used yet.
type window struct {
	end         time.Time
	count, left int64
}

func newMemory(shared Counter) *memory {
	return &memory{shared: shared, rows: map[windowKey]*window{}}
}

// take counts one request and returns the count. Of what others count, some are taken at once.
func (m *memory) take(ctx context.Context, key string, start, end time.Time, some int64) (int64, error) {
	at := windowKey{key, start.UnixNano()}
	if m.shared == nil {
		return m.use(at, end, 0, 1), nil
	}
	if n := m.use(at, end, 0, 0); n > 0 {
		return n, nil
	}
	count, err := m.shared(ctx, key, start, end, some)
	if err != nil {
		return 0, err
	}
	return m.use(at, end, count, some), nil
}

// use adds what was taken and uses one of it; 0 if there is none. Without others the count grows by what is taken.
func (m *memory) use(at windowKey, end time.Time, count, taken int64) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clean(time.Now())
	w := m.rows[at]
	if w == nil {
		w = &window{end: end}
		m.rows[at] = w
	}
	if m.shared == nil {
		count = w.count + taken
	}
	w.count, w.left = max(w.count, count), w.left+taken
	if w.left == 0 {
		return 0
	}
	w.left--
	return w.count - w.left
}

func (m *memory) clean(now time.Time) {
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
