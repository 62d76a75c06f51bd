package store

import (
	"sync"
	"time"
)

// many remembers for a while which lists are too long to be counted, so that each page need not count them again. A list of
// that length is one for years; should it shrink, its total is told a little later.
type many struct {
	mu    sync.Mutex
	until map[string]time.Time
}

const (
	manyTime = 5 * time.Minute
	mostMany = 10000 // lists that are remembered
)

// count tells a number of rows as far as totals are told: by counting, unless the list of that name is known to be too long.
func (m *many) count(name string, count func() (int64, error)) (int64, error) {
	now := time.Now()
	m.mu.Lock()
	known := now.Before(m.until[name])
	m.mu.Unlock()
	if known {
		return CountCap + 1, nil
	}
	n, err := count()
	if err == nil && n > CountCap {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.until == nil || len(m.until) >= mostMany {
			m.until = map[string]time.Time{}
		}
		m.until[name] = now.Add(manyTime)
	}
	return n, err
}
