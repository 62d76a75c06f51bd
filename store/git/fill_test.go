package git

import (
	"strings"
	"testing"
	"time"
)

func TestAllRefsAreMadeAtOnceAndGitReadsThem(t *testing.T) {
	t.Parallel()
	r := repo(t).Buffered()
	who := Person{Name: "Ann", Email: "ann@example.com", When: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	id, err := r.WriteCommit(t.Context(), NewCommit{
		Author: who, Committer: who, Message: "Begin", Changes: []Change{{Action: ActionCreate, Path: "a", Content: []byte("a")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	tag, err := r.WriteTag("v1", id, "One", who)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Flush(); err != nil {
		t.Fatal(err)
	}
	refs := map[string]string{
		"refs/heads/main": id, "refs/heads/b/c": id, "refs/tags/v1": tag, MergeRequestRef(1): id, PipelineRef(1): id,
	}
	for _, bad := range []map[string]string{{"refs/heads/a..b": id}, {"refs/heads/main": "main"}} {
		if err := r.Fill(bad, nil); err == nil {
			t.Errorf("%v was made", bad)
		}
	}
	if err := r.Fill(refs, map[string]string{tag: id}); err != nil {
		t.Fatal(err)
	}
	if err := r.Fill(refs, nil); err == nil {
		t.Error("refs were made twice")
	}
	found := ask(t, r, "for-each-ref", "--format=%(refname) %(objectname) %(*objectname)")
	for name, id := range refs {
		if !strings.Contains(found, name+" "+id) {
			t.Errorf("git does not know %s:\n%s", name, found)
		}
	}
	if !strings.Contains(found, "refs/tags/v1 "+tag+" "+id) || ask(t, r, "fsck", "--strict") != "" {
		t.Errorf("git finds a fault:\n%s", found)
	}
	commit(t, r, Change{Action: ActionCreate, Path: "b", Content: []byte("b")}) // a packed branch can be moved
}
