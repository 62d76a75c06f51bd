package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ErrConflict is returned for a merge that a person has to make.
var ErrConflict = errors.New("the changes conflict")

// MergeTrees combines what two trees have changed since a third one, and returns the merged tree. An empty id stands for the
// empty tree. Git writes its objects to a quarantine, so a merge that fails leaves nothing behind.
func (r Repo) MergeTrees(ctx context.Context, base, ours, theirs string) (string, error) {
	dir, err := os.MkdirTemp(filepath.Join(r.dir, "objects"), "incoming-")
	if err != nil {
		return "", err
	}
	q := &Quarantine{repo: r, dir: dir}
	defer q.Discard()
	// git merge-tree looks for the base in the history, so Merge makes three temporary commits with just this history.
	root, err1 := q.temporaryCommit(base)
	left, err2 := q.temporaryCommit(ours, root)
	right, err3 := q.temporaryCommit(theirs, root)
	if err := errors.Join(err1, err2, err3); err != nil {
		return "", err
	}
	out, err := q.run(ctx, nil, "merge-tree", "--write-tree", "--no-messages", left, right)
	if exitCode(err) == 1 {
		return "", ErrConflict
	}
	if err != nil {
		return "", err
	}
	tree := strings.TrimSpace(string(out))
	if !IsID(tree) {
		return "", fmt.Errorf("unexpected output of git merge-tree: %q", tree)
	}
	return tree, q.acceptLoose(root, left, right)
}

// temporaryCommit writes a temporary commit with a tree.
func (q *Quarantine) temporaryCommit(tree string, parents ...string) (string, error) {
	if tree == "" {
		var err error
		if tree, err = writeLoose(q.dir, KindTree, nil); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "tree %s\n", tree)
	for _, p := range parents {
		fmt.Fprintf(&b, "parent %s\n", p)
	}
	b.WriteString("author svc <svc> 0 +0000\ncommitter svc <svc> 0 +0000\n\n" + tree + "\n")
	return writeLoose(q.dir, KindCommit, []byte(b.String()))
}

// acceptLoose moves the loose objects into the repository, except the given ones.
func (q *Quarantine) acceptLoose(but ...string) error {
	skip := map[string]bool{}
	for _, id := range but {
		skip[id] = true
	}
	found, err := filepath.Glob(filepath.Join(q.dir, "[0-9a-f][0-9a-f]", "*"))
	if err != nil {
		return err
	}
	for _, from := range found {
		head, rest := filepath.Base(filepath.Dir(from)), filepath.Base(from)
		if !IsID(head+rest) || skip[head+rest] {
			continue
		}
		folder := filepath.Join(q.repo.dir, "objects", head)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		if err := os.Rename(from, filepath.Join(folder, rest)); err != nil {
			return err
		}
	}
	return nil
}
