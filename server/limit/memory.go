package limit

import (
	"context"
	"sync"
	"time"
)

// memory counts for one process. Windows that have ended are swept away as time goes on.
type memory struct {
	mu    sync.Mutex
	rows  map[windowKey]*window
	sweep time.Time
}

type windowKey struct {
	key   string
	start int64
}

type window struct {
	end   time.Time
	count int64
}

func newMemory() *memory { return &memory{rows: map[windowKey]*window{}} }

func (m *memory) add(_ context.Context, key string, start, end time.Time) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if now := time.Now(); now.After(m.sweep) {
		for k, w := range m.rows {
			if now.After(w.end) {
				delete(m.rows, k)
			}
		}
		m.sweep = now.Add(time.Minute)
	}
	at := windowKey{key, start.UnixNano()}
	w := m.rows[at]
	if w == nil {
		w = &window{end: end}
		m.rows[at] = w
	}
	w.count++
	return w.count, nil
}
