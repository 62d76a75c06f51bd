package git

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

// fetched is the answer to a request for an address of code.
type fetched struct {
	status int
	header http.Header
	body   string
}

// fetch requests an address. pairs are names and values of headers.
func fetch(t *testing.T, h *harness.H, method, path string, pairs ...string) fetched {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, h.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		r.Header.Set(pairs[i], pairs[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fetched{answer.StatusCode, answer.Header, string(body)}
}

// lockSource is a file of the projects.
const lockSource = "package lock\n\n// Open is <b>not</b> locked.\nconst Open = 1\n"

// codeScene is a server with a private and a public project that have the same files.
type codeScene struct {
	h                *harness.H
	private, public  model.Project
	reader, outsider *harness.Caller
	sha              string
}

func newCodeScene(t *testing.T, edit ...func(*config.Config)) codeScene {
	t.Helper()
	h := harness.New(t, edit...)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	s := codeScene{h: h, reader: h.Member(group, model.Reporter), outsider: h.NewUser()}
	s.private = h.Project(group.ID)
	s.public = h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	local := harness.NewHistory(t)
	local.Write("go.mod", "module svc.example/"+s.public.FullPath+"\n\ngo 1.21\n")
	local.Write("lock.go", lockSource)
	local.Write("page.html", "<script>alert(1)</script>\n")
	local.Write("docs/größe ü.txt", "größe\n")
	local.Write("pixel.png", "\x89PNG\r\n\x1a\n\x00\x00")
	local.Write("drawing.svg", "<svg/>\n")
	local.Write("data.bin", "a\x00b")
	local.Write("empty", "")
	local.Write("long.txt", strings.Repeat("größe ", 300000))
	s.sha = local.Commit("Ann <ann@example.com>", "first")
	local.Git("tag", "v1.0.0")
	local.Git("checkout", "-q", "-b", "feature/deep")
	local.Write("only.txt", "deep\n")
	local.Commit("Ann <ann@example.com>", "second")
	local.Push(h.Root(), s.private)
	local.Push(h.Root(), s.public)
	return s
}

func TestArchivesAreDownloadedAtTheAddressesOfPages(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	at := "/" + s.public.FullPath + "/-/archive/"
	stem := s.public.Path + "-v1.0.0"
	got := fetch(t, s.h, "GET", at+"v1.0.0/"+stem+".tar.gz")
	if got.status != 200 || got.header.Get("Content-Disposition") != `attachment; filename="`+stem+`.tar.gz"` {
		t.Fatalf("an archive: %d %v", got.status, got.header)
	}
	if names := tarNames(t, got.body); !strings.Contains(names, stem+"/lock.go") {
		t.Errorf("the archive has %s", names)
	}
	if again := fetch(t, s.h, "GET", at+"v1.0.0/"+stem+".tar.gz", "If-None-Match", got.header.Get("ETag")); again.status != 304 {
		t.Errorf("an archive that the client has: %d", again.status)
	}
	deep := s.public.Path + "-feature-deep"
	got = fetch(t, s.h, "GET", at+"feature/deep/"+deep+".zip")
	files, err := zip.NewReader(strings.NewReader(got.body), int64(len(got.body)))
	if got.status != 200 || err != nil || !strings.HasPrefix(files.File[0].Name, deep+"/") {
		t.Errorf("an archive of a branch with a slash: %d %v", got.status, err)
	}
	for path, want := range map[string]int{
		"v1.0.0.tar.gz": 200, "feature/deep.tar": 200, "v1.0.0/x.tgz": 200, s.sha + "/x.tar.bz2": 200, "main/x.zip?path=docs": 200,
		"main/x.zip?path=none": 404, "main/x.zip?path=../..": 404, "none/x.zip": 404, "v1.0.0/x.rar": 404, ".zip": 404, "main/.zip": 200,
		"--help/x.zip": 404, "main..v1.0.0/x.zip": 404, "refs/../x.zip": 404, "main%00/x.zip": 404, "main%0a/x.zip": 404,
		strings.Repeat("a/", 500) + "x.zip": 404,
	} {
		if got := fetch(t, s.h, "GET", at+path); got.status != want {
			t.Errorf("%s: %d, want %d: %.200s", path, got.status, want, got.body)
		}
	}
	if got := fetch(t, s.h, "HEAD", at+"v1.0.0/x.zip"); got.status != 200 || got.body != "" {
		t.Errorf("HEAD: %d %q", got.status, got.body)
	}
	if got := fetch(t, s.h, "POST", at+"v1.0.0/x.zip"); got.status < 400 || got.status >= 500 {
		t.Errorf("POST: %d", got.status)
	}
}

// tarNames lists the files of a tar.gz archive.
func tarNames(t *testing.T, body string) string {
	t.Helper()
	plain, err := gzip.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for files := tar.NewReader(plain); ; {
		file, err := files.Next()
		if errors.Is(err, io.EOF) {
			return strings.Join(names, " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, file.Name)
	}
}

func TestFilesAreDownloadedAtTheAddressesOfPages(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	const plain = "text/plain; charset=utf-8"
	at := "/" + s.public.FullPath + "/-/raw/"
	for path, want := range map[string]struct{ kind, disposition, body string }{
		"main/lock.go":                  {plain, `inline; filename="lock.go"`, lockSource},
		"main/page.html":                {plain, `inline; filename="page.html"`, "<script>alert(1)</script>\n"},
		"v1.0.0/empty":                  {plain, `inline; filename="empty"`, ""},
		"main/pixel.png":                {"image/png", `inline; filename="pixel.png"`, "\x89PNG\r\n\x1a\n\x00\x00"},
		"main/drawing.svg?inline=false": {"image/svg+xml", `attachment; filename="drawing.svg"`, "<svg/>\n"},
		"main/data.bin":                 {"application/octet-stream", `attachment; filename="data.bin"`, "a\x00b"},
		"feature/deep/only.txt":         {plain, `inline; filename="only.txt"`, "deep\n"},
		"feature%2Fdeep/only.txt":       {plain, `inline; filename="only.txt"`, "deep\n"},
		s.sha + "/empty":                {plain, `inline; filename="empty"`, ""},
		"HEAD/empty":                    {plain, `inline; filename="empty"`, ""},
		"main/docs/gr%C3%B6%C3%9Fe%20ü.txt": {
			plain,
			`inline; filename="gr__e _.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%C3%BC.txt`, "größe\n",
		},
	} {
		got := fetch(t, s.h, "GET", at+path)
		h := got.header
		if got.status != 200 || got.body != want.body || h.Get("Content-Type") != want.kind ||
			h.Get("Content-Disposition") != want.disposition ||
			h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") ||
			h.Get("ETag") == "" {
			t.Errorf("%s: %d %q %v", path, got.status, got.body, h)
		}
		if !strings.Contains(h.Get("Cache-Control"), "public") {
			t.Errorf("%s is not cacheable: %s", path, h.Get("Cache-Control"))
		}
	}
	if got := fetch(t, s.h, "GET", at+"main/long.txt"); got.status != 200 || len(got.body) != 300000*8 ||
		got.header.Get("Content-Type") != plain {
		t.Errorf("a long text: %d, %d bytes, %v", got.status, len(got.body), got.header)
	}
	for _, path := range []string{
		"main/none", "none/lock.go", "main/docs", "main", "main/", "", "main/../lock.go", "main/%2e%2e/%2e%2e/config", "main/lock.go/x",
		"feature/only.txt", "--output=x/lock.go", "main..v1.0.0/lock.go", "main%00/lock.go", "main/lock.go%00", "refs/heads/main/none",
		strings.Repeat("a/", 600) + "b", strings.Repeat("0", 40) + "/lock.go", "@{-1}/lock.go", ":/first/lock.go",
	} {
		if got := fetch(t, s.h, "GET", at+path); got.status != 404 {
			t.Errorf("%q: %d %.200s", path, got.status, got.body)
		}
	}
	if got := fetch(t, s.h, "GET", "/"+s.public.FullPath+"/raw/main/lock.go?x=1"); got.status != 301 ||
		got.header.Get("Location") != s.h.URL+at+"main/lock.go?x=1" {
		t.Errorf("the old address: %d %v", got.status, got.header)
	}
}

// An address of code of a private project looks like one of a project that does not exist.
func TestAddressesOfCodeFollowTheRightToReadCode(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	guest := s.h.ProjectMember(s.private, model.Guest)
	narrow := storetest.Token(t, s.h.Store, s.reader.User, "read_user")
	repository := storetest.Token(t, s.h.Store, s.reader.User, "read_repository")
	job := startJob(t, s.h, s.private, s.reader.User)
	made := s.h.Root().JSON("POST", fmt.Sprintf("/projects/%d/deploy_tokens", s.private.ID), `{"name":"d","scopes":["read_repository"]}`)
	var deploy struct{ Username, Token string }
	if made.Status != 201 || json.Unmarshal([]byte(made.Body), &deploy) != nil {
		t.Fatal(made.Body)
	}
	hidden := fetch(t, s.h, "GET", "/"+s.private.FullPath+"x/-/raw/main/lock.go")
	for _, path := range []string{"/-/raw/main/lock.go", "/-/archive/main/x.zip"} {
		for name, c := range map[string]struct {
			want  int
			pairs []string
			query string
		}{
			"anonymous":           {404, nil, ""},
			"a reporter":          {200, []string{"PRIVATE-TOKEN", s.reader.Token}, ""},
			"a bearer":            {200, []string{"Authorization", "Bearer " + s.reader.Token}, ""},
			"a query":             {200, nil, "?private_token=" + s.reader.Token},
			"basic":               {200, []string{"Authorization", basic("x", s.reader.Token)}, ""},
			"a repository token":  {200, []string{"PRIVATE-TOKEN", repository}, ""},
			"an administrator":    {200, []string{"PRIVATE-TOKEN", s.h.Root().Token}, ""},
			"a job":               {200, []string{"JOB-TOKEN", job}, ""},
			"a job as git":        {200, []string{"Authorization", basic("gitlab-ci-token", job)}, ""},
			"a deploy token":      {200, []string{"Authorization", basic(deploy.Username, deploy.Token)}, ""},
			"a guest":             {404, []string{"PRIVATE-TOKEN", guest.Token}, ""},
			"an outsider":         {404, []string{"PRIVATE-TOKEN", s.outsider.Token}, ""},
			"another scope":       {403, []string{"PRIVATE-TOKEN", narrow}, ""},
			"a wrong token":       {401, []string{"PRIVATE-TOKEN", "svcpat-nothing"}, ""},
			"a wrong password":    {401, []string{"Authorization", basic("x", "svcpat-nothing")}, ""},
			"a wrong job token":   {401, []string{"JOB-TOKEN", "nothing"}, ""},
			"an unknown scheme":   {401, []string{"Authorization", "Digest x"}, ""},
			"an unknown session":  {404, []string{"Cookie", "_svc_session=nothing"}, ""},
			"a token of a runner": {401, []string{"PRIVATE-TOKEN", "glrt-nothing"}, ""},
		} {
			got := fetch(t, s.h, "GET", "/"+s.private.FullPath+path+c.query, c.pairs...)
			if got.status != c.want {
				t.Errorf("%s of %s: %d, want %d: %.200s", name, path, got.status, c.want, got.body)
			}
			if name == "anonymous" && got.body != hidden.body {
				t.Errorf("a hidden project answers %q, an unknown one %q", got.body, hidden.body)
			}
			if c.want == 200 && strings.Contains(got.header.Get("Cache-Control"), "public") {
				t.Errorf("%s may be cached by all", path)
			}
		}
	}
}

func basic(user, password string) string {
	r := &http.Request{Header: http.Header{}}
	r.SetBasicAuth(user, password)
	return r.Header.Get("Authorization")
}

func TestTheGoCommandIsToldWhereAModuleIs(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t, func(c *config.Config) { c.URL = "http://svc.example" })
	page := func(path, branch string) string {
		at := "svc.example/" + path
		return `<html><head><meta name="go-import" content="` + at + " git http://" + at + `.git">` + `<meta name="go-source" content="` +
			at + " http://" + at + " http://" + at + "/-/tree/" + branch + "{/dir} http://" + at + "/-/blob/" + branch +
			`{/dir}/{file}#L{line}"></head><body>go get http://` + at + "</body></html>\n"
	}
	empty := s.h.Project(s.public.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	group, _, _ := strings.Cut(s.private.FullPath, "/")
	for path, want := range map[string]string{
		s.public.FullPath:                         page(s.public.FullPath, "main"),
		s.public.FullPath + "/v2/deep/er":         page(s.public.FullPath, "main"),
		strings.ToUpper(s.public.FullPath) + "/x": page(s.public.FullPath, "main"),
		s.public.FullPath + ".git":                page(s.public.FullPath, "main"),
		s.private.FullPath:                        page(s.private.FullPath, "master"),
		s.private.FullPath + "/sub":               page(s.private.FullPath, "master"),
		group + "/none/sub":                       page(group+"/none", "master"),
		"a%22%3E%3Cscript%3E/b":                   page("a&#34;&gt;&lt;script&gt;/b", "master"),
		strings.Repeat("x/", 300) + "y":           page("x/x", "master"),
	} {
		if got := fetch(t, s.h, "GET", "/"+path+"?go-get=1"); got.status != 200 || got.body != want ||
			!strings.HasPrefix(got.header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %d\n%s\nwant\n%s", path, got.status, got.body, want)
		}
	}
	if got := fetch(t, s.h, "GET", "/"+s.private.FullPath+"/sub?go-get=1", "Authorization", basic("x", s.reader.Token)); got.body !=
		page(s.private.FullPath, "main") {
		t.Errorf("a reader gets %d %s", got.status, got.body)
	}
	if got := fetch(t, s.h, "GET", "/"+empty.FullPath+"?go-get=1"); got.status != 404 || strings.Contains(got.body, "meta") {
		t.Errorf("an empty repository: %d %s", got.status, got.body)
	}
	for _, path := range []string{s.private.FullPath, s.public.FullPath, group + "/none"} {
		if got := fetch(t, s.h, "GET", "/"+path+"?go-get=1", "Authorization", basic("x", "svcpat-nothing")); got.status != 401 {
			t.Errorf("a wrong credential for %s: %d", path, got.status)
		}
	}
}

// The go command follows the page and clones the repository. It refuses modules with a port in their name, so it talks
// to the server as if that were a proxy for svc.example.
func TestGoGetDownloadsAModule(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t, func(c *config.Config) { c.URL = "http://svc.example" })
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module x.example/user\n\ngo 1.21\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "go", "get", "svc.example/"+s.public.FullPath+"@v1.0.0")
	command.Dir = folder
	command.Env = append(os.Environ(), "GOFLAGS=-modcacherw", "GOPATH="+filepath.Join(folder, "gopath"), "GOPROXY=direct", "GOSUMDB=off",
		"GOINSECURE=svc.example", "HTTP_PROXY="+s.h.URL, "http_proxy="+s.h.URL, "HTTPS_PROXY=http://127.0.0.1:1", "https_proxy=",
		"NO_PROXY=", "no_proxy=", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_ALLOW_PROTOCOL=http",
		"GOTOOLCHAIN=local", "GOWORK=off")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	file := filepath.Join(folder, "gopath", "pkg", "mod", "svc.example", filepath.FromSlash(s.public.FullPath)+"@v1.0.0", "lock.go")
	if data, err := os.ReadFile(file); err != nil || !bytes.Contains(data, []byte("const Open")) {
		t.Errorf("the module has %q, %v", data, err)
	}
}

func TestARawFileIsNotDownloadedTooOften(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	at := "/" + s.public.FullPath + "/-/raw/main/"
	// A minute may begin anew while the requests are sent.
	allowed := 0
	for ; allowed < 601 && fetch(t, s.h, "HEAD", at+"lock.go").status == 200; allowed++ {
	}
	if allowed < 300 || allowed > 600 {
		t.Errorf("%d requests were allowed", allowed)
	}
	if got := fetch(t, s.h, "GET", at+"lock.go"); got.status != 429 || !strings.Contains(got.body, "Please wait a minute.") {
		t.Errorf("over the limit: %d %s", got.status, got.body)
	}
	if got := fetch(t, s.h, "GET", at+"empty"); got.status != 200 {
		t.Errorf("another file: %d", got.status)
	}
}

func TestAddressesOfCodeFollowAProjectThatMoved(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	answer := s.h.Root().JSON("PUT", fmt.Sprintf("/projects/%d", s.public.ID), `{"path":"moved-here"}`)
	if answer.Status != 200 {
		t.Fatal(answer.Body)
	}
	group, _, _ := strings.Cut(s.public.FullPath, "/")
	got := fetch(t, s.h, "GET", "/"+s.public.FullPath+"/-/raw/main/lock.go")
	if got.status != 301 || got.header.Get("Location") != s.h.URL+"/"+group+"/moved-here/-/raw/main/lock.go" {
		t.Errorf("the former address: %d %v", got.status, got.header)
	}
}

// A file that is only a pointer is sent as the large file.
func TestARawLargeFileIsSentWhole(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	data := random(t, 20000)
	upload(t, s.h, s.h.Root(), s.public, data)
	local := harness.NewHistory(t)
	local.Write("movie.bin", pointer(data))
	local.Commit("Ann <ann@example.com>", "large")
	local.Git("tag", "large")
	at := "/" + s.public.FullPath + "/-/raw/large/"
	must(t, local.Dir, "push", "-q", "--no-verify", remote(s.h, "x", s.h.Root().Token, s.public.FullPath), "large")
	got := fetch(t, s.h, "GET", at+"movie.bin")
	if got.status != 200 || got.body != string(data) || got.header.Get("Content-Type") != "application/octet-stream" {
		t.Errorf("a large file: %d, %d bytes, %v", got.status, len(got.body), got.header)
	}
}

func TestABrowserReadsCodeWithItsSession(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	for name, c := range map[string]struct {
		role model.Access
		want int
	}{"a reporter": {model.Reporter, 200}, "a guest": {model.Guest, 404}, "an outsider": {model.NoAccess, 404}} {
		user := s.h.NewUserWithPassword().User
		if c.role != model.NoAccess {
			s.h.JoinProject(s.private, user, c.role)
		}
		browser := s.h.SignedIn(user)
		browser.NoRedirects()
		for _, path := range []string{"/-/raw/main/lock.go", "/-/archive/main/x.zip"} {
			if got := browser.Get("/" + s.private.FullPath + path); got.Status != c.want {
				t.Errorf("%s of %s: %d", name, path, got.Status)
			}
			if got := browser.Get("/" + s.public.FullPath + path); got.Status != 200 {
				t.Errorf("%s of %s of a public project: %d", name, path, got.Status)
			}
		}
	}
}

func TestTheAddressOfARepositoryLeadsABrowserToTheProject(t *testing.T) {
	t.Parallel()
	s := newCodeScene(t)
	for _, path := range []string{s.public.FullPath, s.private.FullPath, "no/such/project"} {
		got := fetch(t, s.h, "GET", "/"+path+".git")
		if got.status != 302 || got.header.Get("Location") != s.h.URL+"/"+path {
			t.Errorf("%s: %d %s", path, got.status, got.header.Get("Location"))
		}
	}
	for _, path := range []string{"/one.git", "/a/.git", "/a/b.git/"} {
		if got := fetch(t, s.h, "GET", path); got.status == 302 && got.header.Get("Location") != s.h.URL+"/a/b" {
			t.Errorf("%s: %d %s", path, got.status, got.header.Get("Location"))
		}
	}
	if got := fetch(t, s.h, "POST", "/"+s.public.FullPath+".git"); got.status == 302 {
		t.Error("a POST is redirected")
	}
}
