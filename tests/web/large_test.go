package web

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

// slow is how long a page of something large may take, beside all other tests. Reading or showing all of it would take longer.
const slow = 20 * time.Second

// largeProject is a project with files and changes that are too large to show.
type largeProject struct {
	*harness.H
	t       *testing.T
	owner   *harness.Caller
	b       *harness.Browser
	project model.Project
	root    string
}

// wide returns a text in UTF-16 with a mark of the byte order.
func wide(text string, bigEndian bool) string {
	var out strings.Builder
	for _, unit := range append([]uint16{0xfeff}, utf16.Encode([]rune(text))...) {
		high, low := byte(unit>>8), byte(unit)
		if !bigEndian {
			high, low = low, high
		}
		out.Write([]byte{high, low})
	}
	return out.String()
}

func newLargeProject(t *testing.T) *largeProject {
	t.Helper()
	p := &largeProject{H: harness.New(t), t: t}
	p.owner = p.NewUserWithPassword()
	p.project = p.Project(*p.owner.User.NamespaceID, func(project *model.Project) { project.Path = "roof" })
	p.root = "/" + p.project.FullPath
	local := harness.NewHistory(t)
	huge := strings.Repeat("0123456789 abcdef <b>\n", 100<<20/22)
	for _, name := range []string{"README.md", "huge.txt", "huge.svg", "huge.go", "CONTRIBUTING.md", ".gitlab-ci.yml"} {
		local.Write(name, huge) // one object
	}
	local.Write("line.txt", strings.Repeat("<", 1_500_000))
	local.Write("line.json", `{"a":"`+strings.Repeat("ä", 700_000)+`"}`)
	local.Write("line.md", strings.Repeat("**a", 300_000))
	local.Write("little.txt", wide("wide <b> text\n", false))
	local.Write("big.txt", wide("wide <b> text\n", true))
	local.Write("latin.txt", "na\xefve <b>\n")
	local.Write("nul.txt", "a\x00b\n")
	local.Write("binary.bin", strings.Repeat("\x00\xff\xfe<script>", 10_000))
	local.Write("control.txt", "\x1b[31mred\x1b]0;x\x07 \u202egnp.exe \u2066x\n")
	local.Write("many.txt", strings.Repeat("a line\n", 50_000))
	local.Write("some.go", strings.Repeat("var a = 1\n", 3000))
	for name, target := range map[string]string{"a": "b", "b": "a", "self": "self", "folder/up": "../folder", "root": "/"} {
		local.Write("folder/x", "x")
		if err := os.Symlink(target, filepath.Join(local.Dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	local.Commit("Ann <ann@example.com>", "Begin")
	local.Git("switch", "-q", "-c", "change")
	local.Write("many.txt", strings.Repeat("another line\n", 50_000))
	local.Write("some.go", strings.Repeat("var b = 2\n", 3000))
	local.Write("line.txt", strings.Repeat(">", 1_500_000))
	local.Write("huge.txt", huge+"end\n")
	local.Commit("Ann <ann@example.com>", "Change 106,000 lines")
	local.Push(p.owner, p.project)
	p.b = p.SignedIn(p.owner.User)
	return p
}

// open opens a page in time, and checks that it has a text.
func (p *largeProject) open(path, text string) {
	p.t.Helper()
	begin := time.Now()
	page := p.b.Get(p.root + path)
	took := time.Since(begin)
	if p.t.Logf("%s takes %v", path, took); took > slow {
		p.t.Errorf("%s is slow", path)
	}
	refused := page.Status == 422 && strings.Contains(path, "/edit") && strings.Contains(page.Text(), "too large")
	if page.Status != 200 && !refused || !strings.Contains(page.Text(), text) {
		p.t.Errorf("%s answers %d without %q:\n%.2000s", path, page.Status, text, page.Text())
	}
}

func TestLargeFilesAndChangesAreNamedAsTooLarge(t *testing.T) {
	t.Parallel()
	p := newLargeProject(t)
	made(t, p.owner, fmt.Sprintf("/projects/%d/merge_requests", p.project.ID),
		`{"source_branch":"change","target_branch":"main","title":"Large"}`)
	const tooLarge, leftOut = "too large", "The changes are not shown"
	for _, page := range []struct{ path, text string }{
		{"", "huge.txt"},
		{"/-/tree/main", "huge.txt"},
		{"/-/blob/main/huge.txt", tooLarge},
		{"/-/blob/main/README.md", tooLarge},
		{"/-/blob/main/huge.go", tooLarge},
		{"/-/blob/main/huge.svg", "huge.svg"},
		{"/-/blob/main/huge.svg?plain=1", ""},
		{"/-/blame/main/huge.txt", tooLarge},
		{"/-/commits/main/huge.txt", "Begin"},
		{"/-/edit/main/huge.txt", tooLarge},
		{"/-/delete/main/huge.txt", "huge.txt"},
		{"/-/search?search=abcdef", ""},
		{"/-/search?search=no+such+text", ""},
		{"/-/blob/main/line.txt", "…"},
		{"/-/blob/main/line.json", "…"},
		{"/-/blob/main/line.md", ""},
		{"/-/blame/main/line.txt", "…"},
		{"/-/blob/main/little.txt", "wide <b> text"},
		{"/-/blob/main/big.txt", "wide <b> text"},
		{"/-/blob/main/latin.txt", "naïve <b>"},
		{"/-/blob/main/nul.txt", "not text"},
		{"/-/blob/main/binary.bin", "not text"},
		{"/-/blob/main/control.txt", "red"},
		{"/-/blob/main/many.txt", "50000 lines"},
		{"/-/blame/main/many.txt", "a line"},
		{"/-/blob/main/a", "symbolic link to b"},
		{"/-/blob/main/self", "symbolic link to self"},
		{"/-/blob/main/root", "symbolic link to /"},
		{"/-/tree/main/folder", "up"},
		{"/-/commit/main", ""},
		{"/-/commit/change", "changed files"},
		{"/-/commit/change?file=many.txt", tooLarge},
		{"/-/commit/change?file=huge.txt", ""},
		{"/-/compare/main...change", "changed files"},
		{"/-/ci/lint", ""},
		{"/-/merge_requests/1", "Large"},
		{"/-/merge_requests/1/diffs", leftOut},
		{"/-/merge_requests/1/diffs?file=many.txt", tooLarge},
		{"/-/merge_requests/1/diffs?file=some.go", "Show more changes"},
		{"/-/merge_requests/1/diffs?file=some.go&from=5900", "var b = 2"},
		{"/-/merge_requests/1/diffs?file=huge.txt", ""},
		{"/-/merge_requests/1/diffs?file=line.txt", ""},
		{"/-/merge_requests/new?merge_request%5Bsource_branch%5D=change", ""},
		{"/-/pipelines/new", ""},
		{"/-/forks/new", ""},
	} {
		p.open(page.path, page.text)
	}
	p.followsNoLinks()
}

// followsNoLinks checks that no page reads what a symbolic link leads to.
func (p *largeProject) followsNoLinks() {
	p.t.Helper()
	for _, path := range []string{"/-/blob/main/self/x", "/-/tree/main/a", "/-/tree/main/folder/up/x", "/-/blob/main/root/etc/passwd"} {
		if page := p.b.Get(p.root + path); page.Status != 404 && !strings.Contains(page.Text(), "symbolic link") {
			p.t.Errorf("%s answers %d:\n%s", path, page.Status, page.Text())
		}
	}
}

func TestLargeTextsAndLogsAreCut(t *testing.T) {
	t.Parallel()
	p := &largeProject{H: harness.New(t), t: t}
	p.owner = p.NewUserWithPassword()
	p.project = p.Project(*p.owner.User.NamespaceID, func(project *model.Project) { project.Path = "roof" })
	p.root, p.b = "/"+p.project.FullPath, p.SignedIn(p.owner.User)
	w := &hostileWorld{t: t, ids: map[string]int64{}, codeServer: &codeServer{H: p.H, owner: p.owner, project: p.project, root: p.root}}
	api := w.api()
	for i, text := range []string{
		strings.Repeat("[", 400_000), strings.Repeat("> ", 200_000), strings.Repeat("<a ", 200_000), strings.Repeat("| a ", 200_000),
		strings.Repeat("`", 300_001), strings.Repeat("![", 150_000), strings.Repeat("&#0;", 100_000), strings.Repeat("*_", 200_000),
		strings.Repeat("- ", 100_000) + "x", strings.Repeat("@a #1 !1 ~b %c ", 20_000), strings.Repeat("http://a.example/ ", 20_000),
	} {
		w.post(api+"/issues", "title", fmt.Sprint("Issue ", i+1), "description", text)
		w.post(fmt.Sprintf("%s/issues/%d/notes", api, i+1), "body", text)
		w.post(api+"/wikis", "title", fmt.Sprint("page ", i+1), "content", text)
		w.post(api+"/snippets", "title", "Snippet", "visibility", "private", "description", text,
			"files", []map[string]string{{"file_path": "a.md", "content": text}})
		w.post(api+"/milestones", "title", fmt.Sprint("Milestone ", i+1), "description", text)
		p.open(fmt.Sprintf("/-/issues/%d", i+1), "Issue")
		p.open(fmt.Sprintf("/-/issues/%d/edit", i+1), "")
		p.open(fmt.Sprintf("/-/wikis/page-%d", i+1), "")
		p.open(fmt.Sprintf("/-/snippets/%d", w.ids[api+"/snippets"]), "Snippet")
		p.open(fmt.Sprintf("/-/milestones/%d", i+1), "Milestone")
	}
	p.open("/-/issues", "Issue")
	p.open("/-/wikis", "")
	jobs := p.Pipeline(p.project, p.owner.User, []syntax.Job{{Name: "loud", Stage: "build"}, {Name: "wide", Stage: "build"}}).Jobs
	p.ClaimJob(jobs[0])
	p.WriteLog(jobs[0], strings.Repeat("\x1b[31mred\x1b[0m <b> "+strings.Repeat("x", 80)+"\n", 200_000))
	p.ClaimJob(jobs[1])
	p.WriteLog(jobs[1], strings.Repeat("\x1b[1m\x1b[31ma\x1b[0m", 300_000)+strings.Repeat("section_start:1:a\r\x1b[0K", 20_000))
	for _, job := range jobs {
		p.open(fmt.Sprintf("/-/jobs/%d", job.ID), job.Name)
		p.open(fmt.Sprintf("/-/jobs/%d?search=xx", job.ID), "")
	}
}
