package web

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

// codeServer is a server with a project whose repository has some of everything.
type codeServer struct {
	*harness.H
	owner   *harness.Caller
	project model.Project
	local   *harness.History
	first   string // the first commit
	head    string
	root    string // the address of the project
}

const readme = "# Roof\n\nSee [the guide](docs/guide.md#start) and ![plan](docs/plan.png) and ![spy](https://example.com/spy.png).\n\n" +
	"<script>alert(1)</script>\n\n```go\nfunc main() {}\n```\n"

// newCodeServer makes the project of an owner, whom edit changes.
func newCodeServer(t *testing.T, visibility model.Visibility, edit ...func(*model.User)) *codeServer {
	t.Helper()
	s := &codeServer{H: harness.New(t), local: harness.NewHistory(t)}
	s.owner = s.NewUserWithPassword(edit...)
	s.project = s.Project(*s.owner.User.NamespaceID, func(p *model.Project) { p.Path, p.Visibility = "roof", visibility })
	s.root = "/" + s.project.FullPath
	s.local.Write("README.md", readme)
	s.local.Write("main.go", "package main\n\n// main prints <b>.\nfunc main() { println(\"needle\") }\n")
	s.local.Write("docs/guide.md", "# Guide\n\n## Start\n\n[up](../README.md)\n")
	s.local.Write("docs/plan.png", "\x89PNG\r\n\x1a\n\x00")
	s.first = s.local.Commit("Ann <ann@example.com>", "Lay the <beams>\n\nWith care & nails.")
	s.local.Git("tag", "-a", "v1.0", "-m", "The first\nroof")
	s.local.Write("main.go", "package main\n\n// main prints <b>.\nfunc main() { println(\"two\") }\n")
	s.head = s.local.Commit("Bob <bob@example.com>", "Paint it")
	s.local.Git("branch", "feature/a<b>#%&")
	s.local.Git("branch", "old", s.first)
	s.local.Push(s.owner, s.project)
	return s
}

// has checks that a page has all texts in its source.
func has(t *testing.T, page harness.Page, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(page.Body, text) {
			t.Errorf("%s lacks %q", page.URL, text)
		}
	}
}

// lacks checks that a page has none of the texts in its source.
func lacks(t *testing.T, page harness.Page, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(page.Body, text) {
			t.Errorf("%s has %q", page.URL, text)
		}
	}
}

func TestTheHomeOfAProjectShowsItsCode(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	page := openPage(t, s.H, s.SignedIn(s.owner.User), s.root, 6)
	has(t, page,
		`<a href="`+s.root+`/-/tree/main/docs">docs/</a>`, `<a href="`+s.root+`/-/blob/main/main.go">main.go</a>`,
		`<a href="`+s.root+`/-/commit/`+s.first+`">Lay the &lt;beams&gt;</a>`, `<a href="`+s.root+`/-/commit/`+s.head+`">Paint it</a>`,
		`<a href="`+s.root+`/-/blob/main/docs/guide.md#start">the guide</a>`, `<img src="`+s.root+`/-/raw/main/docs/plan.png" alt="plan"`,
		`<a href="https://example.com/spy.png">spy</a>`, "&lt;script&gt;alert(1)", `<span class="hk">func</span>`,
		`/-/archive/main/roof-main.tar.gz`, `aria-current="page"`, `/-/tree/feature/a%3Cb%3E%23%25&amp;">feature/a&lt;b&gt;#%&amp;</a>`,
	)
	lacks(t, page, "<script>alert", `src="https:`)
}

func TestAProjectWithoutItsDefaultBranchSaysSo(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Public)
	empty := s.Project(*s.owner.User.NamespaceID, func(p *model.Project) { p.Path, p.DefaultBranch = "trunk", "trunk" })
	b := s.SignedIn(s.owner.User)
	page := openPage(t, s.H, b, "/"+empty.FullPath, 6)
	has(t, page, "The repository is empty", "git switch --create trunk", ".git")
	lacks(t, page, "/-/branches", "/-/commits")
	for _, path := range []string{"/-/branches", "/-/tags", "/-/compare", "/-/search?search=xx"} {
		openPage(t, s.H, b, "/"+empty.FullPath+path, 6)
	}
	s.local.Push(s.owner, empty, "main:refs/heads/other")
	if page := b.Get("/" + empty.FullPath); page.Status != 200 {
		t.Errorf("%d: %s", page.Status, page.Text())
	}
}

func TestAFolderIsListed(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	page := openPage(t, s.H, b, s.root+"/-/tree/main/docs", 4)
	has(t, page, s.root+"/-/blob/main/docs/guide.md", s.root+"/-/commit/"+s.first, `<strong>docs</strong>`, "/-/tree/"+s.head+"/docs")
	checkPage(t, openPage(t, s.H, b, s.root+"/-/tree/feature/a%3Cb%3E%23%25&/docs", 4), 200, "", "guide.md")
	checkPage(t, openPage(t, s.H, b, s.root+"/-/tree/"+s.first[:10], 4), 200, "", "README.md")
	checkPage(t, openPage(t, s.H, b, s.root+"/-/tree/v1.0/", 4), 200, "", "README.md")
	checkPage(t, b.Get(s.root+"/-/tree/main/main.go"), 200, s.root+"/-/blob/main/main.go", "package main")
	for _, missing := range []string{"main/none", "none", "main/../x", "HEAD:x", "main%00", "--help", "main/docs/guide.md/x", ""} {
		if page := b.Get(s.root + "/-/tree/" + missing); page.Status != 404 {
			t.Errorf("%s: %d", missing, page.Status)
		}
	}
}

func TestAFileIsHighlighted(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	page := openPage(t, s.H, b, s.root+"/-/blob/main/main.go", 4)
	has(t, page, `<div id="L3"><a href="#L3">3</a><code><span class="hc">// main prints &lt;b&gt;.</span></code></div>`,
		s.root+"/-/raw/main/main.go", s.root+"/-/blame/main/main.go", s.root+"/-/blob/"+s.head+"/main.go", "4 lines")
	page = openPage(t, s.H, b, s.root+"/-/blob/main/docs/guide.md", 4)
	has(t, page, `<h3 id="start">Start</h3>`, `<a href="`+s.root+`/-/blob/main/README.md">up</a>`, `?plain=1">Show the source`)
	has(t, openPage(t, s.H, b, s.root+"/-/blob/main/docs/guide.md?plain=1", 4), `<a href="#L1">1</a>`, "Show the page")
	has(t, openPage(t, s.H, b, s.root+"/-/blob/main/docs/plan.png", 4), `<img class="shown" src="`+s.root+`/-/raw/main/docs/plan.png"`)
	checkPage(t, b.Get(s.root+"/-/blob/main/docs"), 200, s.root+"/-/tree/main/docs", "guide.md")
	page = openPage(t, s.H, b, s.root+"/-/blame/main/main.go", 4)
	has(t, page, s.root+"/-/commit/"+s.first, s.root+"/-/commit/"+s.head, "Bob", `<span class="hk">package</span>`)
}

func TestCommitsAreShownWithTheirChanges(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	page := openPage(t, s.H, b, s.root+"/-/commits/main", 4)
	has(t, page, s.root+"/-/commit/"+s.first, s.root+"/-/commit/"+s.head)
	lacks(t, openPage(t, s.H, b, s.root+"/-/commits/main/docs", 4), "Paint it")
	lacks(t, openPage(t, s.H, b, s.root+"/-/commits/main?author=bob", 4), "beams")
	checkPage(t, b.Get(s.root+"/-/commits"), 200, s.root+"/-/commits/main", "Paint it")
	page = openPage(t, s.H, b, s.root+"/-/commit/"+s.first, 4)
	has(t, page, "<h1>Lay the &lt;beams&gt;</h1>", "With care &amp; nails.", "4 changed files", "The file is not text.")
	page = openPage(t, s.H, b, s.root+"/-/commit/"+s.head[:12], 4)
	has(t, page, `<div class="d"><i>4</i><i></i><code>-func main() { println(&#34;needle&#34;) }</code></div>`,
		`<div class="a"><i></i><i>4</i>`, s.root+"/-/blob/"+s.head+"/main.go", s.root+"/-/commit/"+s.first)
	page = openPage(t, s.H, b, s.root+"/-/compare/old...main", 4)
	has(t, page, "Paint it", `<div class="a"><i></i><i>4</i>`)
	has(t, openPage(t, s.H, b, s.root+"/-/compare/main..old", 4), "old has no commits that are not in main")
	checkPage(t, b.Get(s.root+"/-/compare?from=old&to=feature%2Fa%3Cb%3E%23%25%26"), 200, "", "Paint it")
	for _, missing := range []string{"none...main", "main...none", "main", "...", "main.."} {
		if page := b.Get(s.root + "/-/compare/" + missing); page.Status != 404 {
			t.Errorf("%s: %d", missing, page.Status)
		}
	}
}

func TestACommitSaysWhatItsSignatureProves(t *testing.T) {
	t.Parallel()
	harness.RequireProgram(t, "ssh-keygen", "openssh-client")
	s := newCodeServer(t, model.Public)
	lacks(t, s.Browser().Get(s.root+"/-/commit/main"), "Signature")
	key := filepath.Join(t.TempDir(), "key")
	if out, err := exec.CommandContext(t.Context(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	public, err := os.ReadFile(key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"stranger@example.com", s.owner.User.Email} {
		s.local.GitWith([]string{"GIT_COMMITTER_EMAIL=" + address}, "", "-c", "gpg.format=ssh", "-c", "user.signingkey="+key,
			"commit", "-q", "--allow-empty", "-S", "-m", "Signed")
	}
	s.local.Push(s.owner, s.project)
	has(t, s.Browser().Get(s.root+"/-/commit/main"), "Not verified: no user has this key (SSH)")
	made(t, s.owner, "/user/keys", fmt.Sprintf(`{"title":"Laptop","key":%q}`, strings.TrimSpace(string(public))))
	has(t, openPage(t, s.H, s.Browser(), s.root+"/-/commit/main", 10), "Verified: the committer has signed it (SSH)")
	has(t, s.Browser().Get(s.root+"/-/commit/main~1"), "Not verified: ")
}

func TestBranchesAndTagsAreListed(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	page := openPage(t, s.H, b, s.root+"/-/branches", 4)
	has(t, page, s.root+"/-/tree/old", "feature/a&lt;b&gt;#%&amp;", `<span class="tag">default</span>`)
	lacks(t, openPage(t, s.H, b, s.root+"/-/branches?search=feat", 4), "/-/tree/old")
	has(t, openPage(t, s.H, b, s.root+"/-/tags", 4), s.root+"/-/tags/v1.0")
	has(t, openPage(t, s.H, b, s.root+"/-/tags/v1.0", 5), "The first\nroof", s.root+"/-/commit/"+s.first, "/-/archive/v1.0/roof-v1.0.zip")
	if page := b.Get(s.root + "/-/tags/none"); page.Status != 404 {
		t.Error(page.Status)
	}
}

func TestAProjectIsSearched(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	has(t, openPage(t, s.H, b, s.root+"/-/search?search=PRINTLN", 4), s.root+"/-/blob/main/main.go#L4")
	checkPage(t, openPage(t, s.H, b, s.root+"/-/search?search=nowhere", 4), 200, "", "Nothing was found")
	checkPage(t, openPage(t, s.H, b, s.root+"/-/search?search=x", 4), 200, "", "at least two characters")
	for _, item := range []string{"issues", "merge_requests"} {
		checkPage(t, openPage(t, s.H, b, s.root+"/-/search?search=leak&scope="+item, 8), 200, "", "Nothing was found")
	}
	id := fmt.Sprint(s.project.ID)
	body := `{"title":"A leak <here>","description":"roof"}`
	if got := s.owner.Send("POST", "/projects/"+id+"/issues", body, "Content-Type", "application/json"); got.Status != 201 {
		t.Fatal(got.Status, got.Body)
	}
	has(t, openPage(t, s.H, b, s.root+"/-/search?search=leak&scope=issues", 10), s.root+"/-/issues/1", "A leak &lt;here&gt;")
	outside := s.SignedIn(s.NewUserWithPassword().User)
	hidden(t, outside, s.root+"/-/search?search=leak")
}

func TestCodeIsHiddenFromThoseWhoMayNotReadIt(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Private)
	guest := s.NewUserWithPassword()
	s.JoinProject(s.project, guest.User, model.Guest)
	outsider, visitor, inside := s.SignedIn(s.NewUserWithPassword().User), s.Browser(), s.SignedIn(guest.User)
	for _, path := range []string{
		"/-/tree/main", "/-/tree/none", "/-/blob/main/README.md", "/-/blame/main/main.go", "/-/commits/main", "/-/commits",
		"/-/commit/" + s.head,
		"/-/compare", "/-/compare/old...main", "/-/branches", "/-/tags", "/-/tags/v1.0",
	} {
		for _, b := range []*harness.Browser{outsider, visitor, inside} {
			hidden(t, b, s.root+path)
		}
	}
	page := inside.Get(s.root)
	checkPage(t, page, 200, s.root, "You may not read the code")
	lacks(t, page, "README", "clone-http", "Paint it", "/-/tree/")
	lacks(t, inside.Get(s.root+"/-/search?search=needle&scope=code"), "main.go")
	public := newCodeServer(t, model.Public)
	checkPage(t, public.Browser().Get(public.root+"/-/tree/main"), 200, "", "README.md")
}

// hostileName is the name of a file that would be a picture with a script on a page that does not escape it.
const hostileName = `"><img src=x onerror=alert(1)>`

// pushHostile adds files of every unpleasant kind, and returns the commit.
func (s *codeServer) pushHostile() string {
	s.T.Helper()
	s.local.Write(hostileName, "x\n")
	s.local.Write("svg/x.svg", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`)
	s.local.Write("latin", "f\xfcr\n")
	s.local.Write("wide", "\xff\xfea\x00\n\x00")
	s.local.Write("minified.js", strings.Repeat("a('<b>&');", 300_000/10))
	s.local.Write("huge.txt", strings.Repeat("0123456789abcdef\n", 200_000))
	s.local.Write("long.go", strings.Repeat("var a = \"b\" // c\n", 20_000))
	s.local.Write("middle.txt", strings.Repeat("a line of the file\n", 5000))
	s.local.Write("empty", "")
	s.local.Write("percent %2e%2e.md", "[x](javascript:alert(1)) <a href=x onclick=y>")
	for name, target := range map[string]string{"loop": "loop", "out": "../../../etc/passwd", "dirlink": "docs"} {
		if err := os.Symlink(target, filepath.Join(s.local.Dir, name)); err != nil {
			s.T.Fatal(err)
		}
	}
	s.local.Git("update-index", "--add", "--cacheinfo", "160000,"+s.first+",module")
	s.local.Git("branch", "-f", "back", "HEAD")
	s.local.Git("add", "-A", ".", ":!module")
	s.local.Git("commit", "-q", "-m", "<script>alert('title')</script>")
	odd := s.local.GitWith(nil, "x", "hash-object", "-w", "--stdin")
	tree := s.local.GitWith(nil, s.local.Git("ls-tree", "HEAD")+"100644 blob "+strings.TrimSpace(odd)+"\todd\xff\n", "mktree")
	head := strings.TrimSpace(s.local.Git("commit-tree", "-p", "HEAD", "-m", "odd", strings.TrimSpace(tree)))
	s.local.Git("update-ref", "refs/heads/main", head)
	s.local.Push(s.owner, s.project)
	return head
}

func TestHostileNamesAndFilesAreShownSafely(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Public)
	head := s.pushHostile()
	b := s.Browser()
	blob := func(name string) harness.Page {
		t.Helper()
		page := b.Get(s.root + "/-/blob/main/" + strings.ReplaceAll(url.PathEscape(name), "%2F", "/"))
		if page.Status != 200 {
			t.Errorf("%s: %d", name, page.Status)
		}
		return page
	}
	page := openPage(t, s.H, b, s.root+"/-/tree/main", 3)
	lacks(t, page, "<img src=x", "<script>alert")
	has(t, page, "submodule at", "the name is not UTF-8", "symbolic link", "oddÿ")
	lacks(t, blob(hostileName), "<img src=x")
	has(t, blob("svg/x.svg"), `<img class="shown"`, "Show the source")
	lacks(t, b.Get(s.root+"/-/blob/main/svg/x.svg?plain=1"), "<script>alert")
	checkPage(t, blob("latin"), 200, "", "für")
	checkPage(t, blob("wide"), 200, "", "UTF-16")
	has(t, blob("minified.js"), "…")
	checkPage(t, blob("huge.txt"), 200, "", "too large to show")
	checkPage(t, blob("empty"), 200, "", "The file is empty")
	checkPage(t, blob("loop"), 200, "", "symbolic link to loop")
	checkPage(t, blob("out"), 200, "", "symbolic link to ../../../etc/passwd")
	lacks(t, blob("percent %2e%2e.md"), "javascript:", "<a href=x")
	page = blob("long.go")
	has(t, page, `data-starts="1 `, "Next page", `<span class="hk">var</span>`)
	has(t, b.Get(s.root+"/-/blob/main/long.go?page=2"), "Previous page")
	for _, number := range []string{"999", "-1", "x", "1000000"} {
		if page := b.Get(s.root + "/-/blob/main/long.go?page=" + number); page.Status != 200 {
			t.Error(number, page.Status)
		}
	}
	page = b.Get(s.root + "/-/commit/" + head + "~1")
	lacks(t, page, "<script>alert", "<img src=x")
	has(t, page, "Show the changes", "too large to show", "file=middle.txt")
	has(t, b.Get(s.root+"/-/commit/"+head+"~1?file=latin"), "1 changed file", "All changes of this commit")
	has(t, b.Get(s.root+"/-/commit/"+head+"~1?file=middle.txt"), "Show more changes", "<i>1</i>")
	last := b.Get(s.root + "/-/commit/" + head + "~1?file=middle.txt&from=4990")
	has(t, last, "<i>5000</i>")
	lacks(t, last, "Show more changes", "<i>4000</i>")
	for _, from := range []string{"-1", "99999999999999999999", "1000000", "x"} {
		if page := b.Get(s.root + "/-/commit/" + head + "~1?file=middle.txt&from=" + from); page.Status != 200 {
			t.Error(from, page.Status)
		}
	}
	for _, path := range []string{
		"/-/commits/main", "/-/branches", "/-/compare/back...main", "/-/blame/main/long.go", "/-/blame/main/latin",
	} {
		page := b.Get(s.root + path)
		lacks(t, page, "<script>alert", "<img src=x")
		if page.Status != 200 {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
}

// The harness refuses pages that are too large, so this only opens them.
func TestTextsOfAnyLengthMakeNoLargePage(t *testing.T) {
	t.Parallel()
	s := newCodeServer(t, model.Public)
	for name, text := range map[string]string{
		"numbers.go": "var x = []int{" + strings.Repeat("1,", 2000) + "}\n", "quotes.md": strings.Repeat(">", 60_000),
		"brackets.md": strings.Repeat("[", 60_000), "less.md": strings.Repeat("<", 60_000), "stars.md": strings.Repeat("*a _b ", 10_000),
		"README.md": strings.Repeat("<<", 30_000) + "\n" + strings.Repeat("- [ ] x\n", 500), "less.txt": strings.Repeat("<\n", 50_000),
		"images.md": strings.Repeat("![a](b.png)", 5000), "lists.md": strings.Repeat("- ", 20_000) + "x",
		"table.md": strings.Repeat("a|", 3000) + "\n" + strings.Repeat("-|", 3000) + "\n" + strings.Repeat("a\n", 15_000),
	} {
		s.local.Write(name, text)
	}
	deep := strings.Repeat(strings.Repeat("d", 80)+"/", 8)
	for i := range 110 {
		s.local.Write(fmt.Sprintf("%s%s-%d", deep, strings.Repeat("<", 80), i), strings.Repeat("<", i)+"needle\n")
	}
	s.local.Git("add", "-A")
	message := filepath.Join(s.local.Dir, ".git", "long-message")
	text := strings.Repeat("<title>", 50_000) + "\n\n" + strings.Repeat("<body>\n", 50_000)
	if err := os.WriteFile(message, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s.local.Git("commit", "-q", "-F", message, "--author", strings.Repeat("n", 5000)+" <a@example.com>")
	s.local.Push(s.owner, s.project)
	b := s.Browser()
	for _, path := range []string{
		"", "/-/tree/main", "/-/tree/main/" + strings.TrimSuffix(deep, "/"), "/-/commits/main", "/-/commit/main", "/-/commit/main?page=2",
		"/-/compare/v1.0...main", "/-/branches", "/-/search?search=needle", "/-/blame/main/numbers.go", "/-/blob/main/numbers.go",
		"/-/blob/main/quotes.md", "/-/blob/main/brackets.md", "/-/blob/main/less.md", "/-/blob/main/stars.md", "/-/blob/main/less.txt",
		"/-/blob/main/images.md", "/-/blob/main/lists.md", "/-/blob/main/table.md", "/-/blame/main/less.txt",
		"/-/commit/main?file=less.txt", "/-/commit/main?file=less.md",
	} {
		begin := time.Now()
		if page := b.Get(s.root + path); page.Status != 200 {
			t.Errorf("%s: %d", path, page.Status)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s takes %v", path, took)
		}
	}
}
