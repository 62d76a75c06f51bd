package api

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"

	"github.com/google/go-cmp/cmp"
)

// exportProject exports a project and returns the archive.
func exportProject(t *testing.T, c *harness.Caller, project string) harness.Answer {
	t.Helper()
	expect(t, c.Send("POST", project+"/export", ""), 202, `{"message":"202 Accepted"}`)
	wait.Until(t, "the export of the project is finished", func() bool {
		now := read[struct {
			Status string `json:"export_status"`
		}](t, c.Send("GET", project+"/export", ""), 200)
		if now.Status == "failed" {
			t.Fatal("the export failed")
		}
		return now.Status == "finished"
	})
	file := c.Send("GET", project+"/export/download", "")
	if file.Status != 200 {
		t.Fatalf("%d %s", file.Status, file.Body)
	}
	return file
}

// importFile imports an archive and waits until the import has ended.
func importFile(t *testing.T, c *harness.Caller, fields map[string]string, data string) importedProject {
	t.Helper()
	made := read[importedProject](t, sendArchive(c, fields, data), 201)
	if made.Status == "none" || made.Type == nil || *made.Type != "gitlab_project" { // a worker may have begun already
		t.Errorf("a new import: %+v", made)
	}
	p := waitForProjectImport(t, c, made.ID)
	if p.Status == "failed" && p.Error != nil {
		t.Logf("the import of %s failed: %s", fields["path"], *p.Error)
	}
	return p
}

func sendArchive(c *harness.Caller, fields map[string]string, data string) harness.Answer {
	return c.File("POST", "/projects/import", fields, "file", "project.tar.gz", "application/gzip", data)
}

// fillProject makes a project with one of everything that is exported.
func fillProject(t *testing.T, h *harness.H, owner *harness.Caller) string {
	t.Helper()
	made := read[struct{ ID int64 }](t, owner.JSON("POST", "/projects", `{"name":"Web","path":"web","description":"All of it",`+
		`"initialize_with_readme":true,"merge_method":"ff","topics":["one","two"]}`), 201)
	at := fmt.Sprintf("/projects/%d", made.ID)
	post := func(path, body string) harness.Answer {
		t.Helper()
		a := owner.JSON("POST", at+path, body)
		if a.Status != 201 {
			t.Fatalf("%s: %d %s", path, a.Status, a.Body)
		}
		return a
	}
	ann := h.NewUser(withPublicEmail("ann"))
	post("/members", fmt.Sprintf(`{"user_id":%d,"access_level":30}`, ann.User.ID))
	label := read[struct{ ID int64 }](t, post("/labels", `{"name":"bug","color":"#ff0000","description":"<b>no</b>","priority":3}`), 201)
	milestone := read[struct{ ID int64 }](t, post("/milestones", `{"title":"1.0","description":"First","due_date":"2030-05-01"}`), 201)
	file := owner.File("POST", at+"/uploads", nil, "file", "note.txt", "text/plain", "attached")
	if file.Status != 201 {
		t.Fatalf("%d %s", file.Status, file.Body)
	}
	post("/issues", fmt.Sprintf(
		`{"title":"First","description":"See %s","labels":"bug","milestone_id":%d,"assignee_ids":[%d],`+
			`"due_date":"2030-01-02","weight":5}`,
		member(t, file, "markdown"), milestone.ID, ann.User.ID))
	post("/issues", `{"title":"Secret","confidential":true}`)
	expect(t, ann.JSON("POST", at+"/issues", `{"title":"Of Ann"}`), 201, "")
	expect(t, ann.JSON("POST", at+"/issues/1/discussions", `{"body":"A thread"}`), 201, "")
	thread := read[[]struct{ ID string }](t, owner.Send("GET", at+"/issues/1/discussions", ""), 200)
	post("/issues/1/discussions/"+thread[len(thread)-1].ID+"/notes", `{"body":"An answer"}`)
	expect(t, owner.JSON("PUT", at+"/issues/2", `{"state_event":"close"}`), 200, "")
	fillRepository(post, ann, label.ID)
	expect(t, ann.JSON("POST", at+"/merge_requests/1/notes", `{"body":"Looks good"}`), 201, "")
	post("/wikis", `{"title":"home","content":"one"}`)
	expect(t, owner.JSON("PUT", at+"/wikis/home", `{"content":"two"}`), 200, "")
	post("/variables", `{"key":"SECRET","value":"not-to-be-exported"}`)
	return at
}

// fillRepository makes what belongs to the repository, and the badge and board of a project.
func fillRepository(post func(path, body string) harness.Answer, ann *harness.Caller, label int64) {
	post("/repository/branches?branch=topic&ref=main", "")
	post("/repository/commits", `{"branch":"topic","commit_message":"Change",`+
		`"actions":[{"action":"create","file_path":"a.txt","content":"a\n"}]}`)
	post("/merge_requests", fmt.Sprintf(
		`{"title":"Topic","description":"Please","source_branch":"topic","target_branch":"main","labels":"bug","reviewer_ids":[%d]}`,
		ann.User.ID))
	post("/repository/tags?tag_name=v1&ref=main&message=One", "")
	post("/releases", `{"tag_name":"v1","name":"One","description":"It works","milestones":["1.0"],`+
		`"assets":{"links":[{"name":"x","url":"https://example.com/x"}]}}`)
	post("/protected_branches", `{"name":"stable-*","push_access_level":40,"merge_access_level":30}`)
	post("/protected_tags", `{"name":"v*","create_access_level":40}`)
	post("/badges", `{"name":"ci","link_url":"https://example.com","image_url":"https://example.com/%{project_path}"}`)
	var board struct{ ID int64 }
	if json.Unmarshal([]byte(post("/boards", `{"name":"Work"}`).Body), &board) == nil {
		post(fmt.Sprintf("/boards/%d/lists", board.ID), fmt.Sprintf(`{"label_id":%d}`, label))
	}
}

// uploadSecrets are links to uploads. Each project has its own secrets.
var uploadSecrets = regexp.MustCompile(`/uploads/[0-9a-f]{32}/`)

// projectContents returns the exported parts of a project as the API shows them, without ids.
func projectContents(t *testing.T, c *harness.Caller, at string) map[string]any {
	t.Helper()
	type person struct{ Username string }
	type row struct {
		Name, Title, Color, State, Username, Slug, Content, Body, Tag, Target, Filename string
		Description                                                                     *string
		Due                                                                             *string `json:"due_date"`
		IID                                                                             int64
		Weight, Priority                                                                *int64
		Confidential, System, Resolvable                                                bool
		Created                                                                         string `json:"created_at"`
		Author                                                                          person
		Assignees, Reviewers                                                            []person
		Labels                                                                          []any
		Milestone                                                                       *struct{ Title string }
		Milestones                                                                      []struct{ Title string }
		Notes                                                                           int64  `json:"user_notes_count"`
		Source                                                                          string `json:"source_branch"`
		SHA, Size                                                                       any
		Refs                                                                            any    `json:"diff_refs"`
		Link                                                                            string `json:"link_url"`
		Image                                                                           string `json:"image_url"`
		Access                                                                          int64  `json:"access_level"`
		Push                                                                            []struct {
			Level int64 `json:"access_level"`
		} `json:"push_access_levels"`
		Commit *struct{ ID, Message string }
		Lists  []struct {
			Position int64
			Label    struct{ Name, Color string }
		}
		Assets struct{ Links []struct{ Name, URL string } }
	}
	out := map[string]any{}
	for _, part := range []string{
		"labels", "milestones", "issues?sort=asc", "merge_requests", "issues/1/notes?sort=asc", "merge_requests/1/notes?sort=asc",
		"protected_branches", "protected_tags", "badges", "boards", "wikis?with_content=1", "releases", "members",
		"repository/branches", "repository/tags", "merge_requests/1/diffs", "merge_requests/1/commits", "uploads",
	} {
		shown := c.Send("GET", at+"/"+part, "")
		shown.Body = uploadSecrets.ReplaceAllString(shown.Body, "/uploads/SECRET/")
		rows := read[[]row](t, shown, 200)
		for i := range rows {
			if part == "members" || part == "protected_tags" || part == "badges" {
				rows[i].Created = ""
			}
			if part == "labels" || part == "uploads" || part == "wikis?with_content=1" {
				rows[i].Created = ""
			}
		}
		out[part] = rows
	}
	p := read[map[string]any](t, c.Send("GET", at, ""), 200)
	for _, name := range []string{
		"description", "merge_method", "topics", "default_branch", "open_issues_count", "empty_repo", "visibility",
	} {
		out[name] = p[name]
	}
	return out
}

func TestAProjectIsExportedAndImportedIntoAnotherInstance(t *testing.T) {
	t.Parallel()
	a, b := harness.New(t), harness.New(t)
	owner, other := a.NewUser(withPublicEmail("owner")), b.NewUser(withPublicEmail("owner"))
	b.NewUser(withPublicEmail("ann"))
	a.StartWorker()
	b.StartWorker()
	at := fillProject(t, a, owner)
	expect(t, owner.Send("GET", at+"/export/download", ""), 404, `{"message":"404 Not found or has expired"}`)
	if got := member(t, owner.Send("GET", at+"/export", ""), "export_status"); got != "none" {
		t.Errorf("before the export: %v", got)
	}
	file := exportProject(t, owner, at)
	if name := file.Header.Get("Content-Disposition"); !strings.HasSuffix(name, "_owner_web_export.tar.gz") {
		t.Errorf("the file is called %s", name)
	}
	expectArchive(t, file.Body)
	p := importFile(t, other, map[string]string{"path": "copy", "name": "Copy"}, file.Body)
	if p.Status != "finished" || p.Error != nil {
		t.Fatalf("%+v", p)
	}
	copied := fmt.Sprintf("/projects/%d", p.ID)
	shown := read[struct {
		Failed []any `json:"failed_relations"`
	}](t, other.Send("GET", copied+"/import", ""), 200)
	if len(shown.Failed) != 0 {
		t.Errorf("failed: %v", shown.Failed)
	}
	if diff := cmp.Diff(projectContents(t, owner, at), projectContents(t, other, copied)); diff != "" {
		t.Error(diff)
	}
	link := uploadSecrets.FindString(other.Send("GET", copied+"/issues/1", "").Body)
	if got := other.Send("GET", copied+link+"note.txt", ""); got.Status != 200 || got.Body != "attached" {
		t.Errorf("the upload at %s: %d %s", link, got.Status, got.Body)
	}
	// New issues get numbers after those of the archive.
	if got := member(t, other.JSON("POST", copied+"/issues", `{"title":"New"}`), "iid"); got != 4.0 {
		t.Errorf("a new issue has the number %v", got)
	}
	expectAuditEvents(t, a.Root().Send("GET", at+"/audit_events", ""), "project_export_scheduled", "project_export_downloaded")
	expectAuditEvents(t, b.Root().Send("GET", copied+"/audit_events", ""), "project_imported")
	limited := 0
	for range 3 {
		if owner.Send("GET", at+"/export/download", "").Status == 429 {
			limited++
		}
	}
	if limited == 0 {
		t.Error("downloads are not counted")
	}
}

// expectArchive checks that an archive has no secrets, and all its files.
func expectArchive(t *testing.T, data string) {
	t.Helper()
	zip, err := gzip.NewReader(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for files := tar.NewReader(zip); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		if text, err := io.ReadAll(files); err != nil || bytes.Contains(text, []byte("not-to-be-exported")) {
			t.Errorf("%s: %v", h.Name, err)
		}
	}
	for _, name := range []string{
		"VERSION", "tree/project.json", "project.bundle", "project.wiki.bundle", "uploads/index.ndjson", "tree/project/issues.ndjson",
		"tree/project/merge_requests.ndjson", "tree/project/notes.ndjson", "tree/project/releases.ndjson",
	} {
		if !strings.Contains(strings.Join(names, " "), name) {
			t.Errorf("the archive has %v, but not %s", names, name)
		}
	}
}

func TestTextsOfUnknownUsersNameTheirAuthors(t *testing.T) {
	t.Parallel()
	a, b := harness.New(t), harness.New(t)
	owner, other := a.NewUser(withPublicEmail("owner")), b.NewUser()
	a.StartWorker()
	b.StartWorker()
	at := fillProject(t, a, owner)
	p := importFile(t, other, map[string]string{"path": "copy"}, exportProject(t, owner, at).Body)
	if p.Status != "finished" {
		t.Fatalf("%+v", p)
	}
	copied := fmt.Sprintf("/projects/%d", p.ID)
	issue := read[struct {
		Description string
		Author      struct{ Username string }
		Assignees   []any
	}](t, other.Send("GET", copied+"/issues/3", ""), 200)
	if issue.Author.Username != other.User.Username || issue.Description != "*Created by: ann*" || len(issue.Assignees) != 0 {
		t.Errorf("%+v", issue)
	}
	notes := other.Send("GET", copied+"/issues/1/notes", "").Body
	if !strings.Contains(notes, `*Created by: ann*\n\nA thread`) || !strings.Contains(notes, `*Created by: owner*\n\nAn answer`) {
		t.Errorf("notes: %s", notes)
	}
	members := read[[]struct{ Username string }](t, other.Send("GET", copied+"/members", ""), 200)
	if len(members) != 1 || members[0].Username != other.User.Username {
		t.Errorf("members: %+v", members)
	}
}

func TestAProjectIsImportedIntoAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(withPublicEmail("owner"))
	h.StartWorker()
	at := fillProject(t, h, owner)
	file := exportProject(t, owner, at).Body
	group := h.Group(func(g *model.Namespace) { g.Path, g.Visibility = "acme", model.Private })
	maintainer, guest, outsider := h.Member(group, model.Maintainer), h.Member(group, model.Guest), h.NewUser()
	fields := map[string]string{
		"path": "copy", "namespace": "acme", "override_params[description]": "<Other>", "override_params[wiki_access_level]": "disabled",
	}
	expect(t, sendArchive(guest, fields, file), 403, `{"message":"403 Forbidden"}`)
	expect(t, sendArchive(outsider, fields, file), 404, `{"message":"404 Namespace Not Found"}`)
	expect(t, sendArchive(h.Anonymous(), fields, file), 401, "")
	p := importFile(t, maintainer, fields, file)
	if p.Status != "finished" {
		t.Fatalf("%+v", p)
	}
	copied := fmt.Sprintf("/projects/%d", p.ID)
	shown := maintainer.Send("GET", copied, "")
	if member(t, shown, "description") != "<Other>" || member(t, shown, "wiki_access_level") != "disabled" ||
		member(t, shown, "path_with_namespace") != "acme/copy" || member(t, shown, "visibility") != "private" {
		t.Errorf("%s", shown.Body)
	}
	// The owner of the exported project gets at most the role of the user who imports.
	for _, m := range read[[]struct {
		Username string
		Level    int64 `json:"access_level"`
	}](t, maintainer.Send("GET", copied+"/members", ""), 200) {
		if m.Username == "owner" && m.Level != 40 {
			t.Errorf("%s has the role %d", m.Username, m.Level)
		}
	}
	expect(t, sendArchive(maintainer, fields, file), 400,
		`{"message":{"name":["has already been taken"],"path":["has already been taken"]}}`)
	fields["overwrite"] = "true"
	expect(t, sendArchive(maintainer, fields, file), 403, "")
	root := h.Root()
	again := importFile(t, root, fields, file)
	if again.Status != "finished" || again.ID == p.ID {
		t.Errorf("%+v", again)
	}
	if got := member(t, root.Send("GET", copied, ""), "marked_for_deletion_on"); got == nil {
		t.Error("the project that was overwritten is not marked for deletion")
	}
	expectExportRoles(t, h, owner, at)
}

// expectExportRoles checks that only maintainers export a project.
func expectExportRoles(t *testing.T, h *harness.H, owner *harness.Caller, at string) {
	t.Helper()
	for _, op := range []string{"POST " + at + "/export", "GET " + at + "/export", "GET " + at + "/export/download"} {
		method, path, _ := strings.Cut(op, " ")
		expect(t, h.NewUser().Send(method, path, ""), 404, `{"message":"404 Project Not Found"}`)
		for _, role := range []int{10, 20, 30} {
			user := h.NewUser()
			expect(t, owner.JSON("POST", at+"/members", fmt.Sprintf(`{"user_id":%d,"access_level":%d}`, user.User.ID, role)), 201, "")
			expect(t, user.Send(method, path, ""), 403, `{"message":"403 Forbidden"}`)
		}
	}
	maintainer := h.NewUser()
	expect(t, owner.JSON("POST", at+"/members", fmt.Sprintf(`{"user_id":%d,"access_level":40}`, maintainer.User.ID)), 201, "")
	expect(t, maintainer.Send("GET", at+"/export", ""), 200, "")
	expect(t, maintainer.JSON("POST", at+"/export", `{"description":"Another text"}`), 202, "")
}
