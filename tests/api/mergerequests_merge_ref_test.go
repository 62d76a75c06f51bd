package api

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/tests/harness"
)

func TestTheMergeOfAMergeRequestCanBeFetched(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	head := w.commit("feature", "Add a", map[string]string{"a.txt": "a\n"})
	target := w.commit("main", "Add b", map[string]string{"b.txt": "b\n"})
	mr := w.openMergeRequest("feature", "Add a")
	waitForQueue(t, h)
	ref := w.at(mr.IID, "/merge_ref")
	made := w.reporter.Send("GET", ref, "")
	expect(t, made, 200, "")
	id := member(t, made, "commit_id").(string)
	if again := member(t, w.developer.Send("GET", ref, ""), "commit_id"); again != id {
		t.Errorf("the commit is %v the second time, and was %s", again, id)
	}
	u, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User, u.Path = url.UserPassword("oauth2", w.reporter.Token), "/"+w.project.FullPath+".git"
	r := harness.NewHistory(t)
	r.Git("fetch", "-q", u.String(), fmt.Sprintf("refs/merge-requests/%d/merge", mr.IID))
	if got := r.Line("log", "-1", "--format=%H %P", "FETCH_HEAD"); got != id+" "+target+" "+head {
		t.Errorf("the commit and its parents are %s", got)
	}
	if files := strings.Fields(r.Git("ls-tree", "--name-only", "FETCH_HEAD")); fmt.Sprint(files) != "[README.md a.txt b.txt]" {
		t.Errorf("the files are %v", files)
	}
	moved := w.commit("main", "Add c", map[string]string{"c.txt": "c\n"})
	if next := member(t, w.developer.Send("GET", ref, ""), "commit_id"); next == id {
		t.Errorf("the merge does not follow the target branch, which is at %s", moved)
	}
	expect(t, h.NewUser().Send("GET", ref, ""), 404, "")
	expect(t, w.developer.JSON("PUT", w.at(mr.IID, ""), `{"state_event":"close"}`), 200, "")
	expect(t, w.developer.Send("GET", ref, ""), 400, `{"message":"Merge request is not mergeable"}`)
	expect(t, w.developer.Send("DELETE", w.at(mr.IID, ""), ""), 204, "")
	waitForQueue(t, h)
	if left := r.Git("ls-remote", u.String(), "refs/merge-requests/*"); left != "" {
		t.Errorf("refs stay after the merge request was deleted: %s", left)
	}
}

func TestAMergeRequestWithConflictsHasNoMerge(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("feature", "Change", map[string]string{"README.md": "mine\n"})
	w.commit("main", "Change", map[string]string{"README.md": "yours\n"})
	mr := w.openMergeRequest("feature", "Change")
	expect(t, w.developer.Send("GET", w.at(mr.IID, "/merge_ref"), ""), 400, `{"message":"Merge request is not mergeable"}`)
}
