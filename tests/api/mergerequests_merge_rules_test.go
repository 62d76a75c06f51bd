package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestMessagesOfMergesFollowTheTemplates(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.set(map[string]any{
		"merge_commit_template": "%{title} (%{source_branch} into " +
			"%{target_branch})\n\n%{description}\n\n%{issues}\n\n%{approved_by}\nSee %{local_reference} %{unknown}",
		"squash_commit_template": "Squashed: %{title}\n\n%{all_commits}",
	})
	expect(t, w.developer.JSON("POST", w.path+"/issues", `{"title":"one"}`), 201, "")
	w.commit("a", "First", map[string]string{"a.txt": "a\n"})
	w.commit("a", "Second", map[string]string{"b.txt": "b\n"})
	mr := read[mergeRequest](t, w.developer.JSON("POST", w.mrs,
		`{"source_branch":"a","target_branch":"main","title":"Add a","description":"Why not. Closes #1","squash":true}`), 201)
	expect(t, w.maintainer.Send("POST", w.at(mr.IID, "/approve"), ""), 201, "")
	got := read[mergeRequest](t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 200)
	r := w.clone()
	message := r.Git("log", "-1", "--format=%B", *got.MergeSHA)
	for _, want := range []string{
		"Add a (a into main)", "Why not. Closes #1", "Closes #1", "Approved-by: " + w.maintainer.User.Name,
		"See !1 %{unknown}",
	} {
		if !strings.Contains(message, want) {
			t.Errorf("%q is not in\n%s", want, message)
		}
	}
	squash := r.Git("log", "-1", "--format=%B", *got.SquashSHA)
	if !strings.HasPrefix(squash, "Squashed: Add a") || !strings.Contains(squash, "First") || !strings.Contains(squash, "Second") {
		t.Errorf("%s", squash)
	}
	w.commit("b", "Other", map[string]string{"c.txt": "c\n"})
	other := w.openMergeRequest("b", "Add b")
	got = read[mergeRequest](t, w.maintainer.JSON("PUT", w.at(other.IID, "/merge"), `{"merge_commit_message":"By hand"}`), 200)
	if line := w.clone().Line("log", "-1", "--format=%s", *got.MergeSHA); line != "By hand" {
		t.Errorf("%s", line)
	}
}

func TestUnresolvedThreadsBlockAMerge(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.set(map[string]any{"only_allow_merge_if_all_discussions_are_resolved": true})
	w.commit("a", "A", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("a", "Add a")
	expect(t, w.reporter.JSON("POST", w.at(mr.IID, "/notes"), `{"body":"just a word"}`), 201, "")
	if got := w.get(mr.IID); got.Detailed != "mergeable" {
		t.Errorf("a note alone hinders it: %+v", got)
	}
	thread := member(t, w.reporter.JSON("POST", w.at(mr.IID, "/discussions"), `{"body":"Why?"}`), "id").(string)
	if got := w.get(mr.IID); got.Detailed != "discussions_not_resolved" {
		t.Errorf("%+v", got)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 405, "")
	expect(t, w.maintainer.JSON("POST", w.at(mr.IID, "/notes"), `{"body":"/merge"}`), 400, "")
	expect(t, w.developer.JSON("PUT", w.at(mr.IID, "/discussions/"+thread), `{"resolved":true}`), 200, "")
	expect(t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 200, "")
}

func TestAMergeCommitIsPickedAndTheTargetChanged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("stable", "Stable", map[string]string{"s.txt": "s\n"})
	w.commit("a", "One", map[string]string{"a.txt": "a\n"})
	w.commit("a", "Two", map[string]string{"b.txt": "b\n"})
	mr := w.openMergeRequest("a", "Add both")
	for body, status := range map[string]int{
		`{"target_branch":"nowhere"}`: 422, `{"target_branch":"a"}`: 422, `{"target_branch":""}`: 200,
	} {
		expect(t, w.developer.JSON("PUT", w.at(mr.IID, ""), body), status, "")
	}
	if got := read[mergeRequest](t, w.developer.JSON("PUT", w.at(mr.IID, ""), `{"target_branch":"stable"}`), 200); got.Target != "stable" ||
		got.Detailed != "mergeable" || *got.Changes != "2" {
		t.Errorf("%+v", got)
	}
	expect(t, w.developer.JSON("PUT", w.at(mr.IID, ""), `{"target_branch":"main"}`), 200, "")
	if said := w.notes(mr.ID); !strings.Contains(said, "changed target branch from `main` to `stable`") {
		t.Errorf("%s", said)
	}
	got := read[mergeRequest](t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 200)
	expect(t, w.maintainer.JSON("PUT", w.at(mr.IID, ""), `{"target_branch":"stable"}`), 422, "")
	expect(t, w.developer.JSON("POST", w.path+"/repository/commits/"+*got.MergeSHA+"/cherry_pick", `{"branch":"stable"}`), 201, "")
	for _, name := range []string{"a.txt", "b.txt", "s.txt"} {
		expect(t, w.developer.Send("GET", w.path+"/repository/files/"+name+"?ref=stable", ""), 200, "")
	}
}

// Events of a merge request send mails and create to-do items, only for users who can see the merge request.
func TestMergeRequestsSendMails(t *testing.T) {
	t.Parallel()
	inbox := harness.NewInbox(t)
	h := harness.New(t, inbox.Use)
	h.StartWorker()
	w := newMergeProject(t, h)
	people := map[string]*harness.Caller{}
	for _, name := range []string{"ann", "rob", "guy"} {
		people[name] = userWithConfirmedEmail(h, name)
		h.JoinProject(w.project, people[name].User, map[string]model.Access{
			"ann": model.Developer, "rob": model.Developer, "guy": model.Guest,
		}[name])
	}
	userWithConfirmedEmail(h, "out")
	told := func(what, want string) {
		t.Helper()
		h.WaitForMails()
		if got := addressees(inbox.Take()); got != want {
			t.Errorf("of %s %q are told, want %q", what, got, want)
		}
	}
	w.commit("a", "A", map[string]string{"a.txt": "a\n"})
	told("a push", "")
	body := fmt.Sprintf(`{"source_branch":"a","target_branch":"main","title":"Add a","description":"@guy @out look",`+
		`"assignee_id":%d,"reviewer_ids":[%d]}`,
		people["ann"].User.ID, people["rob"].User.ID)
	mr := read[mergeRequest](t, w.developer.JSON("POST", w.mrs, body), 201)
	told("a new one", "ann rob") // guests cannot read the code
	for name, want := range map[string]string{"ann": "assigned", "rob": "review_requested", "guy": ""} {
		rows := read[[]struct {
			Action string `json:"action_name"`
		}](t, people[name].Send("GET", "/todos", ""), 200)
		if want == "" && len(rows) != 0 || want != "" && (len(rows) != 1 || rows[0].Action != want) {
			t.Errorf("%s is asked for %+v", name, rows)
		}
	}
	expect(t, people["rob"].JSON("POST", w.at(mr.IID, "/notes"), `{"body":"Hm. @guy"}`), 201, "")
	told("a note", "ann")
	expect(t, people["rob"].JSON("POST", w.at(mr.IID, "/notes"), `{"body":"/approve"}`), 202, "")
	told("an approval", "ann")
	expect(t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 200, "")
	told("the merge", "ann rob")
	for _, name := range []string{"ann", "rob"} {
		expect(t, people[name].Send("GET", "/todos", ""), 200, "[]")
	}
}
