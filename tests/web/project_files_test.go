package web

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// smallArchive returns an export of a project with one issue, and a Git LFS file that cannot be imported.
func smallArchive(t *testing.T) string {
	t.Helper()
	return packed(t, [][2]string{
		{"VERSION", "1\n"},
		{"tree/project.json", `{"visibility":"private","last_issue_iid":1}`},
		{"lfs-objects/" + strings.Repeat("3", 64), "other"},
		{
			"tree/project/issues.ndjson",
			`{"iid":1,"author_id":7,"title":"Leaks","state":"opened","issue_type":"issue","severity":"UNKNOWN",` +
				`"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}` + "\n",
		},
	})
}

// packed returns a compressed tar file with files, each with its name and content.
func packed(t *testing.T, files [][2]string) string {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	w := tar.NewWriter(zip)
	for _, file := range files {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: file[0], Size: int64(len(file[1])), Mode: 0o644})
		if err == nil {
			_, err = w.Write([]byte(file[1]))
		}
		if err != nil {
			t.Fatal(err)
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

func TestPeopleImportProjectsFromFiles(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	const form = "/-/projects/import"
	checkPage(t, h.Browser().Get(form), 200, signInPath, "Sign in")
	has(t, b.Get("/-/projects/new"), `href="`+form+`"`)
	own := u.User.Username
	fields := func(name, path, place string) map[string]string {
		return map[string]string{"name": name, "path": path, "namespace": place}
	}
	data := smallArchive(t)
	openPage(t, h, b, form, 5)
	checkPage(t, upload(b, form, "x.tar.gz", "none", fields("Roof", "roof", own)), 422, form, "the file is not compressed with gzip")
	has(t, b.Page, `value="Roof"`, `value="roof"`)
	checkPage(t, upload(b, form, "x.tar.gz", data, fields("Roof", "a/b", own)), 422, form, "Path ")
	checkPage(t, upload(b, form, "x.tar.gz", data, fields("Roof", "roof", h.Group().FullPath)), 422, form, "Place was not found")
	checkPage(t, b.Submit(form, url.Values{"path": {"roof"}, "namespace": {own}}), 422, form, "File is missing")
	checkPage(t, b.Get("/"+own+"/roof"), 404, "", "")
	b.Get(form)
	page := upload(b, form, "x.tar.gz", data, fields("", "roof", own))
	at := "/" + own + "/roof/-/import"
	checkPage(t, page, 200, at, "The project was made. Its content is being imported.")
	has(t, page, "The import waits to start.", "Load this page again")
	has(t, b.Get("/"+own+"/roof"), `href="`+at+`"`)
	h.StartWorker()
	wait.Until(t, "the import has ended", func() bool { return strings.Contains(b.Get(at).Body, "The import is finished.") })
	has(t, openPage(t, h, b, at, 7), "What could not be imported", "lfs-objects", "its content does not match its name")
	has(t, b.Get("/"+own+"/roof/-/issues"), "Leaks")
	has(t, b.Get("/"+own+"/roof/-/settings/advanced"), `href="`+at+`"`)
	hidden(t, h.Browser(), at)
	hidden(t, h.SignedIn(h.NewUserWithPassword().User), at)
}

func TestImportsFromFilesAreLimitedAndCanBeOff(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b, anonymous := h.SignedIn(u.User), h.Browser()
	const form = "/-/projects/import"
	large := strings.Repeat("x", 2<<20)
	anonymous.Get("/users/sign_in")
	checkPage(t, upload(anonymous, form, "x.tar.gz", large, map[string]string{}), 413, "", "")
	b.Get(form)
	fields := map[string]string{"path": "roof", "namespace": u.User.Username}
	checkPage(t, upload(b, form, "x.tar.gz", large, fields), 422, form, "the file is not compressed with gzip")
	checkImportsLimited(t, b, form, fields)
	other := h.SignedIn(h.NewUserWithPassword().User)
	other.Get(form)
	if got := h.Root().JSON("PUT", "/application/settings", `{"import_sources":["git"]}`); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	checkPage(t, upload(other, form, "x.tar.gz", smallArchive(t), fields), 422, form, "The import of projects from files is disabled")
	checkPage(t, other.Get(form), 403, form, "")
	lacks(t, other.Get("/-/projects/new"), `href="`+form+`"`)
}

func TestFilesOfFormsAreRemoved(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder) // so the test is not parallel
	h := harness.New(t)
	u := h.NewUserWithPassword()
	b := h.SignedIn(u.User)
	const form = "/-/projects/import"
	b.Get(form)
	fields := map[string]string{"path": "roof", "namespace": u.User.Username}
	checkPage(t, upload(b, form, "x.tar.gz", strings.Repeat("x", 4<<20), fields), 422, form, "the file is not compressed with gzip")
	wait.Until(t, "the file of the form is removed", func() bool {
		left, err := filepath.Glob(filepath.Join(folder, "multipart-*"))
		return err == nil && len(left) == 0
	})
}

func TestMaintainersExportProjects(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group().ID, func(p *model.Project) { p.Path = "roof" })
	browsers := roles(h, p)
	b, path := browsers[model.Maintainer], "/"+p.FullPath+"/-/settings/advanced"
	has(t, b.Get(path), "Export this project")
	lacks(t, b.Page, "Download the export", "was imported")
	checkPage(t, b.Submit(path+"/export", nil), 200, path, "The project is being exported.")
	has(t, b.Page, "The file is being written.")
	h.StartWorker()
	downloadExport(t, b, path)
	for role, other := range browsers {
		if role < model.Maintainer {
			other.Get("/" + p.FullPath)
			checkPage(t, again(other, path+"/export", url.Values{}), 403, "", "not allowed")
		}
	}
	outsider := h.SignedIn(h.NewUserWithPassword().User)
	outsider.Get("/")
	checkPage(t, again(outsider, path+"/export", url.Values{}), 404, "", "")
	checkExportsLimited(t, b, path)
}

// downloadExport waits until the page with the advanced settings of a project or group links to its export, and returns the
// file.
func downloadExport(t *testing.T, b *harness.Browser, path string) string {
	t.Helper()
	wait.Until(t, "the page links to the file", func() bool { return strings.Contains(b.Get(path).Body, "Download the export") })
	_, rest, _ := strings.Cut(b.Page.Body, `<a href="/api/v4`)
	link, _, _ := strings.Cut(rest, `"`)
	file := b.Get("/api/v4" + link)
	if file.Status != 200 || !strings.HasPrefix(file.Body, "\x1f\x8b") {
		t.Errorf("the link %s answers %d", link, file.Status)
	}
	return file.Body
}

// checkExportsLimited checks that the page with the advanced settings of a project or group refuses too many exports.
func checkExportsLimited(t *testing.T, b *harness.Browser, path string) {
	t.Helper()
	limited := 0
	for range 14 {
		b.Get(path)
		if b.Submit(path+"/export", nil).Status == 429 {
			limited++
		}
	}
	if limited == 0 {
		t.Error("exports are not counted")
	}
}

// checkImportsLimited checks that the form of an import refuses too many files.
func checkImportsLimited(t *testing.T, b *harness.Browser, form string, fields map[string]string) {
	t.Helper()
	limited := 0
	for range 14 {
		b.Get(form)
		if upload(b, form, "x.tar.gz", "none", fields).Status == 429 {
			limited++
		}
	}
	if limited == 0 {
		t.Error("imports are not counted")
	}
}
