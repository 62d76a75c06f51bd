package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// mergeRequestRefs is the prefix of the refs of merge requests. All readers of the repository can fetch them, and nobody
// can push to them.
const mergeRequestRefs = "refs/merge-requests/"

// MergeRequestRef returns the ref of the newest commit of a merge request, by its iid.
func MergeRequestRef(iid int64) string {
	return mergeRequestRefs + strconv.FormatInt(iid, 10) + "/head"
}

// SetMergeRequestRef sets the ref of a merge request to a commit, which it copies from the other repository if necessary. It can
// be repeated.
func (r Repo) SetMergeRequestRef(ctx context.Context, iid int64, from Repo, commit string) error {
	if iid <= 0 || !IsID(commit) {
		return ErrBadName
	}
	if now, err := r.Ref(MergeRequestRef(iid)); err == nil && now == commit {
		return nil
	}
	if err := r.EnsureCommit(ctx, from, commit); err != nil {
		return err
	}
	return r.changeHidden(ctx, fmt.Sprintf("update %s\x00%s\x00\x00", MergeRequestRef(iid), commit))
}

// mergeResultRef returns the ref of the commit that the merge of a merge request would create.
func mergeResultRef(iid int64) string {
	return mergeRequestRefs + strconv.FormatInt(iid, 10) + "/merge"
}

// MergeResult returns the commit that the ref for the merge of a merge request points to. It returns ErrNotFound if
// there is none.
func (r Repo) MergeResult(iid int64) (string, error) { return r.Ref(mergeResultRef(iid)) }

// SetMergeResult sets the ref for the merge of a merge request to a commit. It can be repeated.
func (r Repo) SetMergeResult(ctx context.Context, iid int64, commit string) error {
	if iid <= 0 || !IsID(commit) {
		return ErrBadName
	}
	return r.changeHidden(ctx, fmt.Sprintf("update %s\x00%s\x00\x00", mergeResultRef(iid), commit))
}

// EnsureCommit copies a commit from another repository unless this one has it already.
func (r Repo) EnsureCommit(ctx context.Context, from Repo, commit string) error {
	_, err := r.Info(ctx, commit)
	if errors.Is(err, ErrNotFound) && from.dir != r.dir {
		err = r.Copy(ctx, from, commit)
	}
	return err
}

// DeleteMergeRequestRef removes the refs of a merge request.
func (r Repo) DeleteMergeRequestRef(ctx context.Context, iid int64) error {
	for _, ref := range []string{mergeResultRef(iid), MergeRequestRef(iid)} {
		if _, err := r.Ref(ref); errors.Is(err, ErrNotFound) {
			continue
		}
		if err := r.changeHidden(ctx, fmt.Sprintf("delete %s\x00\x00", ref)); err != nil {
			return err
		}
	}
	return nil
}

// isMergeRequestRef reports whether a ref belongs to a merge request. All readers see such refs, but only the service changes
// them.
func isMergeRequestRef(ref string) bool { return strings.HasPrefix(ref, mergeRequestRefs) }

// ChangedFiles counts the files that differ between two commits, up to maxDiffFiles+1.
func (r Repo) ChangedFiles(ctx context.Context, from, to string) (int64, error) {
	if !IsID(from) || !IsID(to) {
		return 0, ErrBadName
	}
	n := int64(0)
	args := []string{"diff-tree", "-r", "-z", "--name-only", "--no-renames", from, to}
	err := r.stream(ctx, nil, nil, args, func(out io.Reader) error {
		names := bufio.NewReader(out)
		for n <= maxDiffFiles {
			if _, err := names.ReadString(0); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			n++
		}
		return errEnough
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return n, err
}

// RawDiff returns the diff between two commits as git prints it. More than maxRawDiff bytes are ErrTooLarge.
func (r Repo) RawDiff(ctx context.Context, from, to string) ([]byte, error) {
	if !IsID(from) || !IsID(to) {
		return nil, ErrBadName
	}
	args := []string{
		"-c", "core.bigFileThreshold=16m", "-c", "core.quotePath=false", "diff-tree", "-r", "--patch", "--full-index",
		"--find-renames", "--no-color",
		"--no-ext-diff", "--no-textconv", "--submodule=short", "--no-commit-id", from, to,
	}
	return r.output(ctx, maxRawDiff, nil, args...)
}

const maxRawDiff = 20 << 20
