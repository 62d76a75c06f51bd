package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// made sends JSON with POST, which must create something.
func made(t *testing.T, c *harness.Caller, path, body string) {
	t.Helper()
	if got := c.Send("POST", path, body, "Content-Type", "application/json"); got.Status != 201 {
		t.Fatalf("%s: %d %s", path, got.Status, got.Body)
	}
}

// published makes a wiki, snippets, a release, a package, an alert and an error of a project.
func published(t *testing.T, h *harness.H, owner *harness.Caller, project model.Project) {
	t.Helper()
	id := fmt.Sprintf("/projects/%d", project.ID)
	made(t, owner, id+"/wikis",
		`{"title":"home","content":"# Start\n\nA [guide](guides/first) with a table.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"}`)
	made(t, owner, id+"/snippets",
		`{"title":"Rotate logs","visibility":"private","files":[{"file_path":"main.go","content":"package main\n"}]}`)
	made(t, owner, "/snippets",
		`{"title":"Rotate logs","visibility":"private","files":[{"file_path":"a.sh","content":"echo hello\n"}]}`)
	made(t, owner, id+"/feature_flags", `{"name":"door","description":"Opens","strategies":[{"name":"default"}]}`)
	made(t, owner, id+"/feature_flags_user_lists", `{"name":"Beta testers","user_xids":"17,23"}`)
	made(t, owner, id+"/releases", `{"tag_name":"v1.0","name":"First roof","description":"## Notes\n\nIt holds."}`)
	if got := owner.Send("PUT", id+"/packages/generic/tool/1.0/a.txt", "x", "Content-Type", "application/octet-stream"); got.Status != 201 {
		t.Fatal(got.Status, got.Body)
	}
	now := time.Now().UTC()
	_, err := h.Store.Alerts.Record(t.Context(), project.ID, []model.Alert{{
		Title: "Roof leaks", Severity: "critical", Status: model.AlertTriggered, Hosts: "[]", Format: "generic", Payload: `{"drops":7}`,
		StartedAt: now, Events: 1,
	}})
	if err == nil {
		err = h.Store.ErrorTracking.Record(t.Context(), model.TrackedError{
			ProjectID: project.ID, Fingerprint: "f", Title: "Crash", Culprit: "main.go in main", Level: "error",
		}, model.TrackedErrorEvent{
			ProjectID: project.ID, EventID: strings.Repeat("a", 32), Level: "error", OccurredAt: now,
			Payload: `{"exception":{"values":[{"type":"Panic","value":"nil",
				"stacktrace":{"frames":[{"filename":"main.go","function":"main"}]}}]}}`,
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestThePagesOfWhatAProjectPublishesAreAccessible(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword(func(u *model.User) { u.Name = "Ann Lee" })
	project := codeProject(t, h, owner)
	published(t, h, owner, project)
	b := open(t, h)
	signIn(b, owner.User, "Your projects")
	b.accessible("/"+project.FullPath+"/-/", []shown{
		{"wikis", "wiki-list"},
		{"wikis/home", "wiki"},
		{"wiki/new", "wiki-new"},
		{"wiki/edit/home", "wiki-edit"},
		{"wiki/history/home", "wiki-history"},
		{"snippets", "project-snippets"},
		{"snippets/1", "snippet"},
		{"snippets/1/edit", "snippet-edit"},
		{"snippets/new", "project-snippet-new"},
		{"releases", "releases"},
		{"releases/v1.0", "release"},
		{"releases/new", "release-new"},
		{"releases/v1.0/edit", "release-edit"},
		{"packages", "packages"},
		{"packages/1", "package"},
		{"alert_management", "alerts"},
		{"alert_management/1", "alert"},
		{"error_tracking", "errors"},
		{"error_tracking/1", "error"},
		{"error_tracking/settings", "error-settings"},
		{"feature_flags", "feature-flags"},
		{"feature_flags/new", "feature-flag-new"},
		{"feature_flags/door/edit", "feature-flag-edit"},
		{"feature_flags_user_lists", "user-lists"},
		{"feature_flags_user_lists/1", "user-list"},
		{"feature_flags_user_lists/1/edit", "user-list-edit"},
	})
	b.visit("/" + project.FullPath + "/-/wiki/history/home")
	b.accessible(b.link("/wiki/changes/"), []shown{{"", "wiki-changes"}})
	b.accessible("/-/snippets", []shown{
		{"", "snippets"}, {"/new", "snippet-own-new"}, {"/2", "snippet-own"}, {"/2/edit", "snippet-own-edit"},
	})
}

func TestThePagesOfTheAdministrationAreAccessible(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	admin := h.NewUserWithPassword(func(u *model.User) { u.Name, u.Admin = "Ann Lee", true })
	codeProject(t, h, admin)
	h.Group()
	b := open(t, h)
	signIn(b, admin.User, "Your projects")
	b.accessible("", []shown{
		{"/admin/users", "admin-users"},
		{"/admin/users/new", "admin-user-new"},
		{fmt.Sprintf("/admin/users/%d", admin.User.ID), "admin-user"},
		{fmt.Sprintf("/admin/users/%d/edit", admin.User.ID), "admin-user-edit"},
		{"/admin/groups", "admin-groups"},
		{"/admin/projects", "admin-projects"},
		{"/admin/background_jobs?state=completed", "admin-jobs"},
		{"/admin/audit_log", "admin-audit"},
		{"/admin/settings", "admin-settings"},
		{"/admin/health", "admin-health"},
		{"/admin/storages", "admin-storages"},
	})
}
