package git

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestBufferedCommitsAreReadAndWrittenTogether(t *testing.T) {
	t.Parallel()
	for _, commits := range []int{1, 40} {
		r := repo(t)
		b := r.Buffered()
		who := Person{Name: "Ann", Email: "ann@example.com", When: time.Unix(1700000000, 0).UTC()}
		tip, tree := "", ""
		for i := range commits {
			c := NewCommit{Tree: tree, Author: who, Committer: who, Message: fmt.Sprint(i), Changes: []Change{
				{Action: ActionCreate, Path: fmt.Sprintf("folder%d/file%d", i%3, i), Content: []byte(strings.Repeat("x", i))},
			}}
			if tip != "" {
				c.Parents = []string{tip}
			}
			id, err := b.WriteCommit(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			made, err := b.Commit(t.Context(), id)
			if err != nil || made.Title() != fmt.Sprint(i) {
				t.Fatalf("commit %d is %+v, %v", i, made, err)
			}
			if _, err := r.Commit(t.Context(), id); err == nil {
				t.Fatal("it is on disk before it was flushed")
			}
			tip, tree = id, made.Tree
		}
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
		if packs, _ := filepath.Glob(filepath.Join(r.dir, "objects", "pack", "pack-*.pack")); (len(packs) == 1) != (commits > 1) {
			t.Errorf("%d commits are in %d packs", commits, len(packs))
		}
		out, err := r.output(t.Context(), small, nil, "fsck", "--strict", "--full", tip)
		if err != nil {
			t.Errorf("git finds fault with them: %v, %s", err, out)
		}
		if out, err := r.output(t.Context(), small, nil, "rev-list", "--count", tip); err != nil ||
			strings.TrimSpace(string(out)) != fmt.Sprint(commits) {
			t.Errorf("git counts %s, %v", out, err)
		}
		if err := r.Maintain(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestAGitThatIsStartedFindsWhatWasInTheBuffer(t *testing.T) {
	t.Parallel()
	b := repo(t).Buffered()
	commit := rooted(t, b, object(t, b, "tree", treeLine("100644", "a", object(t, b, "blob", "hello"))))
	if out, err := b.output(t.Context(), small, nil, "show", commit+":a"); err != nil || string(out) != "hello" {
		t.Errorf("it is %q, %v", out, err)
	}
	_, data, err := b.Object(t.Context(), commit+":a", small)
	if err != nil || string(data) != "hello" {
		t.Errorf("it is %q, %v", data, err)
	}
}

func TestLargeObjectsDoNotWaitInMemory(t *testing.T) {
	t.Parallel()
	b := repo(t).Buffered()
	object(t, b, "blob", strings.Repeat("x", bufferedObject+1))
	if len(b.buffer.objects) != 0 {
		t.Error("a large object waits")
	}
	for i := range bufferedBytes/bufferedObject + 1 {
		object(t, b, "blob", fmt.Sprint(i)+strings.Repeat("x", bufferedObject-8))
	}
	if b.buffer.bytes > bufferedBytes || len(b.buffer.objects) > 2 {
		t.Errorf("%d objects of %d bytes wait", len(b.buffer.objects), b.buffer.bytes)
	}
}
