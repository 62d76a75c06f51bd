package api

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/tests/harness"
	"svc/tests/wait"
)

// archived is a file of an archive that a test makes.
type archived struct {
	name, text string
	kind       byte
	link       string
}

// archiveOf returns an archive.
func archiveOf(t *testing.T, files ...archived) string {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(f.text)), Linkname: f.link}
		if f.kind != 0 {
			h.Typeflag, h.Size = f.kind, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte(f.text)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const (
	smallProject = `{"name":"x","path":"x","visibility":"public","last_issue_iid":2,"texts":{"description":"Small"}}`
	smallIssue   = `{"iid":1,"author_id":7,"title":"One","state":"opened","issue_type":"issue","severity":"UNKNOWN",` +
		`"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}` + "\n"
)

// smallArchive returns an archive with a version, a project and the given files.
func smallArchive(t *testing.T, files ...archived) string {
	t.Helper()
	first := []archived{{name: "VERSION", text: "1\n"}, {name: "tree/project.json", text: smallProject}}
	return archiveOf(t, append(first, files...)...)
}

// hostileArchives returns archives that must be refused, by a part of the message.
func hostileArchives(t *testing.T) map[string]string {
	t.Helper()
	const issues = "tree/project/issues.ndjson"
	return map[string]string{
		"the file is not compressed with gzip": "no archive",
		"the archive is empty":                 archiveOf(t),
		`found \"x\" instead of VERSION`:       archiveOf(t, archived{name: "x"}),
		`the archive has the format \"2\\n\"`:  archiveOf(t, archived{name: "VERSION", text: "2\n"}),
		`found \"../../etc/passwd\"`:           archiveOf(t, archived{name: "VERSION", text: "1\n"}, archived{name: "../../etc/passwd"}),
		`\"/etc/passwd\" is out of order`:      smallArchive(t, archived{name: "/etc/passwd", text: "x"}),
		`\"uploads/../x\" is out of order`:     smallArchive(t, archived{name: "uploads/../x", text: "x"}),
		`\"project.bundle\" is not a regular`:  smallArchive(t, archived{name: "project.bundle", kind: tar.TypeSymlink, link: "/etc"}),
		`\"avatar\" is not a regular file`:     smallArchive(t, archived{name: "avatar", kind: tar.TypeLink, link: "VERSION"}),
		"it is not a git bundle":               smallArchive(t, archived{name: "project.bundle", text: "PACK"}),
		"needs commits of another repository": smallArchive(t, archived{
			name: "project.bundle", text: "# v2 git bundle\n-" + strings.Repeat("1", 40) + " x\n\n",
		}),
		"is not a record":          smallArchive(t, archived{name: issues, text: strings.Repeat("[", 100_000) + "\n"}),
		"a line is longer than":    smallArchive(t, archived{name: issues, text: strings.Repeat(" ", 9<<20) + "\n"}),
		"has no newline":           smallArchive(t, archived{name: issues, text: strings.TrimSpace(smallIssue)}),
		"the state of an issue":    smallArchive(t, archived{name: issues, text: strings.Replace(smallIssue, "opened", "gone", 1)}),
		"a time of an issue":       smallArchive(t, archived{name: issues, text: strings.Replace(smallIssue, "2026-01", "0001-01", 1)}),
		"the numbers in " + issues: smallArchive(t, archived{name: issues, text: smallIssue + smallIssue}),
		`labels.ndjson\" is out of order`: smallArchive(t,
			archived{name: issues, text: smallIssue}, archived{name: "tree/project/labels.ndjson"}),
		"project.json has an unknown setting": archiveOf(t, archived{name: "VERSION", text: "1\n"},
			archived{name: "tree/project.json", text: `{"visibility":"public","switches":{"repository_read_only":true}}`}),
		"uploads/index.ndjson is invalid": smallArchive(t, archived{
			name: "uploads/index.ndjson", text: `{"secret":"` + strings.Repeat("a", 32) + `","filename":"../x","size":1}` + "\n",
		}),
		"ends before all files": smallArchive(t, archived{
			name: "uploads/index.ndjson", text: `{"secret":"` + strings.Repeat("a", 32) + `","filename":"x","size":1}` + "\n",
		}),
		"the compression ratio of the archive is too high": smallArchive(t,
			archived{name: "project.bundle", text: "# v2 git bundle\n\n" + strings.Repeat("\x00", 64<<20)}),
		"the archive is damaged": smallArchive(t, archived{name: issues, text: smallIssue})[:150],
	}
}

func TestHostileArchivesCreateNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxImportSize, c.LimitImport = 1, 0 })
	c := h.NewUser()
	for want, data := range hostileArchives(t) {
		a := sendArchive(c, map[string]string{"path": "x"}, data)
		if a.Status != 400 || !strings.Contains(a.Body, want) {
			t.Errorf("want %s, got %d %.300s", want, a.Status, a.Body)
		}
	}
	random := make([]byte, 2<<20)
	for i := range random {
		random[i] = byte(i * i >> 3)
	}
	if a := sendArchive(c, map[string]string{"path": "x"}, "\x1f\x8b"+string(random)); a.Status != 400 && a.Status != 413 {
		t.Errorf("a large file: %d %s", a.Status, a.Body)
	}
	good := smallArchive(t)
	expect(t, sendArchive(c, map[string]string{"path": "../x"}, good), 400, "")
	expect(t, sendArchive(c, map[string]string{"name": "x"}, good), 400, `{"error":"path is missing"}`)
	expect(t, sendArchive(c, map[string]string{"path": "x", "overwrite": "perhaps"}, good), 400, `{"error":"overwrite is invalid"}`)
	expect(t, sendArchive(c, map[string]string{"path": "x", "override_params[version]": "9"}, good), 400,
		`{"error":"override_params[version] is invalid"}`)
	expect(t, sendArchive(c, map[string]string{"path": "x", "namespace": "nowhere"}, good), 404, `{"message":"404 Namespace Not Found"}`)
	expect(t, c.File("POST", "/projects/import", map[string]string{"path": "x"}, "other", "x", "text/plain", "x"), 400,
		`{"error":"file is missing"}`)
	if list := read[[]any](t, c.Send("GET", "/projects?owned=true", ""), 200); len(list) != 0 {
		t.Errorf("projects were made: %v", list)
	}
}

func TestADamagedBundleFailsTheImport(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	c := h.NewUser()
	bundle := "# v2 git bundle\n" + strings.Repeat("1", 40) + " refs/heads/main\n\nPACK and nothing more"
	data := smallArchive(t, archived{name: "project.bundle", text: bundle})
	made := read[importedProject](t, sendArchive(c, map[string]string{"path": "x"}, data), 201)
	if made.Status != "scheduled" {
		t.Errorf("%+v", made)
	}
	h.StartWorker()
	p := waitForProjectImport(t, c, made.ID)
	if p.Status != "failed" || p.Error == nil || !strings.HasPrefix(*p.Error, "project.bundle cannot be read: ") || !p.Empty {
		t.Errorf("%+v", p)
	}
	expectAuditEvents(t, h.Root().Send("GET", fmt.Sprintf("/projects/%d/audit_events", p.ID), ""), "project_import_failed")
}

func TestRecordsThatCannotBeImportedAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	c := h.NewUser()
	// A merge request without its commits and a file with another content are left out, and the rest is imported.
	request := `{"iid":1,"author_id":7,"title":"One","state":"opened","source_branch":"a","target_branch":"b","head_sha":"` +
		strings.Repeat("2", 40) + `","created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}` + "\n"
	project := strings.Replace(smallProject, "last_issue_iid", `last_merge_request_iid":1,"last_issue_iid`, 1)
	p := importFile(t, c, map[string]string{"path": "y"}, archiveOf(t,
		archived{name: "VERSION", text: "1\n"}, archived{name: "tree/project.json", text: project},
		archived{name: "lfs-objects/2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", text: "hello"},
		archived{name: "lfs-objects/" + strings.Repeat("3", 64), text: "other"},
		archived{name: "tree/project/issues.ndjson", text: smallIssue},
		archived{name: "tree/project/merge_requests.ndjson", text: request}))
	at := fmt.Sprintf("/projects/%d", p.ID)
	failed := read[struct {
		Failed []struct {
			Relation string `json:"relation_name"`
			Message  string `json:"exception_message"`
			Line     int64  `json:"line_number"`
		} `json:"failed_relations"`
	}](t, c.Send("GET", at+"/import", ""), 200).Failed
	if p.Status != "finished" || len(failed) != 2 || failed[0].Relation != "lfs-objects" || failed[0].Line != 2 ||
		failed[1].Relation != "merge_requests" || failed[1].Line != 1 {
		t.Errorf("%+v %+v", p, failed)
	}
	size := read[struct {
		Statistics struct {
			LFS int64 `json:"lfs_objects_size"`
		}
	}](t, c.Send("GET", at+"?statistics=true", ""), 200).Statistics.LFS
	if size != int64(len("hello")) {
		t.Errorf("the files of Git LFS have %d bytes", size)
	}
	if got := member(t, c.Send("GET", at+"/issues/1", ""), "description"); got != "*Created by: an unknown user*" {
		t.Errorf("the issue: %v", got)
	}
	if got := member(t, c.Send("GET", at, ""), "open_issues_count"); got != 1.0 {
		t.Errorf("open issues: %v", got)
	}
}

func TestAProjectIsImportedFromAFileAtAURL(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	c := h.NewUser()
	good := smallArchive(t, archived{name: "tree/project/issues.ndjson", text: smallIssue})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			w.Header().Set("Content-Type", "application/gzip")
			w.Header().Set("Content-Length", strconv.Itoa(len(good)))
			_, _ = w.Write([]byte(good))
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<p>"))
		case "/bad":
			w.Header().Set("Content-Type", "application/gzip")
			w.Header().Set("Content-Length", "4")
			_, _ = w.Write([]byte("none"))
		default:
			w.WriteHeader(404)
		}
	}))
	t.Cleanup(server.Close)
	send := func(path, body string) importedProject {
		t.Helper()
		made := read[importedProject](t, c.JSON("POST", "/projects/remote-import", body), 201)
		if made.Status == "none" || made.URL == nil || *made.URL != server.URL+path {
			t.Errorf("%+v", made)
		}
		return waitForProjectImport(t, c, made.ID)
	}
	p := send("/good", fmt.Sprintf(
		`{"url":"%s/good?signature=secret","path":"good","name":"Good",`+
			`"override_params":{"visibility":"private","wiki_access_level":"disabled"}}`,
		server.URL))
	at := fmt.Sprintf("/projects/%d", p.ID)
	if p.Status != "finished" || member(t, c.Send("GET", at+"/issues/1", ""), "title") != "One" {
		t.Errorf("%+v", p)
	}
	if shown := c.Send("GET", at, ""); member(t, shown, "wiki_access_level") != "disabled" || member(t, shown, "visibility") != "private" ||
		member(t, shown, "description") != "Small" || strings.Contains(shown.Body, "signature") {
		t.Errorf("%s", shown.Body)
	}
	for path, want := range map[string]string{
		"/page": `The server sends the content type "text/html", which is not that of an archive.`,
		"/bad":  "the file is not compressed with gzip",
		"/none": "The server responded with the status 404.",
	} {
		p := send(path, fmt.Sprintf(`{"url":"%s%s","path":"p%s"}`, server.URL, path, path[1:]))
		if p.Status != "failed" || p.Error == nil || *p.Error != want {
			t.Errorf("%s: %+v, want %s", path, p, want)
		}
	}
	d := h.NewUser()
	expect(t, d.JSON("POST", "/projects/remote-import", `{"url":"ftp://example.com/x","path":"x"}`), 400,
		`{"message":"File url is blocked: Only allowed schemes are http, https"}`)
	expect(t, d.JSON("POST", "/projects/remote-import", `{"url":"http://10.0.0.1/x","path":"x"}`), 400,
		`{"message":"File url is blocked: Requests to the local network are not allowed"}`)
	expect(t, d.JSON("POST", "/projects/remote-import", `{"path":"x"}`), 400, `{"error":"url is missing"}`)
	expect(t, h.Anonymous().JSON("POST", "/projects/remote-import", `{"url":"https://ci.example.com/x","path":"x"}`), 401, "")
	expect(t, h.Root().JSON("PUT", "/application/settings", `{"import_sources":["git"]}`), 200, "")
	wait.Until(t, "imports from files are off", func() bool {
		return c.JSON("POST", "/projects/remote-import", `{"url":"https://ci.example.com/x","path":"x"}`).Status == 403
	})
	expect(t, d.File("POST", "/projects/import", map[string]string{"path": "x"}, "file", "x", "application/gzip", "x"), 403, "")
}
