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
	maintainWait = 9 * time.Minute // a background job has ten
	manyPacks    = 20
	manyLoose    = 500
	manyRefs     = 200     // loose refs
	largePack    = 4 << 20 // bytes of packs that are worth a bitmap
)

// Maintain keeps the repository fast: it writes the commit graph after every push, and repacks with a bitmap when the
// repository has many packs or loose objects. It removes no objects, not even those that no ref leads to. Readers can
// go on meanwhile.
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
	repack := []string{
		"-c", "pack.threads=1", "-c", "repack.writeBitmaps=true", "repack", "-d", "-q", "--geometric=2", "--write-midx",
		"--write-bitmap-index",
	}
	if err := r.run(ctx, call{wait: maintainWait, args: repack}, discard); err != nil {
		return err
	}
	r.all.forget(r.dir)
	return nil
}

// packRefs moves loose refs into one file when there are many, unless somebody is changing refs.
func (r Repo) packRefs(ctx context.Context) error {
	loose, err := r.loose("refs", nil)
	if err != nil || len(loose) < manyRefs {
		return err
	}
	lock, err := r.TryLock()
	if errors.Is(err, ErrBusy) {
		return nil // the next push tries again
	}
	if err != nil {
		return err
	}
	defer lock.Release()
	lock.clearStale(nil)
	return r.run(ctx, call{wait: timeout, args: []string{"pack-refs", "--all", "--prune"}, keep: lock.file}, discard)
}

// NeedsRepack reports whether the repository has many packs or loose objects, or large packs without a bitmap: without
// one a clone begins with a walk over all objects. Loose objects are counted in a few of their 256 folders only, and
// the result is extrapolated.
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

// Tidy removes what interrupted work has left before a time: objects that were never accepted, incomplete files, locks.
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
	// Repositories that were being created or deleted lie beside this one.
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
