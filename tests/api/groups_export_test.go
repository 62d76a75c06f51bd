package api

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"

	"github.com/google/go-cmp/cmp"
)

type imported struct {
	ID      int64
	Status  string  `json:"import_status"`
	Error   *string `json:"import_error"`
	Records int64
	Skipped int64 `json:"skipped_members"`
}

// waitForExport waits until the export of a group is ready and returns it.
func waitForExport(t *testing.T, c *harness.Caller, group string) harness.Answer {
	t.Helper()
	var file harness.Answer
	wait.Until(t, "the export of the group can be downloaded", func() bool {
		file = c.Send("GET", group+"/export/download", "")
		if file.Status != 200 {
			expect(t, file, 404, `{"message":"The group export file is not available yet"}`)
		}
		return file.Status == 200
	})
	return file
}

// waitForImport waits until an import has ended and returns it.
func waitForImport(t *testing.T, c *harness.Caller, path string) imported {
	t.Helper()
	var ended imported
	wait.Until(t, "the import of "+path+" has ended", func() bool {
		ended = read[imported](t, c.Send("GET", "/groups/"+path+"/import", ""), 200)
		return ended.Status == "finished" || ended.Status == "failed"
	})
	return ended
}

func upload(c *harness.Caller, fields map[string]string, data string) harness.Answer {
	return c.File("POST", "/groups/import", fields, "file", "group.tar.gz", "application/gzip", data)
}

// withPublicEmail makes a user with a public, confirmed email address.
func withPublicEmail(name string) func(*model.User) {
	return named(name, func(u *model.User) {
		address, at := u.Email, time.Now().UTC()
		u.PublicEmail, u.ConfirmedAt = &address, &at
	})
}

// fillGroup makes a group with one of everything that is exported, and a subgroup.
func fillGroup(t *testing.T, h *harness.H, owner *harness.Caller) string {
	t.Helper()
	g := read[struct{ ID int64 }](t,
		owner.JSON("POST", "/groups", `{"name":"Acme","path":"acme","description":"All of it","visibility":"public"}`), 201)
	sub := read[struct{ ID int64 }](t,
		owner.JSON("POST", "/groups", fmt.Sprintf(`{"name":"Sub","path":"sub","parent_id":%d,"visibility":"public"}`, g.ID)), 201)
	ann := h.NewUser(withPublicEmail("ann"))
	for _, id := range []int64{g.ID, sub.ID} {
		in := fmt.Sprintf("/groups/%d", id)
		l := read[label](t,
			owner.JSON("POST", in+"/labels", fmt.Sprintf(`{"name":"bug %d","color":"#ff0000","description":"<b>no</b>"}`, id-g.ID)), 201)
		expect(t, owner.JSON("POST", in+"/labels", `{"name":"ünï","color":"#00ff00"}`), 201, "")
		expect(t, owner.JSON("POST", in+"/milestones", `{"title":"1.0","description":"First","due_date":"2030-05-01"}`), 201, "")
		expect(t, owner.JSON("POST", in+"/badges",
			`{"name":"ci","link_url":"https://example.com","image_url":"https://example.com/%{project_path}"}`), 201, "")
		b := read[struct{ ID int64 }](t, owner.JSON("POST", in+"/boards", `{"name":"Work"}`), 201)
		expect(t, owner.JSON("POST", fmt.Sprintf("%s/boards/%d/lists", in, b.ID), fmt.Sprintf(`{"label_id":%d}`, l.ID)), 201, "")
		expect(t, owner.JSON("POST", in+"/wikis", fmt.Sprintf(`{"title":"home","content":"one %d"}`, id-g.ID)), 201, "")
		expect(t, owner.JSON("PUT", in+"/wikis/home", fmt.Sprintf(`{"content":"two %d"}`, id-g.ID)), 200, "")
	}
	expect(t, owner.JSON("POST", fmt.Sprintf("/groups/%d/members", sub.ID),
		fmt.Sprintf(`{"user_id":%d,"access_level":30}`, ann.User.ID)), 201, "")
	expect(t, owner.JSON("POST", fmt.Sprintf("/groups/%d/variables", g.ID), `{"key":"SECRET","value":"not-to-be-exported"}`), 201, "")
	return fmt.Sprintf("/groups/%d", g.ID)
}

// exportedContents returns the exported parts of a group as the API shows them, without ids.
func exportedContents(t *testing.T, c *harness.Caller, path string) map[string]any {
	t.Helper()
	out := map[string]any{}
	for _, id := range []string{path, path + "%2Fsub"} {
		at, below := "/groups/"+id, strings.TrimPrefix(id, path)
		type row struct {
			Name, Title, Color, State, Username string
			Slug, Content                       string
			Description                         *string
			Due                                 *string `json:"due_date"`
			IID                                 int64
			Link                                string `json:"link_url"`
			Image                               string `json:"image_url"`
			Access                              int64  `json:"access_level"`
			Lists                               []struct {
				Position int64
				Label    struct{ Name, Color string }
			}
		}
		for _, part := range []string{
			"labels?include_ancestor_groups=false", "milestones", "badges", "boards", "members",
			"wikis?with_content=1",
		} {
			out[below+" "+part] = read[[]row](t, c.Send("GET", at+"/"+part, ""), 200)
		}
		g := read[map[string]any](t, c.Send("GET", at, ""), 200)
		out[below+" description"] = g["description"]
	}
	return out
}

func TestAGroupIsExportedAndImportedIntoAnotherInstance(t *testing.T) {
	t.Parallel()
	a, b := harness.New(t), harness.New(t)
	owner, other := a.NewUser(withPublicEmail("owner")), b.NewUser(withPublicEmail("owner"))
	b.NewUser(withPublicEmail("ann"))
	g := fillGroup(t, a, owner)
	expect(t, owner.Send("GET", g+"/export/download", ""), 404, `{"message":"404 Not found or has expired"}`)
	expect(t, owner.Send("POST", g+"/export", ""), 202, `{"message":"202 Accepted"}`)
	expect(t, owner.Send("GET", g+"/export/download", ""), 404, `{"message":"The group export file is not available yet"}`)
	a.StartWorker()
	b.StartWorker()
	file := waitForExport(t, owner, g)
	expectExportFile(t, file)
	expect(t, upload(other, map[string]string{"name": "Acme", "path": "acme"}, file.Body), 202, `{"message":"202 Accepted"}`)
	if i := waitForImport(t, other, "acme"); i.Status != "finished" || i.Error != nil || i.Records != 17 || i.Skipped != 0 {
		t.Errorf("%+v", i)
	}
	if diff := cmp.Diff(exportedContents(t, owner, "acme"), exportedContents(t, other, "acme")); diff != "" {
		t.Error(diff)
	}
	for _, path := range []string{"acme", "acme%2Fsub"} {
		if got := member(t, other.Send("GET", "/groups/"+path, ""), "visibility"); got != "private" {
			t.Errorf("%s is %v", path, got)
		}
	}
	expect(t, upload(other, map[string]string{"name": "Acme", "path": "ACME"}, file.Body), 400,
		`{"message":"Failed to save group {:path=\u003e[\"has already been taken\"]}"}`)
	expectLimitedDownloads(t, owner, g)
	expectAuditEvents(t, a.Root().Send("GET", g+"/audit_events", ""), "group_export_scheduled", "group_export_downloaded")
	expectAuditEvents(t, b.Root().Send("GET", "/groups/acme/audit_events", ""), "group_imported")
}

// expectExportFile checks the name of a downloaded export, and that it has the members of the group and no variables.
func expectExportFile(t *testing.T, file harness.Answer) {
	t.Helper()
	kind, name := file.Header.Get("Content-Type"), file.Header.Get("Content-Disposition")
	if kind != "application/octet-stream" ||
		!strings.HasPrefix(name, "attachment; filename=") || !strings.HasSuffix(name, "_acme_export.tar.gz") {
		t.Errorf("%s %s", kind, name)
	}
	zip, err := gzip.NewReader(strings.NewReader(file.Body))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(zip); err != nil || bytes.Contains(text, []byte("not-to-be-exported")) ||
		!bytes.Contains(text, []byte("ann@example.com")) {
		t.Errorf("%v\n%s", err, text)
	}
}

// expectLimitedDownloads checks that a caller who has downloaded the export cannot go on: the limit is one a minute.
func expectLimitedDownloads(t *testing.T, c *harness.Caller, group string) {
	t.Helper()
	limited := 0
	for range 3 {
		if c.Send("GET", group+"/export/download", "").Status == 429 {
			limited++
		}
	}
	if limited == 0 {
		t.Error("downloads are not counted")
	}
}

// expectAuditEvents checks that a list of audit events has events with these names.
func expectAuditEvents(t *testing.T, list harness.Answer, names ...string) {
	t.Helper()
	for _, name := range names {
		if !strings.Contains(list.Body, name) {
			t.Errorf("%s is not recorded: %s", name, list.Body)
		}
	}
}

func TestAGroupIsImportedIntoAParentGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser(withPublicEmail("owner"))
	g := fillGroup(t, h, owner)
	h.StartWorker()
	expect(t, owner.Send("POST", g+"/export", ""), 202, "")
	file := waitForExport(t, owner, g).Body
	parent := h.Group(func(g *model.Namespace) { g.Path, g.Visibility = "parent", model.Internal })
	maintainer, developer := h.Member(parent, model.Maintainer), h.Member(parent, model.Developer)
	fields := map[string]string{"name": "Copy", "path": "copy", "parent_id": fmt.Sprint(parent.ID)}
	expect(t, upload(developer, fields, file), 403, `{"message":"403 Forbidden"}`)
	expect(t, upload(maintainer, fields, file), 202, "")
	i := waitForImport(t, maintainer, "parent%2Fcopy")
	// The owner of the exported group becomes a member of the imported one, so no member is skipped.
	if i.Status != "finished" || i.Skipped != 0 {
		t.Errorf("%+v", i)
	}
	for _, path := range []string{"parent%2Fcopy", "parent%2Fcopy%2Fsub"} {
		if got := member(t, maintainer.Send("GET", "/groups/"+path, ""), "visibility"); got != "internal" {
			t.Errorf("%s is %v", path, got)
		}
	}
	shown := maintainer.Send("GET", "/groups/parent%2Fcopy/import", "")
	h.Golden("getGroupImport/finished", shown.Body)
	expect(t, developer.Send("GET", "/groups/parent%2Fcopy/import", ""), 403, "")
	expect(t, h.Root().Send("GET", g+"/import", ""), 404, `{"message":"404 Not found"}`)
	fields["parent_id"] = "999999"
	expect(t, upload(maintainer, fields, file), 404, `{"message":"404 Group Not Found"}`)
	secret := h.Group()
	fields["parent_id"] = fmt.Sprint(secret.ID)
	expect(t, upload(maintainer, fields, file), 404, `{"message":"404 Group Not Found"}`)
	fields["parent_id"] = "x"
	expect(t, upload(maintainer, fields, file), 400, `{"error":"parent_id is invalid"}`)
	expect(t, upload(h.NewUser(func(u *model.User) { u.CanCreateGroup = false }), map[string]string{
		"name": "X", "path": "x",
	}, file), 403, "")
	expect(t, upload(h.Anonymous(), map[string]string{"name": "X", "path": "x"}, file), 401, "")
	expect(t, maintainer.Send("POST", g+"/export", ""), 403, "")
	expect(t, maintainer.Send("GET", g+"/export/download", ""), 403, "")
}

func TestInvalidImportsCreateNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxImportSize = 1 })
	c := h.NewUser()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(make([]byte, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	good := map[string]string{"name": "X", "path": "x"}
	const cannot = `{"message":"The file cannot be imported: `
	expect(t, upload(c, good, "no archive"), 400, cannot+`the file is not compressed with gzip"}`)
	expect(t, upload(c, good, zipped.String()), 400, cannot+`the archive is empty"}`)
	expect(t, upload(c, good, zipped.String()[:zipped.Len()/2]), 400, "")
	expect(t, upload(c, good, strings.Repeat("x", 2<<20)), 400, "")
	expect(t, upload(c, map[string]string{"path": "x"}, zipped.String()), 400, cannot+`the archive is empty"}`)
	c2 := h.NewUser()
	expect(t, upload(c2, map[string]string{"name": "X", "path": "../x"}, zipped.String()), 400, "")
	expect(t, upload(c2, map[string]string{"name": "X", "path": "admin"}, zipped.String()), 400, "")
	expect(t, c2.File("POST", "/groups/import", map[string]string{"name": "X"}, "other", "x", "text/plain", "x"), 400,
		`{"error":"path is missing, file is missing"}`)
	expect(t, c2.File("POST", "/groups/import", map[string]string{}, "path", "x", "text/plain", strings.Repeat("x", 70<<10)),
		400, `{"error":"path is invalid"}`)
	var body strings.Builder
	form := multipart.NewWriter(&body)
	if err := form.WriteField("name", "X"); err != nil {
		t.Fatal(err)
	}
	expect(t, c2.Send("POST", "/groups/import", body.String(), "Content-Type", form.FormDataContentType()), 400,
		`{"error":"The multipart body is incomplete"}`)
	if got := h.Root().Send("GET", "/groups/x", ""); got.Status != 404 {
		t.Errorf("a group was made: %s", got.Body)
	}
	c3 := h.NewUser()
	expect(t, c3.JSON("POST", "/groups/import", `{"name":"X","path":"x"}`), 415,
		`{"error":"The provided content-type 'application/json' is not supported."}`)
	expect(t, c3.Send("POST", "/groups/import", "x", "Content-Type", "multipart/form-data"), 400,
		`{"error":"The multipart body has no boundary"}`)
	// The limit is six requests a minute.
	limited := 0
	for range 14 {
		if got := upload(c3, good, "no archive"); got.Status == 429 {
			limited++
		}
	}
	if limited == 0 {
		t.Error("imports are not counted")
	}
}

func TestTheFreeTierExportsNoWikis(t *testing.T) {
	t.Parallel()
	h := harness.New(t, free)
	owner := h.NewUser(withPublicEmail("owner"))
	g := fillGroup(t, h, owner)
	expect(t, owner.Send("POST", g+"/export", ""), 202, "")
	h.StartWorker()
	zip, err := gzip.NewReader(strings.NewReader(waitForExport(t, owner, g).Body))
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewReader(zip)
	names := []string{}
	for {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, file.Name)
	}
	if all := strings.Join(names, " "); strings.Contains(all, "wiki") || !strings.Contains(all, "labels.ndjson") {
		t.Errorf("the archive has %s", all)
	}
	expect(t, owner.Send("GET", g+"/wikis/home", ""), 200, "")
}
