package store

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// many remembers which lists of jobs are longer than is counted. To find that out takes a walk over 10,001 rows, which would be dearer
// than the page itself; long lists rarely become short, and for a minute it does no harm if a total is left out.
type many struct {
	mu    sync.Mutex
	until map[string]time.Time
}

const (
	manyFor  = time.Minute
	manyKept = 10000
)

func (f JobFilter) name() string {
	return fmt.Sprint(f.ProjectID, f.PipelineID, f.Bridges, f.Retried, slices.Compact(slices.Sorted(slices.Values(f.Scope))))
}

// has tells whether a list was found to be long a while ago.
func (m *many) has(f JobFilter) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return time.Now().Before(m.until[f.name()])
}

// note keeps that a list is long.
func (m *many) note(f JobFilter) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.until == nil || len(m.until) >= manyKept {
		m.until = map[string]time.Time{}
	}
	m.until[f.name()] = time.Now().Add(manyFor)
}
