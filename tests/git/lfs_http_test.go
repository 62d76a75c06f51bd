package git

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

type reply struct {
	status int
	body   string
	header http.Header
}

// lfs sends a request as an LFS client does. An empty token means no credentials.
func lfs(t testing.TB, h *harness.H, token, method, project, rest, body string, pairs ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, h.URL+"/"+project+".git/"+rest, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == "POST" {
		req.Header.Set("Content-Type", "application/vnd.git-lfs+json; charset=utf-8")
	}
	if token != "" {
		req.SetBasicAuth("x", token)
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		req.Header.Set(pairs[i], pairs[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{res.StatusCode, string(data), res.Header}
}

func objectPath(data []byte) string {
	return fmt.Sprintf("svc-lfs/objects/%s/%d", digest(data), len(data))
}

func upload(t testing.TB, h *harness.H, c *harness.Caller, p model.Project, data []byte) {
	t.Helper()
	if got := lfs(t, h, c.Token, "PUT", p.FullPath, objectPath(data), string(data)); got.status != 200 {
		t.Fatalf("upload: %d %s", got.status, got.body)
	}
}

// checkRefusal checks a refusal: the status, and a message in the format of the LFS API.
func checkRefusal(t testing.TB, what string, got reply, status int, text string) {
	t.Helper()
	var said struct {
		Message          string `json:"message"`
		DocumentationURL string `json:"documentation_url"`
		RequestID        string `json:"request_id"`
	}
	err := json.Unmarshal([]byte(got.body), &said)
	if got.status != status || err != nil || !strings.Contains(said.Message, text) || said.RequestID == "" ||
		!strings.HasSuffix(said.DocumentationURL, "/-/docs") ||
		got.header.Get("Content-Type") != "application/vnd.git-lfs+json" {
		t.Errorf("%s: %d %s %v, want %d with %q", what, got.status, got.body, got.header, status, text)
	}
	if challenged := got.header.Get("LFS-Authenticate") != "" &&
		got.header.Get("WWW-Authenticate") == `Basic realm="Svc"`; challenged != (status == 401) {
		t.Errorf("%s: %d with %v", what, status, got.header)
	}
}

func TestPermissionsToUseLargeFiles(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	ann := h.Member(group, model.Maintainer)
	private, public := h.Project(group.ID), h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	archived, off := h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public }),
		h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	busy := h.Project(group.ID)
	guest, reporter, developer, nobody := h.ProjectMember(private, model.Guest),
		h.ProjectMember(private, model.Reporter), h.ProjectMember(private, model.Developer), h.NewUser()
	reads, other := h.WithToken(ann.User, "read_repository"), h.WithToken(ann.User, "read_user")
	data := []byte("secret")
	for _, p := range []model.Project{private, public, archived, off} {
		upload(t, h, ann, p, data)
	}
	for p, set := range map[int64]map[string]any{
		archived.ID: {"archived": true}, off.ID: {"lfs_enabled": false}, busy.ID: {"repository_read_only": true},
	} {
		if err := h.Store.Projects.Update(t.Context(), p, set); err != nil {
			t.Fatal(err)
		}
	}
	const get, put, lock = "download", "upload", "lock"
	missing := model.Project{FullPath: group.FullPath + "/no-such"}
	for _, c := range []struct {
		who     string
		caller  *harness.Caller
		project model.Project
		do      string
		status  int
	}{
		{"anonymous, public", nil, public, get, 200},
		{"anonymous, private", nil, private, get, 401},
		{"anonymous, missing", nil, missing, get, 401},
		{"anonymous, public", nil, public, put, 401},
		{"anonymous, off", nil, off, get, 404},
		{"wrong token", &harness.Caller{Token: "wrong"}, public, get, 401},
		{"nobody, private", nobody, private, get, 404},
		{"nobody, missing", nobody, missing, get, 404},
		{"nobody, private", nobody, private, put, 404},
		{"nobody, public", nobody, public, get, 200},
		{"nobody, public", nobody, public, put, 403},
		{"nobody, public", nobody, public, lock, 403},
		{"guest", guest, private, get, 403},
		{"reporter", reporter, private, get, 200},
		{"reporter", reporter, private, put, 403},
		{"reporter", reporter, private, lock, 403},
		{"developer", developer, private, put, 200},
		{"developer", developer, private, lock, 201},
		{"token that reads", reads, private, get, 200},
		{"token that reads", reads, private, put, 403},
		{"token for something else", other, private, get, 403},
		{"archived", ann, archived, get, 200},
		{"archived", ann, archived, put, 403},
		{"archived", ann, archived, lock, 403},
		{"off", ann, off, get, 404},
		{"off", ann, off, put, 404},
		{"off", ann, off, lock, 404},
		{"read-only", ann, busy, put, 403},
	} {
		token := ""
		if c.caller != nil {
			token = c.caller.Token
		}
		name, oid := c.who+", "+c.do, "svc-lfs/objects/"+digest(data)
		var got []reply
		switch c.do {
		case get:
			got = append(got, lfs(t, h, token, "POST", c.project.FullPath, "info/lfs/objects/batch", batch("download", data)),
				lfs(t, h, token, "GET", c.project.FullPath, oid, ""), lfs(t, h, token, "GET", c.project.FullPath, "info/lfs/locks", ""))
		case put:
			got = append(got, lfs(t, h, token, "POST", c.project.FullPath, "info/lfs/objects/batch", batch("upload", data)),
				lfs(t, h, token, "PUT", c.project.FullPath, objectPath(data), string(data)),
				lfs(t, h, token, "POST", c.project.FullPath, "info/lfs/locks/verify", `{}`))
		default:
			got = append(got, lfs(t, h, token, "POST", c.project.FullPath, "info/lfs/locks", `{"path":"a.bin"}`))
		}
		for _, r := range got {
			if c.status >= 400 {
				checkRefusal(t, name, r, c.status, "")
			} else if r.status != c.status {
				t.Errorf("%s: %d %s", name, r.status, r.body)
			}
		}
	}
	// A missing project and an invisible one get the same answer.
	a, b := lfs(t, h, nobody.Token, "GET", private.FullPath, "svc-lfs/objects/"+digest(data), ""),
		lfs(t, h, nobody.Token, "GET", missing.FullPath, "svc-lfs/objects/"+digest(data), "")
	if strip(a.body) != strip(b.body) {
		t.Errorf("%s and %s", a.body, b.body)
	}
	if got := storedObjects(t, folder); len(got) != 1 {
		t.Errorf("on the storage are %v", got)
	}
}

// strip cuts off the request id, which differs from request to request.
func strip(body string) string {
	before, _, _ := strings.Cut(body, `,"request_id"`)
	return before
}

func TestAnObjectOfAnotherProjectMustBeUploadedAgain(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	ann, ben := h.NewUser(), h.NewUser()
	secret, mine := h.Project(*ann.User.NamespaceID), h.Project(*ben.User.NamespaceID)
	data := []byte("the secret of another project")
	upload(t, h, ann, secret, data)
	oid := "svc-lfs/objects/" + digest(data)
	checkRefusal(t, "read", lfs(t, h, ben.Token, "GET", mine.FullPath, oid, ""), 404, "404")
	if got := lfs(
		t, h, ben.Token, "POST", mine.FullPath, "info/lfs/objects/batch", batch("download", data),
	); !strings.Contains(got.body, `"code":404`) {
		t.Errorf("batch: %s", got.body)
	}
	if got := lfs(
		t, h, ben.Token, "POST", mine.FullPath, "info/lfs/objects/batch", batch("upload", data),
	); !strings.Contains(got.body, `"upload"`) {
		t.Errorf("the batch tells that another project has it: %s", got.body)
	}
	checkRefusal(t, "guessed", lfs(t, h, ben.Token, "PUT", mine.FullPath, objectPath(data), strings.Repeat("x", len(data))), 422, "SHA-256")
	checkRefusal(t, "without a body", lfs(t, h, ben.Token, "PUT", mine.FullPath, objectPath(data), ""), 422, "Content-Length")
	checkRefusal(t, "still not", lfs(t, h, ben.Token, "GET", mine.FullPath, oid, ""), 404, "404")
	upload(t, h, ben, mine, data)
	if got := lfs(t, h, ben.Token, "GET", mine.FullPath, oid, ""); got.body != string(data) {
		t.Errorf("%d %s", got.status, got.body)
	}
	if got := storedObjects(t, folder); len(got) != 1 {
		t.Errorf("on the storage are %v", got)
	}
}

func TestBadUploadsStoreNothing(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t, func(c *config.Config) { c.MaxLFSSize = 1 })
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	data := []byte("content")
	put := func(rest, body string, pairs ...string) reply {
		return lfs(t, h, ann.Token, "PUT", p.FullPath, rest, body, pairs...)
	}
	at := "svc-lfs/objects/" + digest(data)
	checkRefusal(t, "other content", put(at+"/7", "CONTENT"), 422, "SHA-256")
	checkRefusal(t, "other length", put(at+"/7", "content!"), 422, "Content-Length")
	checkRefusal(t, "bad oid", put("svc-lfs/objects/"+strings.ToUpper(digest(data))+"/7", "content"), 422, "lower case")
	checkRefusal(t, "short oid", put("svc-lfs/objects/abc/7", "content"), 422, "SHA-256")
	checkRefusal(t, "bad size", put(at+"/x", "content"), 422, "number")
	checkRefusal(t, "negative size", put(at+"/-1", ""), 422, "Content-Length")
	checkRefusal(t, "packed", put(at+"/7", "content", "Content-Encoding", "gzip"), 415, "gzip")
	large := bytes.Repeat([]byte("x"), 1<<20+1)
	checkRefusal(t, "too large", put(objectPath(large), string(large)), 413, "1 MiB")
	checkRefusal(t, "out of the storage", put("svc-lfs/objects/..%2F..%2Fx/7", "content"), 404, "")
	for name, rest := range map[string]string{"unknown": "info/lfs/nothing", "too deep": at + "/7/8"} {
		checkRefusal(t, name, put(rest, "content"), 404, "404")
	}
	checkRefusal(t, "method", put("info/lfs/objects/batch", "x"), 405, "405")
	// Chunked bodies without a Content-Length: as long as the URL says, shorter, and longer.
	for body, status := range map[string]int{"content": 200, "conten": 422, "content+": 422} {
		req, err := http.NewRequestWithContext(
			t.Context(), "PUT", h.URL+"/"+p.FullPath+".git/"+at+"/7", io.MultiReader(strings.NewReader(body)),
		)
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth("x", ann.Token)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != status {
			t.Errorf("%q in pieces: %d, want %d", body, res.StatusCode, status)
		}
	}
	if got := storedObjects(t, folder); len(got) != 1 {
		t.Errorf("on the storage are %v", got)
	}
}

func TestAnUploadThatBreaksOffLeavesNothing(t *testing.T) {
	t.Parallel()
	h, folder := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	large := bytes.Repeat([]byte("x"), 1<<20)
	address, err := url.Parse(h.URL)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", address.Host)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest("PUT", h.URL+"/"+p.FullPath+".git/"+objectPath(large), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("x", ann.Token)
	fmt.Fprintf(
		conn, "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\nAuthorization: %s\r\n\r\n", req.URL.Path, len(large),
		req.Header.Get("Authorization"),
	)
	if _, err := conn.Write(large[:1<<19]); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the draft is stored", func() bool { return len(storedObjects(t, folder)) == 1 })
	conn.Close()
	wait.Until(t, "the draft is gone", func() bool { return len(storedObjects(t, folder)) == 0 })
}

func TestLargeFilesSupportRangesAndETags(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	data := []byte("0123456789")
	upload(t, h, ann, p, data)
	upload(t, h, ann, p, nil)
	at := "svc-lfs/objects/" + digest(data)
	for _, c := range []struct {
		method, name, value string
		status              int
		body                string
	}{
		{"GET", "Range", "bytes=2-4", 206, "234"},
		{"GET", "Range", "bytes=7-", 206, "789"},
		{"GET", "Range", "bytes=-1", 206, "9"},
		{"GET", "If-None-Match", `"` + digest(data) + `"`, 304, ""},
		{"GET", "Accept", "*/*", 200, "0123456789"},
		{"HEAD", "Accept", "*/*", 200, ""},
	} {
		got := lfs(t, h, ann.Token, c.method, p.FullPath, at, "", c.name, c.value)
		if got.status != c.status || got.body != c.body || got.header.Get("ETag") != `"`+digest(data)+`"` {
			t.Errorf("%s %s: %d %q %v", c.method, c.value, got.status, got.body, got.header)
		}
		if c.status == 200 && (got.header.Get("Content-Length") != "10" ||
			got.header.Get("Content-Type") != "application/octet-stream" ||
			got.header.Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("%s: %v", c.method, got.header)
		}
	}
	if got := lfs(t, h, ann.Token, "GET", p.FullPath, at, "", "Range", "bytes=10-"); got.status != 416 ||
		got.header.Get("Content-Range") != "bytes */10" {
		t.Errorf("behind the end: %d %v", got.status, got.header)
	} else {
		checkRefusal(t, "behind the end", got, 416, "The range is outside the object")
	}
	if got := lfs(t, h, ann.Token, "GET", p.FullPath, "svc-lfs/objects/"+digest(nil), ""); got.status != 200 || got.body != "" {
		t.Errorf("empty: %d %q", got.status, got.body)
	}
}

func TestLFSRequestsToTheOldPathAreRedirected(t *testing.T) {
	t.Parallel()
	h, _ := newServerWithFolder(t)
	ann, ben := h.NewUser(), h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	old := p.FullPath
	if got := ann.JSON("PUT", fmt.Sprintf("/projects/%d", p.ID), `{"path":"renamed"}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	for _, method := range []string{"GET", "POST"} {
		got := lfs(t, h, ann.Token, method, old, "info/lfs/locks?limit=1", `{"path":"a"}`)
		if want := h.URL + "/" + ann.User.Username + "/renamed.git/info/lfs/locks?limit=1"; got.status != 308 ||
			got.header.Get("Location") != want {
			t.Errorf("%s: %d %v", method, got.status, got.header)
		}
	}
	checkRefusal(t, "not seen", lfs(t, h, ben.Token, "GET", old, "info/lfs/locks", ""), 404, "")
}
