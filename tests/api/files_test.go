package api

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// commitFiles creates one commit on main with files, given as pairs of name and content.
func commitFiles(t *testing.T, c *harness.Caller, p model.Project, pairs ...string) string {
	t.Helper()
	var actions []map[string]string
	for i := 0; i+1 < len(pairs); i += 2 {
		actions = append(actions, map[string]string{
			"action": "create", "file_path": pairs[i],
			"content": base64.StdEncoding.EncodeToString([]byte(pairs[i+1])), "encoding": "base64",
		})
	}
	body, _ := json.Marshal(map[string]any{"branch": "main", "commit_message": "Add files", "actions": actions})
	got := c.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", p.ID), string(body))
	if got.Status != 201 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	id, _ := member(t, got, "id").(string)
	return id
}

func filePath(p model.Project, path string) string {
	return fmt.Sprintf("/projects/%d/repository/files/%s", p.ID, strings.ReplaceAll(url.PathEscape(path), ".", "%2E"))
}

// pagePath and pageContent are a file with a script, which a browser must never run, and a space in its name.
const pagePath, pageContent = "docs/a b.html", "<script>alert(1)</script>\n"

func sha256Hex(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestAFileIsShownWithItsDetails(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	first := commitFiles(t, ann, p, pagePath, pageContent)
	second := commitFiles(t, ann, p, "other", "x")
	path := filePath(p, pagePath) + "?ref=HEAD"
	got := ann.Send("GET", path, "")
	blob, _ := member(t, got, "blob_id").(string)
	want := map[string]any{
		"file_name": "a b.html", "file_path": pagePath, "size": 26.0, "encoding": "base64",
		"content":        base64.StdEncoding.EncodeToString([]byte(pageContent)),
		"content_sha256": sha256Hex(pageContent), "ref": "HEAD", "commit_id": second, "last_commit_id": first,
		"execute_filemode": false,
		"blob_id":          blob,
	}
	var shown map[string]any
	if err := json.Unmarshal([]byte(got.Body), &shown); err != nil || fmt.Sprint(shown) != fmt.Sprint(want) {
		t.Fatalf("got %v, want %v", shown, want)
	}
	head := ann.Send("HEAD", path, "")
	for name, value := range map[string]string{
		"Blob-Id": blob, "Commit-Id": second, "Last-Commit-Id": first,
		"Content-Sha256": sha256Hex(pageContent), "Encoding": "base64",
		"Execute-Filemode": "false", "File-Name": "a b.html", "File-Path": pagePath, "Ref": "HEAD", "Size": "26",
	} {
		for _, header := range []string{"X-Svc-" + name, "X-Gitlab-" + name} {
			if onHead, onGet := head.Header.Get(header), got.Header.Get(header); onHead != value || onGet != value {
				t.Errorf("%s is %q with HEAD and %q with GET, want %q", header, onHead, onGet, value)
			}
		}
	}
	if head.Body != "" || head.Header.Get("Etag") != got.Header.Get("Etag") ||
		head.Header.Get("Content-Length") != fmt.Sprint(len(got.Body)) {
		t.Errorf("HEAD: %q, %v", head.Body, head.Header)
	}
	if again := ann.Send("GET", path, "", "If-None-Match", got.Header.Get("Etag")); again.Status != 304 {
		t.Errorf("the same tag got %d", again.Status)
	}
}

func TestARawFileIsPlainTextForABrowser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	commitFiles(t, ann, p, pagePath, pageContent)
	path := filePath(p, pagePath) + "/raw"
	raw := ann.Send("GET", path, "")
	if raw.Status != 200 || raw.Body+"\n" != pageContent ||
		raw.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		raw.Header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(raw.Header.Get("Content-Security-Policy"), "sandbox") ||
		raw.Header.Get("Content-Disposition") != `inline; filename="a b.html"` {
		t.Errorf("raw: %d %q %v", raw.Status, raw.Body, raw.Header)
	}
	if again := ann.Send("GET", path+"?ref=main", "", "If-None-Match", raw.Header.Get("Etag")); again.Status != 304 {
		t.Errorf("the same raw file got %d", again.Status)
	}
}

func TestTheContentOfAFileIsComplete(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	large := strings.Repeat("0123456789abcdef", 90000) + "é\x00\xff"
	commitFiles(t, ann, p, "large.bin", large, "data.json", "{}", "empty", "")
	for path, content := range map[string]string{"large.bin": large, "empty": "", "data.json": "{}"} {
		whole := ann.Send("GET", filePath(p, path)+"?ref=main", "")
		decoded, err := base64.StdEncoding.DecodeString(member(t, whole, "content").(string))
		if err != nil || string(decoded) != content || member(t, whole, "content_sha256") != sha256Hex(content) {
			t.Errorf("%s: %d bytes, %v", path, len(decoded), err)
		}
		if raw := ann.Send("GET", filePath(p, path)+"/raw?ref=main&lfs=true", ""); raw.Body != content {
			t.Errorf("%s raw: %d bytes", path, len(raw.Body))
		}
	}
}

func TestMissingFilesAreNotFound(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	empty := ann.Send("GET", filePath(p, "a")+"?ref=main", "")
	expect(t, empty, 404, `{"message":"404 Commit Not Found"}`)
	commitFiles(t, ann, p, "docs/a", "a")
	for path, want := range map[string]string{
		"docs/a?ref=none": "404 Commit", "b?ref=main": "404 File", "docs?ref=main": "404 File",
		"docs/a/b?ref=main": "404 File", "DOCS/A?ref=main": "404 File",
		"docs/a?ref=--all": "404 Commit", "docs/a?ref=main%00": "invalid", "docs/a?ref=main..main": "404 Commit",
		"docs/a?ref=main%0A": "404 Commit",
		"docs/a":             "ref is missing", "docs/a?ref=": "ref is empty", "../a?ref=main": "valid file path",
		"docs/../docs/a?ref=main": "valid file path",
		"/docs/a?ref=main":        "valid file path", ".git/config?ref=main": "valid file path", "a\x00b?ref=main": "file_path is invalid",
	} {
		at, query, _ := strings.Cut(path, "?")
		if query != "" {
			query = "?" + query
		}
		if got := ann.Send("GET", filePath(p, at)+query, ""); got.Status < 400 || got.Status > 404 || !strings.Contains(got.Body, want) {
			t.Errorf("%q: %d %s, want %s", path, got.Status, got.Body, want)
		}
	}
	guest := h.ProjectMember(p, model.Guest)
	expect(t, guest.Send("GET", filePath(p, "docs/a")+"?ref=main", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", filePath(p, "docs/a")+"?ref=main", ""), 404, `{"message":"404 Project Not Found"}`)
	reader := h.WithToken(ann.User, "read_repository")
	if got := reader.Send("GET", filePath(p, "docs/a")+"?ref=main", ""); got.Status != 200 {
		t.Errorf("read_repository got %d", got.Status)
	}
	if got := reader.JSON("PUT", filePath(p, "docs/a"), `{"branch":"main","commit_message":"x","content":"x"}`); got.Status != 403 {
		t.Errorf("read_repository writes: %d", got.Status)
	}
}

func TestAFileIsCreatedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	at := filePath(p, "docs/a.json")
	expect(t, ann.JSON("POST", at,
		`{"branch":"main","commit_message":"Add","content":"one\n","author_name":"Bo","author_email":"bo@example.com"}`), 201,
		`{"file_path":"docs/a.json","branch":"main"}`)
	first := ann.Send("GET", at+"?ref=main", "")
	expect(t, ann.JSON("POST", at, `{"branch":"main","commit_message":"Add","content":"x"}`), 400,
		`{"message":"A file with this name already exists"}`)
	expect(t, ann.JSON("PUT", filePath(p, "no"), `{"branch":"main","commit_message":"Add","content":"x"}`), 400,
		`{"message":"A file with this name doesn't exist"}`)
	expect(t, ann.Form("PUT", at,
		"branch=main&commit_message=Change&encoding=base64&content=dHdv%0ACg==&execute_filemode=true&last_commit_id="+
			member(t, first, "commit_id").(string)), 200,
		`{"file_path":"docs/a.json","branch":"main"}`)
	second := ann.Send("GET", at+"?ref=main", "")
	if member(t, second, "content") != "dHdvCg==" || member(t, second, "execute_filemode") != true {
		t.Errorf("changed to %s", second.Body)
	}
	stale := ann.JSON("PUT", at,
		fmt.Sprintf(`{"branch":"main","commit_message":"x","content":"x","last_commit_id":%q}`, member(t, first, "commit_id")))
	expect(t, stale, 400, `{"message":"You are attempting to update a file that has changed since you started editing it."}`)
	expect(t, ann.JSON("PUT", at, `{"branch":"main","commit_message":"x","content":"a$","encoding":"base64"}`), 400,
		`{"error":"content is invalid"}`)
	expect(t, ann.JSON("PUT", at, `{"branch":"other","commit_message":"x","content":"x"}`), 400,
		`{"message":"You can only create or edit files when you are on a branch"}`)
	expect(t, ann.JSON("PUT", at, `{"branch":"a..b","commit_message":"x","content":"x"}`), 400,
		`{"message":"The branch refname is invalid"}`)
	expect(t, ann.JSON("PUT", at, `{"branch":"other","start_branch":"none","commit_message":"x","content":"x"}`), 400,
		`{"message":"Invalid reference name: none"}`)
	expect(t, ann.JSON("PUT", at, `{"branch":"other","start_branch":"main","commit_message":"x","content":"three"}`),
		200, `{"file_path":"docs/a.json","branch":"other"}`)
	if third := ann.Send("GET", at+"/raw?ref=other", ""); third.Body != "three" || third.Header.Get("X-Svc-Execute-Filemode") != "true" {
		t.Errorf("on the other branch: %q %v", third.Body, third.Header)
	}
	expect(t, ann.JSON("DELETE", at, `{"branch":"main","commit_message":"Remove"}`), 204, "")
	expect(t, ann.Send("DELETE", at+"?branch=other&commit_message=Remove", ""), 204, "")
	expect(t, ann.Send("GET", at+"?ref=main", ""), 404, `{"message":"404 File Not Found"}`)
	expect(t, ann.JSON("DELETE", at, `{"branch":"main","commit_message":"Remove"}`), 400,
		`{"message":"A file with this name doesn't exist"}`)
	expect(t, ann.JSON("DELETE", at, `{"branch":"other"}`), 400, `{"error":"commit_message is missing"}`)
	events, err := h.Store.Pushes.Events(t.Context(), p.ID)
	if err != nil || len(events) != 5 || *events[3].CommitTitle != "Remove" || events[0].AuthorID != ann.User.ID {
		t.Errorf("events: %+v, %v", events, err)
	}
}

// The commits of a user with a private commit email do not contain the real address.
func TestAPrivateEmailIsNotInCommits(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	expect(t, h.Root().JSON("PUT", fmt.Sprintf("/users/%d", ann.User.ID), `{"commit_email":"_private"}`), 200, "")
	expect(t, ann.JSON("POST", fmt.Sprintf("/projects/%d/repository/files/a", p.ID),
		`{"branch":"main","commit_message":"x","content":"x"}`), 201, "")
	shown := ann.Send("GET", fmt.Sprintf("/projects/%d/repository/commits/main", p.ID), "")
	for _, name := range []string{"author_email", "committer_email"} {
		if got, _ := member(t, shown, name).(string); got == "" || got == ann.User.Email {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestInvalidFilePathsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	commitFiles(t, ann, p, "a", "a", "b/c", "c")
	before := ann.Send("GET", filePath(p, "a")+"?ref=main", "")
	for _, path := range []string{
		"../x", "x/../../y", "/etc/passwd", "x//y", "x/", ".git/config", ".GIT/config", "x/.git", ".git /x",
		"git~1/x", ".git::$INDEX_ALLOCATION/x", ".g\u200cit/x", `..\x`, `x\.git\y`,
		"b/c/d", "new\nline", "..", ".",
	} {
		for _, method := range []string{"POST", "PUT"} {
			got := ann.JSON(method, filePath(p, path), `{"branch":"main","commit_message":"x","content":"x"}`)
			if got.Status != 400 && got.Status != 404 {
				t.Errorf("%s %q: %d %s", method, path, got.Status, got.Body)
			}
		}
		body, _ := json.Marshal(map[string]any{"branch": "main", "commit_message": "x", "actions": []any{map[string]any{
			"action": "move", "previous_path": "a", "file_path": path,
		}}})
		if got := ann.JSON("POST", fmt.Sprintf("/projects/%d/repository/commits", p.ID), string(body)); got.Status != 400 {
			t.Errorf("move to %q: %d %s", path, got.Status, got.Body)
		}
	}
	if after := ann.Send("GET", filePath(p, "a")+"?ref=main", ""); after.Body != before.Body {
		t.Errorf("something was changed: %s", after.Body)
	}
	// File names are case-sensitive.
	expect(t, ann.JSON("POST", filePath(p, "A"), `{"branch":"main","commit_message":"x","content":"x"}`), 201, "")
	req, err := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/api/v4"+filePath(p, "big"), endless{})
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.ContentLength = 2 << 30
	res, err := ann.Do(req)
	if err == nil && res.StatusCode != 413 {
		t.Errorf("2 GiB got %d", res.StatusCode)
	}
	if err != nil && !strings.Contains(err.Error(), "reset") && !strings.Contains(err.Error(), "broken pipe") {
		t.Errorf("2 GiB: %v", err)
	}
}

// endless is a request body that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
func (endless) Close() error               { return nil }

func TestWhoMayChangeAFile(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	p := h.Project(group.ID, func(p *model.Project) { p.Visibility = model.Public })
	maintainer, developer := h.Member(group, model.Maintainer), h.Member(group, model.Developer)
	body := `{"branch":"main","commit_message":"x","content":"x"}`
	expect(t, developer.JSON("POST", filePath(p, "a"), body), 403,
		`{"message":"403 Forbidden - You are not allowed to push into this branch"}`)
	expect(t, maintainer.JSON("POST", filePath(p, "a"), body), 201, "")
	expect(t, developer.JSON("PUT", filePath(p, "a"), body), 403,
		`{"message":"403 Forbidden - You are not allowed to push into this branch"}`)
	expect(t, developer.JSON("PUT", filePath(p, "a"),
		`{"branch":"mine","start_branch":"main","commit_message":"x","content":"y"}`), 200, "")
	expect(t, h.Member(group, model.Reporter).JSON("POST", filePath(p, "b"), body), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().JSON("POST", filePath(p, "b"), body), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().JSON("POST", filePath(p, "b"), body), 401, `{"message":"401 Unauthorized"}`)
	if got := h.Anonymous().Send("GET", filePath(p, "a")+"/raw", ""); got.Status != 200 || got.Body != "x" {
		t.Errorf("a public file: %d %s", got.Status, got.Body)
	}
	if err := h.Store.Projects.Update(t.Context(), p.ID, map[string]any{"repository_read_only": true}); err != nil {
		t.Fatal(err)
	}
	if got := maintainer.JSON("PUT", filePath(p, "a"), body); got.Status != 403 || !strings.Contains(got.Body, "read-only") {
		t.Errorf("a repository that is only read: %d %s", got.Status, got.Body)
	}
}

func TestConcurrentWritesToOneBranchAreAllKept(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	shared := func(c *config.Config) { c.Data = folder }
	h := harness.New(t, shared)
	ann := h.NewUser()
	there := harness.NewOnStore(t, h.Store, shared).WithHeaders("PRIVATE-TOKEN", ann.Token) // a second server
	p := h.Project(*ann.User.NamespaceID)
	commitFiles(t, ann, p, "start", "")
	const writers = 16
	var all sync.WaitGroup
	status := make([]int, writers)
	for i := range writers {
		all.Go(func() {
			status[i] = []*harness.Caller{ann, there}[i%2].JSON("POST", filePath(p, fmt.Sprintf("file%d", i)),
				`{"branch":"main","commit_message":"x","content":"x"}`).Status
		})
	}
	all.Wait()
	for i, s := range status {
		got := ann.Send("GET", filePath(p, fmt.Sprintf("file%d", i))+"?ref=main", "")
		if s != 201 || got.Status != 200 {
			t.Errorf("writer %d got %d, and its file %d", i, s, got.Status)
		}
	}
	// If several callers send the same last_commit_id, one succeeds.
	seen := member(t, ann.Send("GET", filePath(p, "start")+"?ref=main", ""), "last_commit_id")
	won := 0
	for i := range writers {
		all.Go(func() {
			status[i] = []*harness.Caller{ann, there}[i%2].JSON("PUT", filePath(p, "start"),
				fmt.Sprintf(`{"branch":"main","commit_message":"x","content":"%d","last_commit_id":%q}`, i, seen)).Status
		})
	}
	all.Wait()
	for _, s := range status {
		if s == 200 {
			won++
		} else if s != 400 {
			t.Errorf("a loser got %d", s)
		}
	}
	if won != 1 {
		t.Errorf("%d have won", won)
	}
}

func TestBlameShowsTheCommitOfEachLine(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	first := commitFiles(t, ann, p, "a.txt", "one\ntwo\nthree\n", "empty", "")
	expect(t, ann.JSON("PUT", filePath(p, "a.txt"), `{"branch":"main","commit_message":"Change","content":"one\n2\nthree\n"}`), 200, "")
	second := member(t, ann.Send("GET", filePath(p, "a.txt")+"?ref=main", ""), "commit_id").(string)
	groups := func(query string) string {
		got := ann.Send("GET", filePath(p, "a.txt")+"/blame?ref=main"+query, "")
		var rows []struct {
			Commit struct{ ID, Message string }
			Lines  []string
		}
		if err := json.Unmarshal([]byte(got.Body), &rows); err != nil || got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		var b strings.Builder
		for _, r := range rows {
			fmt.Fprintf(&b, "%s %s;", strings.NewReplacer(first, "first", second, "second").Replace(r.Commit.ID),
				strings.Join(r.Lines, ","))
		}
		return b.String()
	}
	for query, want := range map[string]string{
		"": "first one;second 2;first three;", "&range[start]=2&range[end]=3": "second 2;first three;",
		"&range%5Bstart%5D=3&range%5Bend%5D=90": "first three;", "&range[start]=9&range[end]=10": "",
	} {
		if got := groups(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	expect(t, ann.Send("GET", filePath(p, "empty")+"/blame?ref=main", ""), 200, "[]")
	for query, want := range map[string]string{
		"&range[start]=3&range[end]=2": `{"error":"range[start] must be less than or equal to range[end]"}`,
		"&range[start]=3":              `{"error":"range[end] is missing"}`,
		"&range[start]=0&range[end]=1": `{"error":"range[start] does not have a valid value"}`,
		"&range[start]=x&range[end]=1": `{"error":"range[start] is invalid"}`,
	} {
		expect(t, ann.Send("GET", filePath(p, "a.txt")+"/blame?ref=main"+query, ""), 400, want)
	}
}

// Content-Disposition has the exact name of the file, whatever characters it contains, without its folder.
func TestContentDispositionHasTheExactNameOfARawFile(t *testing.T) {
	t.Parallel()
	_, ann, p, r := projectWithHistory(t)
	names := []string{`say "hi".txt`, "100%41.txt", "größe 日.txt", "two\nlines.txt", `back\slash.txt`, "semi;colon=x.txt"}
	for _, name := range names {
		r.Write("names/"+name, "text\n")
	}
	r.Commit("Ann <ann@example.com>", "odd names")
	r.Push(ann, p)
	for _, name := range names {
		raw := ann.Send("GET", filePath(p, "names/"+name)+"/raw?ref=main", "")
		said := raw.Header.Get("Content-Disposition")
		kind, members, err := mime.ParseMediaType(said)
		if raw.Status != 200 || err != nil || kind != "inline" || members["filename"] != name {
			t.Errorf("%q: %d %q %v", name, raw.Status, said, err)
		}
	}
}
