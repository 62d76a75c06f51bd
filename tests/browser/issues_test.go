package browser

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestThePagesOfIssuesAndMergeRequestsAreAccessible(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword(func(u *model.User) { u.Name = "Ann Lee" })
	project := h.Project(*owner.User.NamespaceID)
	local := harness.NewHistory(t)
	local.Write("roof.txt", "one\ntwo\nthree\n")
	local.Commit("Ann <ann@example.com>", "Begin")
	local.Git("switch", "-q", "-c", "change")
	local.Write("roof.txt", "one\n2\nthree\n")
	local.Commit("Ann <ann@example.com>", "Use numbers")
	local.Push(owner, project)
	api := fmt.Sprintf("/projects/%d", project.ID)
	for _, request := range [][2]string{
		{"/milestones", `{"title":"Winter","due_date":"2030-01-31"}`},
		{"/boards", `{"name":"Work"}`},
		{"/issues", `{"title":"The roof leaks","description":"# Where\n\nsee #1\n\n- [ ] look","labels":"bug,wet","milestone_id":1}`},
		{"/issues/1/notes", `{"body":"It is **wet**"}`},
		{"/merge_requests", `{"source_branch":"change","target_branch":"main","title":"Numbers","description":"Closes #1"}`},
		{"/merge_requests/1/notes", `{"body":"Why?"}`},
	} {
		if got := owner.JSON("POST", api+request[0], request[1]); got.Status != 201 {
			t.Fatal(request[0], got.Status, got.Body)
		}
	}
	thread := lineThread(t, owner, api)
	var notes []struct{ ID int64 }
	found := owner.Send("GET", api+"/issues/1/notes?activity_filter=only_comments", "")
	if err := json.Unmarshal([]byte(found.Body), &notes); err != nil || len(notes) == 0 {
		t.Fatal(found.Body, err)
	}
	note := strconv.FormatInt(notes[0].ID, 10)
	b := open(t, h)
	signIn(b, owner.User, "Your projects")
	b.accessible("/"+project.FullPath+"/-/", []shown{
		{"issues", "issues"},
		{"issues?state=closed&labels=bug", "issues-filtered"},
		{"issues/1", "issue"},
		{"issues/new", "issue-new"},
		{"issues/1/edit", "issue-edit"},
		{"issues/1/notes/" + note + "/edit", "note-edit"},
		{"merge_requests", "merge-requests"},
		{"merge_requests/1", "merge-request"},
		{"merge_requests/1/edit", "merge-request-edit"},
		{"merge_requests/1/diffs", "merge-request-changes"},
		{"merge_requests/1/commits", "merge-request-commits"},
		{"merge_requests/1/pipelines", "merge-request-pipelines"},
		{"merge_requests/1/discussions/" + thread, "thread"},
		{"merge_requests/new", "merge-request-branches"},
		{"merge_requests/new?merge_request%5Bsource_branch%5D=change", "merge-request-new"},
		{"milestones", "milestones"},
		{"milestones/1", "milestone"},
		{"milestones/1/edit", "milestone-edit"},
		{"milestones/new", "milestone-new"},
		{"labels", "labels"},
		{"labels/new", "label-new"},
		{"labels/1/edit", "label-edit"},
		{"boards", "boards"},
		{"boards/1", "board"},
	})
}

// lineThread makes a thread on a changed line of the first merge request of a project, and returns its ID.
func lineThread(t *testing.T, c *harness.Caller, api string) string {
	t.Helper()
	var mr struct {
		Refs struct {
			Base  string `json:"base_sha"`
			Start string `json:"start_sha"`
			Head  string `json:"head_sha"`
		} `json:"diff_refs"`
	}
	if err := json.Unmarshal([]byte(c.Send("GET", api+"/merge_requests/1", "").Body), &mr); err != nil {
		t.Fatal(err)
	}
	var thread struct{ ID string }
	got := c.JSON("POST", api+"/merge_requests/1/discussions", fmt.Sprintf(
		`{"body":"Why `+"`2`"+`?","position":{"position_type":"text","base_sha":%q,"start_sha":%q,"head_sha":%q,
			"old_path":"roof.txt","new_path":"roof.txt","new_line":2}}`, mr.Refs.Base, mr.Refs.Start, mr.Refs.Head))
	if err := json.Unmarshal([]byte(got.Body), &thread); err != nil || got.Status != 201 {
		t.Fatal(got.Status, got.Body, err)
	}
	return thread.ID
}
