package git

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A repository may have objects that none of its refs leads to: of branches that were deleted or reset, or of pushes
// that failed. A request for such an object by its id gets ErrNotFound. The cached answers follow from ids alone: that
// one commit is an ancestor of another stays true, and answers that depend on all refs are cached under the ids of all
// refs.

// maxSearch limits a search through the whole history. What is not found by then counts as missing.
const maxSearch = 20 * time.Second

// reachable reports whether a ref leads to a commit.
func (r Repo) reachable(ctx context.Context, commit string) (bool, error) {
	_, head := r.Head()
	if head == "" {
		return r.reachableByAny(ctx, commit)
	}
	if ok, err := r.isBehind(ctx, commit, head); err != nil || ok {
		return ok, err
	}
	return r.reachableByAny(ctx, commit)
}

// isBehind does the same as IsAncestor, with a cache: an ancestor of an older tip is an ancestor of the new tip if the
// older tip is. So git is asked once after a push, and not for each commit.
func (r Repo) isBehind(ctx context.Context, commit, tip string) (bool, error) {
	if commit == tip {
		return true, nil
	}
	if older, ok := r.all.cache.behind.Get(r.dir + commit); ok && older != commit {
		if older == tip {
			return true, nil
		}
		if ok, err := r.rememberBehind(ctx, older, tip); err != nil || ok {
			return ok, err
		}
	}
	ok, err := r.rememberBehind(ctx, commit, tip)
	if ok {
		r.all.cache.behind.Set(r.dir+commit, tip)
	}
	return ok, err
}

func (r Repo) rememberBehind(ctx context.Context, commit, tip string) (bool, error) {
	key := r.dir + tip + commit
	if ok, known := r.all.cache.merged.Get(key); known {
		return ok, nil
	}
	ok, err := r.IsAncestor(ctx, commit, tip)
	if err == nil {
		r.all.cache.merged.Set(key, ok)
	}
	return ok, err
}

// reachableByAny reports whether any ref leads to a commit.
func (r Repo) reachableByAny(ctx context.Context, commit string) (bool, error) {
	return r.byRefs(commit, func(refs []Ref) (bool, error) {
		held, err := r.holding(ctx, commit, refs)
		return slices.Contains(held, true), err
	})
}

// byRefs caches an answer about an object that follows from the values of all refs.
func (r Repo) byRefs(id string, search func(refs []Ref) (bool, error)) (bool, error) {
	refs, err := r.Refs("refs/")
	if err != nil || len(refs) == 0 {
		return false, err
	}
	sum := sha256.New()
	for _, ref := range refs {
		if ref.ID == id {
			return true, nil
		}
		_, _ = io.WriteString(sum, ref.ID) // never fails
	}
	key := r.dir + id + hex.EncodeToString(sum.Sum(nil))
	if ok, known := r.all.cache.reached.Get(key); known {
		return ok, nil
	}
	ok, err := search(refs)
	if err == nil {
		r.all.cache.reached.Set(key, ok)
	}
	return ok, err
}

// reachableBlob reports whether a ref leads to a blob. Most blobs are files of the default branch. Others are searched
// in the reachability bitmap and, if that gives no answer, in the changes of all commits, newest first.
func (r Repo) reachableBlob(ctx context.Context, id string) (bool, error) {
	if _, head := r.Head(); head != "" {
		if ok, err := r.inFiles(ctx, head, id); err != nil || ok {
			return ok, err
		}
	}
	if commit, ok := r.all.cache.behind.Get(r.dir + id); ok {
		if ok, err := r.reachable(ctx, commit); err != nil || ok {
			return ok, err
		}
	}
	return r.byRefs(id, func([]Ref) (bool, error) {
		ok, err := r.searchBlob(ctx, id)
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return false, ErrNotFound // and the answer is not cached
		}
		return ok, err
	})
}

func (r Repo) searchBlob(ctx context.Context, id string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, maxSearch)
	defer cancel()
	if r.hasBitmap() {
		out, err := r.output(ctx, small, nil, "rev-list", "--use-bitmap-index", "--objects", "--count", id, "--not", "--all")
		if err == nil && strings.TrimSpace(string(out)) == "0" {
			return true, nil // 1 may also mean that the bitmap gives no answer
		}
	}
	out, err := r.output(
		ctx, small, nil, "log", "--all", "-m", "--no-renames", "--find-object="+id, "--max-count=1", "--format=%H",
		"--no-patch",
	)
	if err != nil {
		return false, err
	}
	if commit, _, _ := strings.Cut(string(out), "\n"); IsID(commit) { // a merge is listed once for each parent
		r.all.cache.behind.Set(r.dir+id, commit)
		return true, nil
	}
	return r.taggedAs(ctx, id)
}

// taggedAs searches for an object behind tags of something else than a commit.
func (r Repo) taggedAs(ctx context.Context, id string) (bool, error) {
	out, err := r.output(ctx, large, nil, "for-each-ref", "--format=%(objecttype) %(*objecttype) %(objectname)")
	if err != nil {
		return false, err
	}
	var odd strings.Builder
	for line := range strings.Lines(string(out)) {
		kinds := strings.Fields(line)
		if n := len(kinds); n > 1 && kinds[n-2] != KindCommit {
			odd.WriteString(kinds[n-1] + "\n")
		}
	}
	if odd.Len() == 0 {
		return false, nil
	}
	found := false
	args := []string{"rev-list", "--objects", "--no-object-names", "--no-walk", "--stdin"}
	err = r.stream(ctx, nil, strings.NewReader(odd.String()), args, func(from io.Reader) error {
		lines := bufio.NewScanner(from)
		for lines.Scan() {
			found = found || lines.Text() == id
		}
		return lines.Err()
	})
	return found, err
}

// hasBitmap reports whether the repository has a reachability bitmap, so that git need not walk.
func (r Repo) hasBitmap() bool {
	found, err := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "*.bitmap"))
	return err == nil && len(found) > 0
}

// fileIDs are the ids of all files of a tree, sorted.
type fileIDs [][20]byte

// maxFiles limits how many files are cached. Objects of a larger tree are searched elsewhere.
const maxFiles = 200000

// inFiles reports whether an object is one of the files of a commit.
func (r Repo) inFiles(ctx context.Context, commit, id string) (bool, error) {
	c, err := r.Commit(ctx, commit)
	if err != nil {
		return false, err
	}
	ids, ok := r.all.cache.files.Get(r.dir + c.Tree)
	if !ok {
		if ids, err = r.readFileIDs(ctx, c.Tree); err != nil {
			return false, err
		}
		r.all.cache.files.Set(r.dir+c.Tree, ids)
	}
	var wanted [20]byte
	if _, err := hex.Decode(wanted[:], []byte(id)); err != nil {
		return false, ErrBadName
	}
	_, found := slices.BinarySearchFunc(ids, wanted, func(a, b [20]byte) int { return slices.Compare(a[:], b[:]) })
	return found, nil
}

func (r Repo) readFileIDs(ctx context.Context, tree string) (fileIDs, error) {
	var ids fileIDs
	err := r.stream(ctx, nil, nil, []string{"ls-tree", "-r", "--format=%(objectname)", tree}, func(from io.Reader) error {
		lines := bufio.NewScanner(from)
		for lines.Scan() && len(ids) < maxFiles {
			var id [20]byte
			if _, err := hex.Decode(id[:], lines.Bytes()); err != nil {
				return err
			}
			ids = append(ids, id)
		}
		if err := lines.Err(); err != nil {
			return err
		}
		_, err := io.Copy(io.Discard, from)
		return err
	})
	slices.SortFunc(ids, func(a, b [20]byte) int { return slices.Compare(a[:], b[:]) })
	return ids, err
}
