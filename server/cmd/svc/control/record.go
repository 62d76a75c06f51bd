package control

import (
	"context"
	"slices"
	"sync"
)

const (
	maxRequests = 1000
	maxCaptured = 500
	// maxRecordBytes is how many bytes the bodies in one record may have together.
	maxRecordBytes = 4 << 20
)

// entry is something that a record holds.
type entry interface{ size() int }

// record holds the last entries of one kind, and wakes those who wait for new ones.
type record[E entry] struct {
	most int

	mu      sync.Mutex
	entries []E
	bytes   int
	last    int64         // ID of the last entry
	changed chan struct{} // closed when an entry is added
}

func newRecord[E entry](most int) *record[E] {
	return &record[E]{most: most, changed: make(chan struct{})}
}

// add adds the entry that build returns for its ID. The oldest entries give way.
func (r *record[E]) add(build func(id int64) E) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	e := build(r.last)
	r.entries = append(r.entries, e)
	r.bytes += e.size()
	for len(r.entries) > 1 && (len(r.entries) > r.most || r.bytes > maxRecordBytes) {
		r.bytes -= r.entries[0].size()
		r.entries = slices.Delete(r.entries, 0, 1)
	}
	close(r.changed)
	r.changed = make(chan struct{})
}

// clear removes all entries.
func (r *record[E]) clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries, r.bytes = nil, 0
}

// list returns the entries that match, and a channel that is closed when there are more.
func (r *record[E]) list(match func(E) bool) ([]E, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	found := []E{}
	for _, e := range r.entries {
		if match(e) {
			found = append(found, e)
		}
	}
	return found, r.changed
}

// wait returns the entries that match, as soon as there are enough of them. It returns false if the context ends before.
func (r *record[E]) wait(ctx context.Context, count int, match func(E) bool) ([]E, bool) {
	for {
		found, changed := r.list(match)
		if len(found) >= count {
			return found, true
		}
		select {
		case <-ctx.Done():
			return found, false
		case <-changed:
		}
	}
}
