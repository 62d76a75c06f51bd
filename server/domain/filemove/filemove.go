// Package filemove moves the files of an instance from a folder into a bucket, or back: logs, artifacts, packages,
// uploads, exports, packed sites and Git LFS objects. It can be interrupted and run again at any time.
//
//	filemove.go  the steps of a move, and the marks of both places
//	copy.go      files of package blob
//	large.go     Git LFS objects
package filemove

import (
	"context"
	"errors"
	"fmt"

	"svc/store"
	"svc/store/blob"
	"svc/store/lfs"
)

// ErrDone is returned if all files were moved before.
var ErrDone = errors.New("the files were moved before")

// unfinished follows the id of the instance in the mark of a place to which files are being moved. The service does not
// start with such a place.
const unfinished = " (files are being moved here)"

// Move describes a move.
type Move struct {
	Store    *store.Store
	From, To blob.Store
	LFS      *lfs.Files // knows the storages and the bucket
	// Storage is where Git LFS objects go: lfs.InBucket, or the name of a storage.
	Storage string
	// Progress is called after each file.
	Progress func(Progress)

	done Progress
}

// Progress counts what a move has done so far.
type Progress struct {
	Kind   string // of the files that are being moved
	Files  int64  // files that were looked at
	Copied int64  // files that were copied; the others were there already
	Bytes  int64  // bytes that were copied
}

// Run copies all files. With finish, no process may use the instance: Run then also removes files from the target that no
// longer exist in the source, moves Git LFS objects, and makes the target the place of the files.
func (m *Move) Run(ctx context.Context, finish bool) (Progress, error) {
	instance, err := m.Store.Instance.Get(ctx)
	if err != nil {
		return m.done, err
	}
	marked, err := m.begin(ctx, instance.ID)
	if err != nil || marked {
		return m.done, err
	}
	if err := errors.Join(m.copyFiles(ctx), ctx.Err()); err != nil {
		return m.done, err
	}
	if err := m.copyLarge(ctx, finish); err != nil || !finish {
		return m.done, err
	}
	if err := m.removeGone(ctx); err != nil {
		return m.done, err
	}
	if err := m.From.Unmark(ctx); err != nil {
		return m.done, err
	}
	return m.done, m.To.SetMark(ctx, instance.ID)
}

// begin checks the marks of both places and marks the target as unfinished. It reports true if an earlier run was
// interrupted after its last file, and only the mark of the target was missing.
func (m *Move) begin(ctx context.Context, instance string) (finished bool, err error) {
	from, err := m.From.Mark(ctx)
	if err != nil {
		return false, fmt.Errorf("%s cannot be used: %w", m.From.Place(), err)
	}
	to, err := m.To.Mark(ctx)
	if err != nil {
		return false, fmt.Errorf("%s cannot be used: %w", m.To.Place(), err)
	}
	switch {
	case to == instance && from == instance:
		return false, fmt.Errorf("%s and %s are both marked as the place of the files of this instance. "+
			"Remove svc-instance from the place that is not in use", m.From.Place(), m.To.Place())
	case to == instance:
		return false, ErrDone
	case to != "" && to != instance+unfinished:
		return false, fmt.Errorf("%s belongs to another instance, %s", m.To.Place(), to)
	case from == "" && to == instance+unfinished:
		return true, m.To.SetMark(ctx, instance)
	case from != instance:
		return false, fmt.Errorf("%s is not the place of the files of this instance: it has no file svc-instance with the id %s",
			m.From.Place(), instance)
	}
	return false, m.To.SetMark(ctx, instance+unfinished)
}

// count adds a file to the progress.
func (m *Move) count(kind string, copied bool, size int64) {
	m.done.Kind = kind
	m.done.Files++
	if copied {
		m.done.Copied++
		m.done.Bytes += size
	}
	if m.Progress != nil {
		m.Progress(m.done)
	}
}
