package git

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"sync"
)

const (
	bufferedObject = 64 << 10 // bytes of an object that is buffered; larger ones are written at once
	bufferedBytes  = 4 << 20  // of all objects in the buffer
	looseAtOnce    = 8        // up to so many objects are written as loose objects; more become a pack
)

// pendingObject is an object that is not on disk yet.
type pendingObject struct {
	kind string
	data []byte
}

// buffer holds the objects of a repository that are to be written together: each file on disk costs a sync.
type buffer struct {
	mu      sync.Mutex
	objects map[string]pendingObject
	bytes   int
}

// Buffered returns the same repository with a buffer: new small objects stay in memory until Flush. Reads find them
// there. The buffer is flushed before a git process starts, so git finds them on disk. Caches hold none of them before
// they are written.
func (r Repo) Buffered() Repo {
	r.buffer = &buffer{objects: map[string]pendingObject{}}
	return r
}

// Flush writes the objects in the buffer. When it returns they are on disk; after an error they are still in the
// buffer.
func (r Repo) Flush() error {
	if r.buffer == nil {
		return nil
	}
	r.buffer.mu.Lock()
	defer r.buffer.mu.Unlock()
	return r.buffer.flush(filepath.Join(r.dir, "objects"))
}

func (b *buffer) flush(objects string) error {
	ids := slices.Sorted(maps.Keys(b.objects))
	if len(ids) == 0 {
		return nil
	}
	var err error
	if len(ids) <= looseAtOnce {
		err = b.writeAll(objects, ids)
	} else {
		err = writePack(filepath.Join(objects, "pack"), ids, b.objects)
	}
	if err == nil {
		clear(b.objects)
		b.bytes = 0
	}
	return err
}

// writeAll writes loose objects in parallel, so that they wait for the disk together.
func (b *buffer) writeAll(objects string, ids []string) error {
	errs := make([]error, len(ids))
	var wait sync.WaitGroup
	for i, id := range ids {
		wait.Go(func() { _, errs[i] = writeLoose(objects, b.objects[id].kind, b.objects[id].data) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// findBuffered finds an object in the buffer.
func (r Repo) findBuffered(id string) (pendingObject, bool) {
	if r.buffer == nil {
		return pendingObject{}, false
	}
	r.buffer.mu.Lock()
	defer r.buffer.mu.Unlock()
	o, ok := r.buffer.objects[id]
	return o, ok
}

// add puts an object into the buffer, and flushes the buffer when it is full.
func (b *buffer) add(objects, id string, o pendingObject) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.objects[id]; !known {
		b.objects[id] = o
		b.bytes += len(o.data)
	}
	if b.bytes > bufferedBytes {
		return b.flush(objects)
	}
	return nil
}
