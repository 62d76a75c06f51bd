package api

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// packedBytes undoes the compression of an archive.
func packedBytes(t *testing.T, suffix, body string) string {
	t.Helper()
	var in io.Reader = strings.NewReader(body)
	var err error
	switch suffix {
	case "", ".tar.gz":
		in, err = gzip.NewReader(in)
	case ".tar", ".zip":
	default:
		in = bzip2.NewReader(in)
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		t.Fatalf("%s: %v", suffix, err)
	}
	return string(data)
}

// newUsers returns a function that makes new users, so that a test can request many archives: the rate limit counts per
// user.
func newUsers(h *harness.H) func() *harness.Caller {
	return func() *harness.Caller { return h.NewUser() }
}

func TestArchivesAreThoseOfGitArchive(t *testing.T) {
	t.Parallel()
	h, _, p, r := projectWithHistory(t)
	caller := newUsers(h)
	id := r.Line("rev-parse", "main")
	for suffix, extension := range map[string]string{
		"": "tar.gz", ".tar.gz": "tar.gz", ".tar.bz2": "tar.bz2", ".tbz": "tar.bz2", ".tbz2": "tar.bz2",
		".tb2": "tar.bz2", ".bz2": "tar.bz2", ".tar": "tar", ".zip": "zip",
	} {
		stem := p.Path + "-main-" + id
		format := "tar"
		if suffix == ".zip" {
			format = "zip"
		}
		want := r.Git("archive", "--format="+format, "--prefix="+stem+"/", id)
		for _, when := range []string{"first", "again"} {
			a := wholeAnswer(t, h, caller(), repoAt(p, "archive"+suffix))
			if a.Status != 200 || packedBytes(t, suffix, a.Body) != want {
				t.Errorf("%s %s: %d, %d bytes", when, suffix, a.Status, len(a.Body))
			}
			if got := a.Header.Get("Content-Disposition"); got != `attachment; filename="`+stem+"."+extension+`"` {
				t.Errorf("%s is called %s", suffix, got)
			}
			if when == "again" && a.Header.Get("Content-Length") == "" {
				t.Errorf("%s was not kept", suffix)
			}
			if same := caller().Send("GET", repoAt(p, "archive"+suffix), "", "If-None-Match", a.Header.Get("ETag")); same.Status != 304 {
				t.Errorf("%s with its tag: %d", suffix, same.Status)
			}
		}
	}
	if strings.Contains(packedBytes(t, ".tar", wholeAnswer(t, h, caller(), repoAt(p, "archive.tar")).Body), "secret/key") {
		t.Error("what is marked with export-ignore is packed")
	}
}

func TestArchivesOfRefsAndPaths(t *testing.T) {
	t.Parallel()
	h, ann, p, r := projectWithHistory(t, func(c *config.Config) { c.LimitArchive = 5 })
	caller := newUsers(h)
	r.Git("branch", "topic/ä\"b", "feature")
	r.Push(ann, p)
	id := r.Line("rev-parse", "feature")
	for _, c := range []struct{ ref, path, stem, file string }{
		{"feature", "docs", "feature-" + id + "-docs", ""},
		{"feature", "/docs/deep/", "feature-" + id + "-docs-deep", ""},
		{id, "README.md", id + "-" + id + "-README.md", ""},
		{"feature", "x[1]*", "feature-" + id + "-x[1]*", ""}, // a name, not a pattern
		{"topic/ä\"b", "a", "topic-ä\"b-" + id + "-a", `"; filename*=UTF-8''` + p.Path + "-topic-%C3%A4%22b-" + id + "-a.tar"},
	} {
		stem := p.Path + "-" + c.stem
		want := r.GitWith([]string{"GIT_LITERAL_PATHSPECS=1"}, "", "archive", "--format=tar", "--prefix="+stem+"/",
			id, "--", strings.Trim(c.path, "/"))
		a := wholeAnswer(t, h, caller(), repoAt(p, "archive.tar", "sha", c.ref, "path", c.path))
		if a.Status != 200 || a.Body != want {
			t.Errorf("%v: %d, %d bytes, want %d", c, a.Status, len(a.Body), len(want))
		}
		if got := a.Header.Get("Content-Disposition"); c.file != "" && !strings.HasSuffix(got, c.file) {
			t.Errorf("%v is called %s", c, got)
		}
	}
	const none = `{"message":"404 File Not Found"}`
	for _, ref := range []string{"nope", "-x", "--output=/tmp/x", "a..b", "main:docs", "main\nx"} {
		expect(t, caller().Send("GET", repoAt(p, "archive", "sha", ref), ""), 404, none)
	}
	for _, path := range []string{
		"nope", "../docs", ".git/config", ":(exclude)docs", "docs/*", "-x", "a//b", "README.md/x", "link/passwd",
	} {
		expect(t, caller().Send("GET", repoAt(p, "archive", "path", path), ""), 404, none)
	}
	expect(t, caller().Send("GET", repoAt(p, "archive.rar"), ""), 404, `{"error":"404 Not Found"}`)
	expect(t, caller().Send("GET", repoAt(p, "archive"), "", "Sec-Fetch-Mode", "no-cors"), 406, `{"message":"406 Not Acceptable"}`)
	harness.WaitForMinute(15 * time.Second)
	for range 5 {
		if a := ann.Send("HEAD", repoAt(p, "archive.zip"), ""); a.Status != 200 {
			t.Errorf("got %d", a.Status)
		}
	}
	const tooMany = `{"message":{"error":"This archive has been requested too many times. Try again later."}}`
	over := ann.Send("GET", repoAt(p, "archive"), "")
	expect(t, over, 429, tooMany)
	if over.Header.Get("Retry-After") == "" || over.Header.Get("RateLimit-Name") != "archive" || over.Header.Get("RateLimit-Limit") != "5" {
		t.Errorf("headers are %v", over.Header)
	}
	// The path in upper case is the same project, so the same limit applies.
	expect(t, ann.Send("GET", "/projects/"+url.PathEscape(strings.ToUpper(p.FullPath))+"/repository/archive", ""), 429, tooMany)
}

// The service stores an archive beside the repositories, and makes it again if the stored file is gone.
func TestArchivesAreStoredBesideTheRepositories(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	h := harness.New(t, func(c *config.Config) { c.Data = folder })
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	r := harness.NewHistory(t)
	r.Write("a", strings.Repeat("a\n", 1000))
	r.Commit("Ann <ann@example.com>", "One")
	r.Push(ann, p)
	first := wholeAnswer(t, h, ann, repoAt(p, "archive.zip"))
	names, err := filepath.Glob(filepath.Join(folder, "repositories", "@archives", "*", "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("kept are %v, %v", names, err)
	}
	data, err := os.ReadFile(names[0])
	if err != nil || !bytes.Equal(data, []byte(first.Body)) {
		t.Errorf("kept are %d bytes of %d, %v", len(data), len(first.Body), err)
	}
	if err := os.Remove(names[0]); err != nil {
		t.Fatal(err)
	}
	if again := wholeAnswer(t, h, ann, repoAt(p, "archive.zip")); again.Body != first.Body {
		t.Errorf("made anew: %d, %d bytes", again.Status, len(again.Body))
	}
}
