package query

import (
	"sync"
	"time"
)

// LongLists remembers for five minutes which lists have more rows than are counted, so that not every page counts them
// again. A list of that length stays long for years; if it does shrink, its total is shown a little later.
type LongLists struct {
	mu    sync.Mutex
	until map[string]time.Time
}

const (
	longListsTTL = 5 * time.Minute
	maxLongLists = 10000 // largest number of remembered lists
)

// Count returns the number of rows of a list, up to one more than CountCap. It calls count, unless the list of that
// name is known to be longer.
func (m *LongLists) Count(name string, count func() (int64, error)) (int64, error) {
	if m.Has(name) {
		return CountCap + 1, nil
	}
	n, err := count()
	if err == nil && n > CountCap {
		m.Remember(name)
	}
	return n, err
}

// Has reports whether the list of that name is known to have more rows than CountCap.
func (m *LongLists) Has(name string) bool {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	return now.Before(m.until[name])
}

// Remember notes that the list of that name has more rows than CountCap.
func (m *LongLists) Remember(name string) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.until == nil || len(m.until) >= maxLongLists {
		m.until = map[string]time.Time{}
	}
	m.until[name] = now.Add(longListsTTL)
}
