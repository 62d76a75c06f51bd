package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	maintainWait = 9 * time.Minute // a job has ten
	manyPacks    = 20
	manyLoose    = 500
	manyRefs     = 200     // by themselves
	largePack    = 4 << 20 // bytes of packs that are worth a bitmap
)

// Maintain keeps the repository fast: the commit graph after every push, and a repack with a bitmap when there are many packs
// or objects by themselves. Nothing is lost, also what no ref names. Readers go on meanwhile.
func (r Repo) Maintain(ctx context.Context) error {
	if _, id := r.Head(); !r.Exists() || (id == "" && !r.NeedsRepack()) {
		return nil
	}
	if err := r.packRefs(ctx); err != nil {
		return err
	}
	graph := []string{"commit-graph", "write", "--reachable", "--changed-paths", "--split", "--no-progress"}
	if err := r.run(ctx, call{wait: maintainWait, args: graph}, discard); err != nil {
		return err
	}
	if !r.NeedsRepack() {
		return nil
	}
	repack := []string{"-c", "pack.threads=1", "-c", "repack.writeBitmaps=true", "repack", "-d", "-q", "--geometric=2", "--write-midx", "--write-bitmap-index"}
	if err := r.run(ctx, call{wait: maintainWait, args: repack}, discard); err != nil {
		return err
	}
	r.all.pool.forget(r.dir) // they have the old packs open
	return nil
}

// packRefs puts refs into one file when there are many, while nobody changes them.
func (r Repo) packRefs(ctx context.Context) error {
	loose, err := r.loose("refs", nil)
	if err != nil || len(loose) < manyRefs {
		return err
	}
	lock, err := r.TryLock()
	if errors.Is(err, ErrBusy) {
		return nil // the next push asks again
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	lock.clearStale(nil)
	return r.run(ctx, call{wait: timeout, args: []string{"pack-refs", "--all", "--prune"}, keep: lock.file}, discard)
}

// NeedsRepack tells whether there are many packs or objects by themselves, or much that has no bitmap yet: without one a
// clone begins with a walk over everything. Objects by themselves are counted in a few of their 256 folders, which stand for
// the others.
func (r Repo) NeedsRepack() bool {
	packs, err := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "pack-*.pack"))
	if err != nil || len(packs) >= manyPacks {
		return err == nil
	}
	if !r.hasBitmap() {
		size := int64(0)
		for _, pack := range packs {
			if info, err := os.Stat(pack); err == nil {
				size += info.Size()
			}
		}
		if size >= largePack {
			return true
		}
	}
	some := 0
	for _, folder := range []string{"17", "4b", "8d", "e2"} {
		entries, err := os.ReadDir(filepath.Join(r.dir, "objects", folder))
		if err == nil {
			some += len(entries)
		}
	}
	return some >= manyLoose*4/256
}

// Tidy removes what broken-off work has left before a time: objects that were never accepted, files half written, locks.
func (r Repo) Tidy(before time.Time) error {
	var errs []error
	old := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.ModTime().Before(before)
	}
	err := filepath.WalkDir(r.dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name := e.Name()
		switch {
		case e.IsDir() && strings.HasPrefix(name, "incoming-"):
			if old(path) {
				errs = append(errs, os.RemoveAll(path))
			}
			return filepath.SkipDir
		case e.IsDir():
		case (strings.HasPrefix(name, "tmp_") || strings.HasSuffix(name, ".lock")) && old(path):
			errs = append(errs, os.Remove(path))
		}
		return nil
	})
	// Beside it lie those that were being made or removed.
	for _, pattern := range []string{"new-*", "*+deleted-*"} {
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(r.dir), pattern))
		for _, path := range beside {
			if old(path) {
				errs = append(errs, os.RemoveAll(path))
			}
		}
	}
	return errors.Join(append(errs, err)...)
}
