package git

import (
	"context"
	"strings"
	"testing"
	"time"
)

// Two branches that have merged each other have two best common ancestors.
func TestACrissCrossMergeIsAnsweredAsGitDoes(t *testing.T) {
	t.Parallel()
	r := repo(t)
	root := commit(t, r, file("a", "a\n"))
	tree := ask(t, r, "rev-parse", root+"^{tree}")
	made := func(message string, parents ...string) string {
		args := []string{"-c", "user.name=a", "-c", "user.email=a@x", "commit-tree", tree, "-m", message}
		for _, p := range parents {
			args = append(args, "-p", p)
		}
		return ask(t, r, args...)
	}
	one, two := made("one", root), made("two", root)
	left, right := made("left", one, two), made("right", two, one)
	move(t, r, "refs/heads/left", left)
	move(t, r, "refs/heads/right", right)
	if all := strings.Fields(ask(t, r, "merge-base", "--all", left, right)); len(all) != 2 {
		t.Fatalf("git finds %v", all)
	}
	got, err := r.MergeBase(t.Context(), left, right)
	if want := ask(t, r, "merge-base", left, right); err != nil || got != want {
		t.Errorf("the merge base is %s, %v; git says %s", got, err, want)
	}
	c, err := r.Compare(t.Context(), r, left, right, false)
	if err != nil || len(c.Commits) != 1 || c.Commits[0].ID != right || len(c.Files) != 0 {
		t.Errorf("the comparison is %+v, %v", c, err)
	}
}

func TestAHistoryOfAHundredThousandCommitsIsRead(t *testing.T) {
	t.Parallel()
	r := repo(t)
	imported(t, r, 100000)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, head := r.Head()
	first := ask(t, r, "rev-list", "--max-parents=0", "main")
	if got, err := r.Resolve(ctx, first); err != nil || got != first {
		t.Errorf("the first commit is %s, %v", got, err)
	}
	if base, err := r.MergeBase(ctx, first, head); err != nil || base != first {
		t.Errorf("the merge base is %s, %v", base, err)
	}
	if n, err := r.CountCommits(ctx, head); err != nil || n != 100000 {
		t.Errorf("%d commits, %v", n, err)
	}
	blob := ask(t, r, "rev-parse", first+":f0")
	if _, err := r.Blob(ctx, blob); err != nil {
		t.Error(err)
	}
	c, err := r.Compare(ctx, r, first, head, false)
	if err != nil || !c.Cut || len(c.Commits) != maxCompared {
		t.Errorf("%d commits, cut %t, %v", len(c.Commits), c.Cut, err)
	}
}
