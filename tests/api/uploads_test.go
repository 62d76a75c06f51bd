package api

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"regexp"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// uploadedFile is the answer to an upload.
type uploadedFile struct {
	ID       int64  `json:"id"`
	Alt      string `json:"alt"`
	URL      string `json:"url"`
	FullPath string `json:"full_path"`
	Markdown string `json:"markdown"`
}

// address returns the part of the address after /uploads/.
func (u uploadedFile) address() string { return strings.TrimPrefix(u.URL, "/uploads/") }

// attach uploads a file.
func attach(t *testing.T, by *harness.Caller, to, name, data string) uploadedFile {
	t.Helper()
	return read[uploadedFile](t, by.File("POST", to, nil, "file", name, "application/octet-stream", data), 201)
}

// fetched is the answer to a plain GET.
type fetched struct {
	status int
	header http.Header
	body   string
}

// fetch sends a GET for a path outside of the API.
func fetch(t *testing.T, h *harness.H, path, token string) fetched {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", h.URL+path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("PRIVATE-TOKEN", token)
	}
	got, err := (&http.Client{CheckRedirect: noRedirect}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fetched{got.StatusCode, got.Header, string(body)}
}

func TestAFileIsUploadedReadAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	p := h.Project(group.ID, called("web", model.Private))
	guest, maintainer := h.ProjectMember(p, model.Guest), h.ProjectMember(p, model.Maintainer)
	to := fmt.Sprintf("/projects/%d/uploads", p.ID)
	made := attach(t, guest, to, "../my screen shot.png", "not really a picture")
	if !regexp.MustCompile(`^/uploads/[0-9a-f]{32}/my_screen_shot\.png$`).MatchString(made.URL) || made.Alt != "my_screen_shot" ||
		made.FullPath != fmt.Sprintf("/-/project/%d%s", p.ID, made.URL) || made.Markdown != "![my_screen_shot]("+made.URL+")" {
		t.Errorf("%+v", made)
	}
	expect(t, guest.Send("GET", made.FullPath, ""), 200, "not really a picture")
	if text := attach(t, guest, to, "a.txt", "x"); text.Markdown != "[a.txt]("+text.URL+")" || text.Alt != "a.txt" {
		t.Errorf("%+v", text)
	}
	rows := read[[]struct {
		ID         int64
		Size       int64
		Filename   string
		UploadedBy struct{ Username string } `json:"uploaded_by"`
	}](t, maintainer.Send("GET", to, ""), 200)
	if len(rows) != 2 || rows[1].Filename != "my_screen_shot.png" || rows[1].Size != 20 || rows[1].ID != made.ID ||
		rows[1].UploadedBy.Username != guest.User.Username {
		t.Errorf("%+v", rows)
	}
	expect(t, guest.Send("GET", to, ""), 403, "")
	byID, bySecret := fmt.Sprintf("%s/%d", to, made.ID), to+"/"+made.address()
	expect(t, maintainer.Send("GET", byID, ""), 200, "not really a picture")
	expect(t, guest.Send("GET", byID, ""), 403, "")
	expect(t, guest.Send("GET", bySecret, ""), 200, "not really a picture")
	expect(t, guest.Send("GET", bySecret, "", "Range", "bytes=4-9"), 206, "really")
	expect(t, h.NewUser().Send("GET", bySecret, ""), 404, "")
	expect(t, guest.Send("GET", path.Dir(bySecret)+"/other.png", ""), 404, `{"message":"404 Not Found"}`)
	expect(t, guest.Send("DELETE", bySecret, ""), 403, "")
	expect(t, maintainer.Send("DELETE", bySecret, ""), 204, "")
	for _, gone := range []string{byID, bySecret} {
		expect(t, maintainer.Send("GET", gone, ""), 404, "")
		expect(t, maintainer.Send("DELETE", gone, ""), 404, "")
	}
	if got := fetch(t, h, made.FullPath, guest.Token); got.status != 404 {
		t.Errorf("%d", got.status)
	}
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/%d", to, rows[0].ID), ""), 204, "")
}

func TestWrongUploadsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxAttachmentSize = 1 })
	p := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	user, to := h.NewUser(), fmt.Sprintf("/projects/%d/uploads", p.ID)
	expect(t, user.File("POST", to, nil, "file", "big", "text/plain", strings.Repeat("x", 1<<20+1)), 413, "")
	attach(t, user, to, "fits", strings.Repeat("x", 1<<20))
	expect(t, user.File("POST", to, nil, "other", "a", "text/plain", "x"), 400, `{"error":"file is missing"}`)
	const form = "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--b--\r\n"
	expect(t, user.Send("POST", to, form, "Content-Type", "multipart/form-data; boundary=b"), 400, `{"error":"file is invalid"}`)
	expect(t, user.JSON("POST", to, `{"file":"x"}`), 415, "")
	expect(t, h.Anonymous().File("POST", to, nil, "file", "a", "text/plain", "x"), 401, "")
	_, _, _, g := runningJob(t, h)
	expect(t, h.WithHeaders("JOB-TOKEN", g.Token).File("POST", to, nil, "file", "a", "text/plain", "x"), 401, "")
}

func TestWhoReadsTheAddressOfAnUpload(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for _, c := range []struct {
		name                string
		visibility          model.Visibility
		enforced            bool
		picture, text, film string
	}{ // the answers to anonymous, outsider, external, guest … admin
		{"public", model.Public, true, "200 200 200 200 200 200 200 200 200", "200 200 200 200 200 200 200 200 200", "200"},
		{"private", model.Private, true, "404 404 404 200 200 200 200 200 200", "404 404 404 200 200 200 200 200 200", "404"},
		{"private, unchecked", model.Private, false, "200 200 200 200 200 200 200 200 200", "404 404 404 200 200 200 200 200 200", "200"},
	} {
		p := h.Project(h.Group(seen(c.visibility)).ID, called("web", c.visibility), func(p *model.Project) {
			p.EnforceAuthChecksOnUploads = c.enforced
		})
		roles, to := newCallersByRole(h, p), fmt.Sprintf("/projects/%d/uploads", p.ID)
		picture, text := attach(t, roles["owner"], to, "a.png", "x"), attach(t, roles["owner"], to, "a.txt", "x")
		film := attach(t, roles["owner"], to, "a.mp4", "x")
		for what, file := range map[string]uploadedFile{c.picture: picture, c.text + " ": text} {
			for _, address := range []string{file.FullPath, "/" + file.FullPath, "/" + p.FullPath + file.URL} {
				roles.answers(t, c.name+" "+address, what, func(_ string, who *harness.Caller) string {
					return fmt.Sprint(fetch(t, h, address, who.Token).status)
				})
			}
		}
		if got := fmt.Sprint(fetch(t, h, film.FullPath, "").status); got != c.film {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

func TestAnUploadIsSentSafely(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(seen(model.Public)).ID, called("web", model.Public))
	user, to := h.NewUser(), fmt.Sprintf("/projects/%d/uploads", p.ID)
	for name, want := range map[string]string{
		"a.png": "image/png inline", "a.svg": "application/octet-stream attachment", "a.html": "application/octet-stream attachment",
		"a.pdf": "application/pdf inline", "a.txt": "application/octet-stream attachment",
		"grün.xyz": "application/octet-stream attachment",
	} {
		got := fetch(t, h, attach(t, user, to, name, "<script>alert(1)</script>").FullPath, "")
		disposition, _, _ := strings.Cut(got.header.Get("Content-Disposition"), ";")
		if shown := got.header.Get("Content-Type") + " " + disposition; got.status != 200 || shown != want {
			t.Errorf("%s: %d %s, want %s", name, got.status, shown, want)
		}
		if got.header.Get("X-Content-Type-Options") != "nosniff" ||
			got.header.Get("Cache-Control") != "max-age=0, private, must-revalidate" {
			t.Errorf("%s: %v", name, got.header)
		}
	}
	for _, path := range []string{"", "/none/web", "/" + p.FullPath, fmt.Sprintf("/-/project/%d", p.ID)} {
		none := path + "/uploads/0123456789abcdef0123456789abcdef/a.png"
		if got := fetch(t, h, none, ""); got.status != 404 {
			t.Errorf("%s: %d", none, got.status)
		}
	}
}

func TestUploadsOfAGroup(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Private))
	guest, maintainer := h.Member(group, model.Guest), h.Member(group, model.Maintainer)
	to := fmt.Sprintf("/groups/%d/uploads", group.ID)
	text, picture := attach(t, guest, to, "a.txt", "x"), attach(t, guest, to, "a.png", "x")
	if text.FullPath != fmt.Sprintf("/-/group/%d%s", group.ID, text.URL) {
		t.Errorf("%+v", text)
	}
	if rows := read[[]any](t, maintainer.Send("GET", to, ""), 200); len(rows) != 2 {
		t.Errorf("%+v", rows)
	}
	expect(t, guest.Send("GET", to, ""), 403, "")
	expect(t, maintainer.Send("GET", fmt.Sprintf("%s/%d", to, text.ID), ""), 200, "x")
	expect(t, guest.Send("GET", to+"/"+text.address(), ""), 200, "x")
	expect(t, h.NewUser().Send("GET", to+"/"+text.address(), ""), 404, "")
	for address, want := range map[string]int{text.FullPath: 404, picture.FullPath: 200} {
		if got := fetch(t, h, address, ""); got.status != want {
			t.Errorf("%s: %d", address, got.status)
		}
	}
	expect(t, guest.Send("GET", text.FullPath, ""), 200, "x")
	expect(t, guest.Send("DELETE", to+"/"+text.address(), ""), 403, "")
	expect(t, maintainer.Send("DELETE", to+"/"+text.address(), ""), 204, "")
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/%d", to, picture.ID), ""), 204, "")
}

// The bytes of deleted uploads, and of those of a deleted project, are removed from the store of files.
func TestTheBytesOfUploadsAreRemoved(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID, called("web", model.Private))
	attach(t, owner, fmt.Sprintf("/projects/%d/uploads", p.ID), "a.txt", "x")
	if err := h.Store.Projects.Delete(t.Context(), p.ID, nil); err != nil {
		t.Fatal(err)
	}
	keys, err := h.Store.JobArtifacts.ListRemovals(t.Context(), p.CreatedAt, 10)
	if err != nil || len(keys) != 1 || !strings.HasPrefix(keys[0], "uploads/") {
		t.Errorf("%v %v", keys, err)
	}
}

func TestAFileIsAttachedToAWiki(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Private))
	p := h.Project(group.ID, called("web", model.Private))
	developer, reporter := h.Member(group, model.Developer), h.Member(group, model.Reporter)
	for _, in := range []string{fmt.Sprintf("/projects/%d", p.ID), fmt.Sprintf("/groups/%d", group.ID)} {
		to := in + "/wikis/attachments"
		got := read[struct {
			FileName string `json:"file_name"`
			FilePath string `json:"file_path"`
			Branch   string `json:"branch"`
			Link     struct{ URL, Markdown string }
		}](t, developer.File("POST", to, nil, "file", "my plan.png", "image/png", "bytes"), 201)
		if got.FileName != "my_plan.png" || !regexp.MustCompile(`^uploads/[0-9a-f]{32}/my_plan\.png$`).MatchString(got.FilePath) ||
			got.Branch != "main" || got.Link.URL != got.FilePath || got.Link.Markdown != "![my_plan]("+got.FilePath+")" {
			t.Errorf("%+v", got)
		}
		expect(t, developer.File("POST", to, map[string]string{"branch": "main"}, "file", "a.txt", "text/plain", "x"), 201, "")
		expect(t, developer.File("POST", to, map[string]string{"branch": "other"}, "file", "a.txt", "text/plain", "x"), 400, "")
		expect(t, developer.File("POST", to, nil, "other", "a.txt", "text/plain", "x"), 400, `{"error":"file is missing"}`)
		expect(t, reporter.File("POST", to, nil, "file", "a.txt", "text/plain", "x"), 403, "")
		expect(t, developer.JSON("POST", path.Dir(to), `{"title":"attachments","content":"a page with that name"}`), 201, "")
		expect(t, developer.Send("GET", to, ""), 200, "")
		expect(t, h.NewUser().File("POST", to, nil, "file", "a.txt", "text/plain", "x"), 404, "")
	}
}
