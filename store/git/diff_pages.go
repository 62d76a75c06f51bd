package git

import "context"

// FileDiffs returns how two commits or trees differ: at most the given number of files after some that it skips, and how
// many files differ. With paths, only these files are compared; a renamed file is found by both its paths.
func (r Repo) FileDiffs(ctx context.Context, from, to string, skip, most int, paths ...string) ([]FileDiff, int, error) {
	d := &diffReader{paths: paths, skip: skip, most: most}
	_, err := r.readDiff(ctx, nil, from, to, d)
	if err == nil && !d.listed {
		err = context.DeadlineExceeded // the number of files is not known
	}
	return d.files, d.total, err
}

// Before returns what a commit is compared with: its first parent, or the empty tree.
func (c Commit) Before() string {
	if len(c.Parents) > 0 {
		return c.Parents[0]
	}
	return EmptyTree
}

// Base returns the merge base of two commits, or the empty tree if they have none.
func (r Repo) Base(ctx context.Context, from, to string) (string, error) {
	if !IsID(from) || !IsID(to) {
		return "", ErrBadName
	}
	return r.baseOf(ctx, nil, span{}, from, to)
}
