package api

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/google/go-cmp/cmp"
)

// latin is a file name and a text in Latin 1, which is not valid UTF-8.
const latin = "gr\xfcn"

// repoHistory makes a repository with merges, renames, a submodule, symlinks, binary files, and names and texts in odd
// encodings.
func repoHistory(t testing.TB) *harness.History {
	r := harness.NewHistory(t)
	ann, bob, jurgen := "Ann <ann@example.com>", "Bob <bob@example.com>", "Jürgen <j@example.com>"
	for name, text := range map[string]string{
		"README.md": "# Hello\n", "docs/guide.md": strings.Repeat("line\n", 50), "docs/deep/er/x.txt": "x\n",
		"a/one": "1\n", "a-b/two": "2\n", "a.txt": "a\n",
		"same1": "same\n", "same2": "same\n", "docs/same3": "same\n", "empty": "", "bin": "\x00\x01\x02",
		"old.txt": latin + "\n", latin + "/" + latin: "name\n",
		"ü/" + latin: "both\n", ".gitattributes": "secret export-ignore\n", "secret/key": "k\n",
		"page.html": "<script>alert(1)</script>\n", "x[1]*": "glob\n",
		"with space": "s\n", "tab\tname": "t\n",
	} {
		r.Write(name, text)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(r.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "-A")
	r.Git("update-index", "--add", "--cacheinfo", "160000,1111111111111111111111111111111111111111,module")
	r.Git("update-index", "--chmod=+x", "a.txt")
	r.GitWith(nil, "", "commit", "-q", "--author", ann, "-m", "First")
	r.Git("tag", "-a", "v1", "-m", "one")

	r.Git("checkout", "-q", "-b", "feature")
	r.Git("mv", "docs/guide.md", "docs/manual.md")
	r.Write("docs/manual.md", strings.Repeat("line\n", 50)+"more\n")
	r.Write("bin", "\x00\x02")
	r.Write("old.txt", "grün\n")
	r.Git("rm", "-q", "same2")
	r.Git("add", "docs", "bin", "old.txt")
	r.Git("commit", "-q", "--author", bob, "-m", "Rename the guide")
	if err := os.Remove(filepath.Join(r.Dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("README.md", filepath.Join(r.Dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	r.Git("add", "a.txt")
	r.Git("update-index", "--cacheinfo", "160000,2222222222222222222222222222222222222222,module")
	r.Git("commit", "-q", "--author", jurgen, "-m", "Link and module")

	r.Git("checkout", "-q", "main")
	r.Write("README.md", "# Hello\n\nWorld\n")
	r.Git("add", "README.md")
	r.Git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--author", "J\xfcrgen <j@example.com>", "-m", "Wei\xdf")
	r.Git("checkout", "-q", "-b", "cross")
	r.Git("merge", "-q", "--no-ff", "-m", "Cross", "feature")
	r.Git("checkout", "-q", "feature")
	r.Git("merge", "-q", "--no-ff", "-m", "Cross back", "main")
	r.Write("README.md", "# Hi\n")
	r.Git("commit", "-q", "-a", "--author", bob, "-m", "Hi")
	r.Git("checkout", "-q", "--orphan", "alone")
	r.Git("commit", "-q", "-m", "Alone")
	r.Git("branch", "1234abcd", "main")
	r.Git("checkout", "-q", "-f", "main")
	return r
}

// projectWithHistory makes a public project with the history of repoHistory, and returns its owner, too.
func projectWithHistory(t *testing.T, edit ...func(*config.Config)) (*harness.H, *harness.Caller, model.Project, *harness.History) {
	h := harness.New(t, edit...)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	r := repoHistory(t)
	r.Push(ann, p)
	return h, ann, p, r
}

func repoAt(p model.Project, path string, query ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		values.Add(query[i], query[i+1])
	}
	return fmt.Sprintf("/projects/%d/repository/%s?%s", p.ID, path, values.Encode())
}

// wholeAnswer sends a GET request and returns the response with every byte of its body.
func wholeAnswer(t *testing.T, h *harness.H, c *harness.Caller, path string) harness.Answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, h.URL+"/api/v4"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	res.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	return harness.Answer{Status: res.StatusCode, Header: res.Header, Body: string(body)}
}

// latinToUTF returns a Latin 1 text the way the API shows it.
func latinToUTF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\xfc", "ü"), "\xdf", "ß")
}

type treeEntry struct{ ID, Name, Type, Path, Mode string }

func treeEntries(t *testing.T, a harness.Answer) []treeEntry {
	t.Helper()
	var rows []treeEntry
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil || a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return rows
}

// lsTree returns the entries that git ls-tree lists.
func lsTree(r *harness.History, args ...string) []treeEntry {
	var rows []treeEntry
	for line := range strings.SplitSeq(strings.TrimSuffix(r.Git(append([]string{"ls-tree", "-z"}, args...)...), "\x00"), "\x00") {
		meta, path, _ := strings.Cut(line, "\t")
		parts := strings.Fields(meta)
		path = latinToUTF(path)
		rows = append(rows,
			treeEntry{ID: parts[2], Name: path[strings.LastIndex(path, "/")+1:], Type: parts[1], Path: path, Mode: parts[0]})
	}
	return rows
}

func foldersFirst(rows []treeEntry) []treeEntry {
	var folders, files []treeEntry
	for _, row := range rows {
		if row.Type == "tree" {
			folders = append(folders, row)
		} else {
			files = append(files, row)
		}
	}
	for i := range folders { // sorted by name; git sorts folders as if the name ended with a slash
		for j := i; j > 0 && folders[j].Name < folders[j-1].Name; j-- {
			folders[j], folders[j-1] = folders[j-1], folders[j]
		}
	}
	return append(folders, files...)
}

func TestTheTreeIsWhatGitLists(t *testing.T) {
	t.Parallel()
	h, ann, p, r := projectWithHistory(t)
	for _, caller := range []*harness.Caller{ann, h.Anonymous()} {
		got := treeEntries(t, caller.Send("GET", repoAt(p, "tree", "per_page", "100"), ""))
		if diff := cmp.Diff(foldersFirst(lsTree(r, "main")), got); diff != "" {
			t.Errorf("root:\n%s", diff)
		}
	}
	for _, ref := range []string{
		"feature", "v1", r.Line("rev-parse", "feature"), r.Line("rev-parse", "--short", "feature"), "main~1", "alone",
	} {
		got := treeEntries(t, ann.Send("GET", repoAt(p, "tree", "per_page", "100", "ref", ref, "recursive", "true"), ""))
		if diff := cmp.Diff(lsTree(r, "-r", "-t", ref), got); diff != "" {
			t.Errorf("all of %s:\n%s", ref, diff)
		}
	}
	got := treeEntries(t, ann.Send("GET", repoAt(p, "tree", "path", "/docs/", "ref", "feature"), ""))
	if diff := cmp.Diff(foldersFirst(lsTree(r, "feature", "docs/")), got); diff != "" {
		t.Errorf("docs:\n%s", diff)
	}
	// A path that is not UTF-8 is found by the converted name that the API shows.
	got = treeEntries(t, ann.Send("GET", repoAt(p, "tree", "path", "grün"), ""))
	if len(got) != 1 || got[0].Path != "grün/grün" {
		t.Errorf("latin: %v", got)
	}
}

func TestTheTreeIsWalkedInPages(t *testing.T) {
	t.Parallel()
	_, ann, p, r := projectWithHistory(t)
	for _, recursive := range []string{"false", "true"} {
		all := foldersFirst(lsTree(r, "main"))
		if recursive == "true" {
			all = lsTree(r, "-r", "-t", "main")
		}
		for _, kind := range []string{"keyset", "offset"} {
			first := repoAt(p, "tree", "per_page", "2", "recursive", recursive, "pagination", kind)
			if diff := cmp.Diff(all, walkTree(t, ann, first, kind, len(all))); diff != "" {
				t.Errorf("recursive %s by %s:\n%s", recursive, kind, diff)
			}
		}
	}
	one := treeEntries(t, ann.Send("GET", repoAt(p, "tree", "per_page", "1"), ""))[0]
	two := treeEntries(t, ann.Send("GET", repoAt(p, "tree", "per_page", "1", "pagination", "keyset", "page_token", one.ID), ""))[0]
	if want := foldersFirst(lsTree(r, "main"))[1]; two != want {
		t.Errorf("behind the first is %v, want %v", two, want)
	}
	a := ann.Send("GET", repoAt(p, "tree", "page", "2", "per_page", "5"), "")
	if want := strconv.Itoa(len(lsTree(r, "main"))); a.Header.Get("X-Total") != want || a.Header.Get("X-Prev-Page") != "1" {
		t.Errorf("headers are %v, want %s in all", a.Header, want)
	}
	expect(t, ann.Send("GET", repoAt(p, "tree", "page", "99"), ""), 200, "[]") // past the end
	for _, token := range []string{"nonsense", strings.Repeat("a", 40), one.ID + ".7", one.ID + ".x"} {
		expect(t, ann.Send("GET", repoAt(p, "tree", "pagination", "keyset", "page_token", token), ""), 400,
			`{"error":"page_token is invalid"}`)
	}
}

// walkTree reads all pages of a tree, at most one more than there are entries. With the pagination keyset, each link
// to the next page names the last entry of the page.
func walkTree(t *testing.T, c *harness.Caller, next, pagination string, entries int) []treeEntry {
	t.Helper()
	var got []treeEntry
	for pages := 0; next != "" && pages <= entries; pages++ {
		a := c.Send("GET", next, "")
		rows := treeEntries(t, a)
		got = append(got, rows...)
		next = nextOf(a)
		if next != "" && pagination == "keyset" && !strings.Contains(next, "page_token="+rows[len(rows)-1].ID) {
			t.Errorf("behind %s leads %s", rows[len(rows)-1].ID, next)
		}
	}
	return got
}

// nextOf returns the path of the link to the next page.
func nextOf(a harness.Answer) string {
	for link := range strings.SplitSeq(a.Header.Get("Link"), ", ") {
		if target, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
			_, path, _ := strings.Cut(target, "/api/v4")
			return path
		}
	}
	return ""
}

func TestBadRefsAndPathsAreNotFound(t *testing.T) {
	t.Parallel()
	h, ann, p, _ := projectWithHistory(t)
	for _, ref := range []string{
		"nope", "-x", "--help", "a..b", "main\n", "main@{1}", "main:README.md", "^main", "main^{tree}", ":/First",
		"refs/heads/", strings.Repeat("x", 3000),
	} {
		expect(t, ann.Send("GET", repoAt(p, "tree", "ref", ref), ""), 404, `{"message":"404 Tree Not Found"}`)
		expect(t, ann.Send("GET", repoAt(p, "compare", "from", ref, "to", "main"), ""), 404, `{"message":"404 Ref Not Found"}`)
		expect(t, ann.Send("GET", repoAt(p, "contributors", "ref", ref), ""), 404, `{"message":"404 Not Found"}`)
	}
	for _, path := range []string{
		"../x", "/etc/passwd", "a/../docs", ".git", "docs/.GIT/x", "nope", "README.md", "link", "module", "*",
		":(glob)docs",
	} {
		expect(t, ann.Send("GET", repoAt(p, "tree", "path", path), ""), 404, `{"message":"404 invalid revision or path Not Found"}`)
	}
	expect(t, ann.Send("GET", repoAt(p, "tree", "ref", "a\x00"), ""), 400, `{"error":"ref is invalid"}`)
	empty := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	expect(t, ann.Send("GET", repoAt(empty, "tree"), ""), 404, `{"message":"404 Tree Not Found"}`)
	expect(t, ann.Send("GET", repoAt(empty, "archive"), ""), 404, `{"message":"404 File Not Found"}`)
	expect(t, ann.Send("GET", repoAt(empty, "contributors"), ""), 404, `{"message":"404 Not Found"}`)
	expect(t, ann.Send("GET", repoAt(empty, "compare", "from", "main", "to", "main"), ""), 404, `{"message":"404 Ref Not Found"}`)
	expect(t, ann.Send("GET", repoAt(empty, "blobs/"+strings.Repeat("a", 40)), ""), 404, `{"message":"404 Blob Not Found"}`)
	expect(t, ann.Send("GET", repoAt(empty, "merge_base", "refs[]", "a", "refs[]", "b"), ""), 400,
		`{"message":"Could not find refs: a, b"}`)
}

func TestBlobsAreReturnedUnchanged(t *testing.T) {
	t.Parallel()
	h, ann, p, r := projectWithHistory(t)
	for _, file := range []string{"README.md", "empty", "bin", "old.txt"} {
		id := r.Line("rev-parse", "main:"+file)
		want := r.Git("cat-file", "blob", id)
		a := h.Anonymous().Send("GET", repoAt(p, "blobs/"+id), "")
		wantBody := fmt.Sprintf(`{"size":%d,"encoding":"base64","content":"%s","sha":"%s"}`, len(want),
			base64.StdEncoding.EncodeToString([]byte(want)), id)
		if a.Status != 200 || a.Body != wantBody {
			t.Errorf("%s: %d %s", file, a.Status, a.Body)
		}
		if again := ann.Send("GET", repoAt(p, "blobs/"+id), "", "If-None-Match", a.Header.Get("ETag")); again.Status != 304 {
			t.Errorf("%s again: %d", file, again.Status)
		}
		if raw := wholeAnswer(t, h, ann, repoAt(p, "blobs/"+id[:10]+"/raw")); raw.Status != 200 || raw.Body != want {
			t.Errorf("%s raw: %d %q", file, raw.Status, raw.Body)
		}
	}
	page := ann.Send("GET", repoAt(p, "blobs/"+r.Line("rev-parse", "main:page.html")+"/raw"), "")
	for name, want := range map[string]string{
		"Content-Type": "text/plain", "X-Content-Type-Options": "nosniff", "Content-Disposition": "inline",
		"Content-Security-Policy": "default-src 'none'; sandbox",
	} {
		if page.Header.Get(name) != want {
			t.Errorf("%s of a page is %q", name, page.Header.Get(name))
		}
	}
	if again := ann.Send("GET", repoAt(p, "blobs/"+r.Line("rev-parse", "main:page.html")+"/raw"), "", "If-None-Match",
		page.Header.Get("ETag")); again.Status != 304 {
		t.Errorf("raw again: %d", again.Status)
	}
	for _, sha := range []string{
		"nope", "-x", "main", "v1", r.Line("rev-parse", "main"), r.Line("rev-parse", "main^{tree}"),
		strings.Repeat("a", 40), strings.Repeat("a", 41), "abc", "1234abcd", "HEAD:README.md",
	} {
		for _, raw := range []string{"", "/raw"} {
			expect(t, ann.Send("GET", repoAt(p, "blobs/"+url.PathEscape(sha)+raw), ""), 404, `{"message":"404 Blob Not Found"}`)
		}
	}
}

func TestLargeBlobsAreRateLimited(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	r := harness.NewHistory(t)
	big, middle := strings.Repeat("0123456789abcde\n", 11<<16), strings.Repeat("x\n", 1<<20)
	r.Write("big", big)
	r.Write("middle", middle)
	r.Commit("Ann <ann@example.com>", "Big")
	r.Push(ann, p)
	id := r.Line("rev-parse", "main:big")
	harness.WaitForMinute(40 * time.Second)
	if raw := wholeAnswer(t, h, ann, repoAt(p, "blobs/"+id+"/raw")); raw.Body != big {
		t.Errorf("%d: %d bytes", raw.Status, len(raw.Body))
	}
	a := ann.Send("GET", repoAt(p, "blobs/"+id), "")
	if content, err := base64.StdEncoding.DecodeString(member(t, a, "content").(string)); err != nil || string(content) != big {
		t.Errorf("%d: %d bytes, %v", a.Status, len(content), err)
	}
	for range 3 {
		if a := ann.Send("HEAD", repoAt(p, "blobs/"+id), ""); a.Status != 200 {
			t.Errorf("got %d", a.Status)
		}
	}
	const tooMany = `{"message":{"error":"This endpoint has been requested too many times. Try again later."}}`
	expect(t, ann.Send("GET", repoAt(p, "blobs/"+id), ""), 429, tooMany)
	expect(t, ann.Send("GET", repoAt(p, "blobs/"+id+"/raw"), ""), 429, tooMany)
	expect(t, ann.Send("GET", repoAt(p, "files/big", "ref", "main"), ""), 429, tooMany) // the same blob by another name
	if raw := wholeAnswer(t, h, ann, repoAt(p, "files/big/raw")); raw.Body != big {
		t.Errorf("not as JSON: %d", raw.Status)
	}
	if raw := wholeAnswer(t, h, ann, repoAt(p, "blobs/"+r.Line("rev-parse", "main:middle")+"/raw")); raw.Body != middle {
		t.Errorf("a smaller one: %d", raw.Status)
	}
}

func TestOnlyReadersOfTheCodeReadTheRepository(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group()
	p := h.Project(group.ID)
	r := repoHistory(t)
	r.Push(h.Member(group, model.Maintainer), p)
	blob := r.Line("rev-parse", "main:README.md")
	for _, path := range []string{
		repoAt(p, "tree"), repoAt(p, "blobs/"+blob), repoAt(p, "blobs/"+blob+"/raw"), repoAt(p, "archive"),
		repoAt(p, "archive.zip"), repoAt(p, "compare", "from", "v1", "to", "main"),
		repoAt(p, "contributors"), repoAt(p, "merge_base", "refs[]", "v1", "refs[]", "main"),
	} {
		if a := h.ProjectMember(p, model.Reporter).Send("GET", path, ""); a.Status != 200 {
			t.Errorf("%s: a reporter got %d %s", path, a.Status, a.Body)
		}
		expect(t, h.ProjectMember(p, model.Guest).Send("GET", path, ""), 403, `{"message":"403 Forbidden"}`)
		expect(t, h.NewUser().Send("GET", path, ""), 404, `{"message":"404 Project Not Found"}`)
		expect(t, h.Anonymous().Send("GET", path, ""), 404, `{"message":"404 Project Not Found"}`)
	}
}

func TestReadingARepositoryTakesFixedStatements(t *testing.T) {
	t.Parallel()
	h, ann, p, r := projectWithHistory(t)
	blob := r.Line("rev-parse", "main:README.md")
	expect(t, ann.Send("GET", fmt.Sprintf("/projects/%d", p.ID), ""), 200, "") // a changed project costs one more statement
	for path, most := range map[string]int64{
		repoAt(p, "tree", "recursive", "true"): 2, repoAt(p, "blobs/"+blob): 2,
		repoAt(p, "compare", "from", "v1", "to", "main"): 2, repoAt(p, "contributors"): 3,
		repoAt(p, "merge_base", "refs[]", "v1", "refs[]", "main"):                                        2,
		repoAt(p, "compare", "from", "v1", "to", "main", "from_project_id", strconv.FormatInt(p.ID, 10)): 2,
	} {
		before := h.Store.Statements()
		if a := ann.Send("GET", path, ""); a.Status != 200 {
			t.Errorf("%s: %d %s", path, a.Status, a.Body)
		}
		if n := h.Store.Statements() - before; n > most {
			t.Errorf("%s takes %d statements", path, n)
		}
	}
}
