package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/fixture"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"

	"github.com/google/go-cmp/cmp"
)

// likeTheAPI declares what madeByAPI makes.
const likeTheAPI = `
version: 1
users:
  - {username: ann, name: Ann}
projects:
  - path: ann/web
    visibility: public
    commits:
      - message: Begin
        author: ann
        files: {README.md: "# Web\n", main.go: "package main\n"}
      - branch: topic
        message: Change
        author: ann
        files: {main.go: "package main\n\n// changed\n"}
    labels: [{name: bug, color: "#cc0000"}]
    milestones: [{title: "1.0", due_date: 2026-03-01}]
    issues:
      - {title: Broken, description: It is., author: ann, labels: [bug], milestone: "1.0", assignees: [ann],
         notes: [{author: ann, body: Yes.}]}
      - title: Done
        author: ann
        state: closed
        closed_by: ann
        notes: [{author: ann, body: closed, system: true}]
    merge_requests:
      - {title: Change it, description: "Closes #1", author: ann, source_branch: topic}
`

// madeByAPI makes a project with the same content.
func madeByAPI(t *testing.T, h *harness.H) *harness.Caller {
	t.Helper()
	h.StartWorker()
	ann := h.NewUser(func(u *model.User) { u.Username, u.Name, u.Email = "ann", "Ann", "ann@example.com" })
	for _, call := range []struct{ method, path, body string }{
		{"POST", "/projects", `{"name": "web", "visibility": "public"}`},
		{"POST", "/projects/ann%2Fweb/repository/commits", `{"branch": "main", "commit_message": "Begin", "actions": [
			{"action": "create", "file_path": "README.md", "content": "# Web\n"},
			{"action": "create", "file_path": "main.go", "content": "package main\n"}]}`},
		{"POST", "/projects/ann%2Fweb/repository/commits", `{"branch": "topic", "start_branch": "main", "commit_message": "Change",
			"actions": [{"action": "update", "file_path": "main.go", "content": "package main\n\n// changed\n"}]}`},
		{"POST", "/projects/ann%2Fweb/labels", `{"name": "bug", "color": "#cc0000"}`},
		{"POST", "/projects/ann%2Fweb/milestones", `{"title": "1.0", "due_date": "2026-03-01"}`},
		{"POST", "/projects/ann%2Fweb/issues", fmt.Sprintf(
			`{"title": "Broken", "description": "It is.", "labels": "bug", "milestone_id": 1, "assignee_ids": [%d]}`, ann.User.ID)},
		{"POST", "/projects/ann%2Fweb/issues/1/notes", `{"body": "Yes."}`},
		{"POST", "/projects/ann%2Fweb/issues", `{"title": "Done"}`},
		{"PUT", "/projects/ann%2Fweb/issues/2", `{"state_event": "close"}`},
		{"POST", "/projects/ann%2Fweb/merge_requests", `{"title": "Change it", "description": "Closes #1", "source_branch": "topic",
			"target_branch": "main"}`},
	} {
		if a := ann.JSON(call.method, call.path, call.body); a.Status >= 300 {
			t.Fatalf("%s %s: %d %s", call.method, call.path, a.Status, a.Body)
		}
	}
	wait.Until(t, "the merge request is checked", func() bool {
		a := ann.Send("GET", "/projects/ann%2Fweb/merge_requests/1", "")
		return a.Status == 200 && field(t, ann, "/projects/ann%2Fweb/merge_requests", "Change it", "merge_status") == "can_be_merged"
	})
	wait.Until(t, "the lines of contributors are counted", func() bool {
		a := ann.Send("GET", "/projects/ann%2Fweb/repository/contributors", "")
		return a.Status == 200 && !strings.Contains(a.Body, `"additions":0`)
	})
	waitForQueue(t, h)
	if err := h.Server.RunDue(t.Context()); err != nil { // it measures the repository
		t.Fatal(err)
	}
	return ann
}

// varying are members that differ from instance to instance, or from moment to moment.
var varying = map[string]bool{
	"id": true, "created_at": true, "updated_at": true, "closed_at": true, "last_activity_at": true, "prepared_at": true,
	"sha": true, "diff_refs": true, "latest_build_started_at": true, "web_url": true, "repository_size": true, "storage_size": true,
	"commit_to": true, "commit_from": true, "target_id": true, "note_id": true, "author_id": true, "project_id": true,
	"authored_date": true, "committed_date": true, "short_id": true, "owner_id": true, "avatar_url": true, "merge_request_id": true,
	"http_url_to_repo": true, "readme_url": true, "noteable_id": true, "creator_id": true, "namespace_id": true, "runners_token": true,
	"head_commit_sha": true, "base_commit_sha": true, "start_commit_sha": true, "parent_ids": true, "container_registry_image_prefix": true,
	"service_desk_address": true, "repository_storage": true, "iid_path": true, "_links": true, "commits": true, "ref": false,
}

// plain removes what varies from a value.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			if varying[name] {
				delete(v, name)
				continue
			}
			v[name] = plain(member)
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	}
	return value
}

func TestAProjectOfFixturesLooksLikeOneThatTheAPIMade(t *testing.T) {
	t.Parallel()
	byAPI, byFile := harness.New(t), harness.New(t)
	ann := madeByAPI(t, byAPI)
	doc, err := fixture.Read("fixtures", []byte(likeTheAPI))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fixture.Load(t.Context(), byFile.Server.Fixtures(), doc, nil); err != nil {
		t.Fatal(err)
	}
	loaded, err := byFile.Store.Users.GetByUsername(t.Context(), "ann")
	if err != nil {
		t.Fatal(err)
	}
	other := byFile.WithToken(loaded, "api")
	for _, path := range []string{
		"/projects/ann%2Fweb?statistics=true", "/projects/ann%2Fweb/issues?sort=asc", "/projects/ann%2Fweb/issues/1/notes",
		"/projects/ann%2Fweb/issues/2/notes", "/projects/ann%2Fweb/merge_requests/1", "/projects/ann%2Fweb/merge_requests/1/closes_issues",
		"/projects/ann%2Fweb/merge_requests/1/commits", "/projects/ann%2Fweb/merge_requests/1/versions",
		"/projects/ann%2Fweb/repository/branches", "/projects/ann%2Fweb/labels",
		"/projects/ann%2Fweb/repository/tree", "/projects/ann%2Fweb/milestones", "/projects/ann%2Fweb/members/all",
		"/projects/ann%2Fweb/protected_branches", "/todos", "/projects/ann%2Fweb/repository/contributors", "/users?username=ann",
		"/projects?search=web",
	} {
		var got, want any
		for c, to := range map[*harness.Caller]*any{ann: &want, other: &got} {
			a := c.Send("GET", path, "")
			if err := json.Unmarshal([]byte(a.Body), to); err != nil || a.Status != 200 {
				t.Fatalf("%s: %d %s", path, a.Status, a.Body)
			}
		}
		if diff := cmp.Diff(plain(want), plain(got)); diff != "" {
			t.Errorf("%s differs (- API, + fixtures):\n%s", path, diff)
		}
	}
}
