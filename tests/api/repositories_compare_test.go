package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"svc/gen"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/google/go-cmp/cmp"
)

func compared(t *testing.T, a harness.Answer) gen.Comparison {
	t.Helper()
	var c gen.Comparison
	if err := json.Unmarshal([]byte(a.Body), &c); err != nil || a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return c
}

// gitHunks returns the output of git diff without the header of each file; unified keeps the lines --- and +++.
func gitHunks(r *harness.History, unified bool, args ...string) string {
	var b strings.Builder
	inText := false
	for line := range strings.Lines(r.Git(append([]string{"diff", "-M", "--full-index"}, args...)...)) {
		switch {
		case strings.HasPrefix(line, "diff --git "):
			inText = false
		case inText, strings.HasPrefix(line, "@@"), strings.HasPrefix(line, "Binary files "):
			inText = true
			b.WriteString(latinToUTF(line))
		case unified && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ")):
			b.WriteString(latinToUTF(line))
		}
	}
	return b.String()
}

// gitRaw returns the differences that git lists: modes, kind and paths.
func gitRaw(r *harness.History, args ...string) []string {
	parts := strings.Split(strings.TrimSuffix(r.Git(append([]string{"diff", "-M", "--raw", "-z"}, args...)...), "\x00"), "\x00")
	var rows []string
	for i := 0; i+1 < len(parts); i++ {
		meta := strings.Fields(strings.TrimPrefix(parts[i], ":"))
		kind := meta[4][:1]
		i++
		from, to := parts[i], parts[i]
		if kind == "R" {
			i++
			to = parts[i]
		}
		rows = append(rows, latinToUTF(strings.Join([]string{meta[0], meta[1], kind, from, to}, " ")))
	}
	return rows
}

func shownRaw(diffs []gen.Diff) []string {
	var rows []string
	for _, d := range diffs {
		kind := "M"
		switch {
		case d.NewFile:
			kind = "A"
		case d.DeletedFile:
			kind = "D"
		case d.RenamedFile:
			kind = "R"
		case d.AMode[:2] != d.BMode[:2]:
			kind = "T"
		}
		six := func(mode string) string { return strings.Repeat("0", 6-len(mode)) + mode }
		rows = append(rows, strings.Join([]string{six(d.AMode), six(d.BMode), kind, d.OldPath, d.NewPath}, " "))
	}
	return rows
}

// joinedDiffs returns the texts of all files.
func joinedDiffs(diffs []gen.Diff) string {
	var b strings.Builder
	for _, d := range diffs {
		b.WriteString(d.Diff)
	}
	return b.String()
}

func TestAComparisonIsWhatGitPrints(t *testing.T) {
	t.Parallel()
	h, ann, p, r := projectWithHistory(t)
	refs := []string{"v1", "main", "feature", "cross", "main~1", r.Line("rev-parse", "feature~1")}
	for _, from := range refs {
		for _, to := range refs {
			for dots, straight := range map[string]string{"...": "false", "..": "true"} {
				c := compared(t, ann.Send("GET", repoAt(p, "compare", "from", from, "to", to, "straight", straight), ""))
				expectComparisonOfGit(t, r, c, from, dots, to)
				if want := h.URL + "/" + p.FullPath + "/-/compare/" + from + dots + to; c.WebURL != want {
					t.Errorf("the page is %s, want %s", c.WebURL, want)
				}
			}
		}
	}
	// A file that becomes a symlink has one name, and so one pair of header lines.
	c := compared(t, ann.Send("GET", repoAt(p, "compare", "from", "main", "to", "feature", "unidiff", "true"), ""))
	want := strings.Replace(gitHunks(r, true, "main...feature"),
		"+++ /dev/null\n@@ -1 +0,0 @@\n-a\n--- /dev/null\n+++ b/a.txt\n", "+++ b/a.txt\n@@ -1 +0,0 @@\n-a\n", 1)
	want = strings.ReplaceAll(want, "+++ b/bin\n", "")
	if diff := cmp.Diff(want, joinedDiffs(c.Diffs)); diff != "" {
		t.Errorf("unified:\n%s", diff)
	}
	// Without a common ancestor, all files are new.
	c = compared(t, ann.Send("GET", repoAt(p, "compare", "from", "alone", "to", "main"), ""))
	if len(c.Diffs) != len(strings.Split(strings.TrimSpace(r.Git("ls-tree", "-r", "main")), "\n")) || !c.Diffs[0].NewFile {
		t.Errorf("%d files", len(c.Diffs))
	}
}

// expectComparisonOfGit compares commits, files and texts with those that git prints. The dots are those of git diff.
func expectComparisonOfGit(t *testing.T, r *harness.History, c gen.Comparison, from, dots, to string) {
	t.Helper()
	name := from + dots + to
	var ids []string
	for _, commit := range c.Commits {
		ids = append(ids, commit.ID)
	}
	if diff := cmp.Diff(strings.Fields(r.Git("log", "--reverse", "--format=%H", from+".."+to)), ids,
		cmp.Transformer("none", func(s []string) string { return strings.Join(s, "\n") })); diff != "" {
		t.Errorf("commits of %s:\n%s", name, diff)
	}
	if diff := cmp.Diff(gitRaw(r, name), shownRaw(c.Diffs)); diff != "" {
		t.Errorf("files of %s:\n%s", name, diff)
	}
	if diff := cmp.Diff(gitHunks(r, false, name), joinedDiffs(c.Diffs)); diff != "" {
		t.Errorf("texts of %s:\n%s", name, diff)
	}
	same := r.Line("rev-parse", from+"^{}") == r.Line("rev-parse", to+"^{}")
	if c.CompareSameRef != same || c.CompareTimeout || (c.Commit == nil) != (len(ids) == 0) ||
		c.Commit != nil && c.Commit.ID != ids[len(ids)-1] {
		t.Errorf("%s: %v %v %v", name, c.CompareSameRef, c.CompareTimeout, c.Commit)
	}
}

func TestComparisonsAreCachedBySHA(t *testing.T) {
	t.Parallel()
	_, ann, p, r := projectWithHistory(t)
	path := repoAt(p, "compare", "from", "v1", "to", "feature")
	first := ann.Send("GET", path, "")
	if again := ann.Send("GET", path, ""); again.Body != first.Body || again.Header.Get("ETag") != first.Header.Get("ETag") {
		t.Errorf("the second time: %s", again.Body)
	}
	if again := ann.Send("GET", path, "", "If-None-Match", first.Header.Get("ETag")); again.Status != 304 {
		t.Errorf("got %d", again.Status)
	}
	r.Git("checkout", "-q", "feature")
	r.Write("new", "new\n")
	id := r.Commit("Ann <ann@example.com>", "New")
	r.Push(ann, p)
	c := compared(t, ann.Send("GET", path, "", "If-None-Match", first.Header.Get("ETag")))
	if c.Commit.ID != id || !slices.ContainsFunc(c.Diffs, func(d gen.Diff) bool { return d.NewPath == "new" }) {
		t.Errorf("after a push: %+v", c.Commit)
	}
	expect(t, ann.Send("GET", repoAt(p, "compare", "to", "main"), ""), 400, `{"error":"from is missing"}`)
	expect(t, ann.Send("GET", repoAt(p, "compare", "from", "main"), ""), 400, `{"error":"to is missing"}`)
}

func TestLargeComparisonsAreCut(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID)
	r := harness.NewHistory(t)
	r.Write("a", "a\n")
	r.Commit("Ann <ann@example.com>", "One")
	r.Write("large", strings.Repeat("0123456789\n", 30000))
	for i := range 60 {
		r.Write(fmt.Sprintf("part%02d", i), strings.Repeat("0123456789\n", 15000))
	}
	r.Commit("Ann <ann@example.com>", "Large")
	r.Git("checkout", "-q", "-b", "many", "HEAD~1")
	for i := range 1100 {
		r.Write(fmt.Sprintf("many/%04d", i), "x\n")
	}
	r.Write("wide", strings.Repeat("y", 100000)+"\n")
	r.Commit("Ann <ann@example.com>", "Many")
	r.Push(ann, p)

	c := compared(t, ann.Send("GET", repoAt(p, "compare", "from", "main~1", "to", "main"), ""))
	if len(c.Diffs) != 61 || !c.CompareTimeout || !c.Diffs[0].TooLarge || c.Diffs[0].Diff != "" {
		t.Fatalf("%d files, cut %v, the large one %v", len(c.Diffs), c.CompareTimeout, c.Diffs[0].TooLarge)
	}
	if d := c.Diffs[1]; d.Collapsed || len(d.Diff) < 150000 {
		t.Errorf("the first part has %d bytes", len(d.Diff))
	}
	if d := c.Diffs[60]; !d.Collapsed || d.Diff != "" || d.NewPath != "part59" {
		t.Errorf("the last part has %d bytes", len(d.Diff))
	}
	c = compared(t, ann.Send("GET", repoAt(p, "compare", "from", "main~1", "to", "many"), ""))
	if len(c.Diffs) != 1000 || !c.CompareTimeout || c.Diffs[999].Diff != "@@ -0,0 +1 @@\n+x\n" {
		t.Errorf("%d files, cut %v, %+v", len(c.Diffs), c.CompareTimeout, c.Diffs[len(c.Diffs)-1])
	}
}

func TestForksAreComparedWithTheirOrigin(t *testing.T) {
	t.Parallel()
	h, ann, p, r := projectWithHistory(t)
	bob := h.NewUser()
	fork := h.Project(*bob.User.NamespaceID, func(f *model.Project) { f.ForkedFromID, f.Visibility = &p.ID, model.Public })
	r.Git("checkout", "-q", "-b", "topic", "v1")
	r.Write("topic", "topic\n")
	id := r.Commit("Bob <bob@example.com>", "Topic")
	r.Push(bob, fork, "topic")

	across := func(of, from int64, a, b string) string {
		return repoAt(model.Project{ID: of}, "compare", "from", a, "to", b, "from_project_id", strconv.FormatInt(from, 10))
	}
	c := compared(t, ann.Send("GET", across(fork.ID, p.ID, "main", "topic"), ""))
	if len(c.Commits) != 1 || c.Commit.ID != id || len(c.Diffs) != 1 || c.Diffs[0].NewPath != "topic" {
		t.Errorf("got %+v", c)
	}
	c = compared(t, ann.Send("GET", across(p.ID, fork.ID, "topic", "main"), ""))
	if len(c.Commits) != 1 || len(c.Diffs) != 1 || c.Diffs[0].NewPath != "README.md" {
		t.Errorf("got %+v", c)
	}
	// The fork has no branch main and must not show objects of its origin.
	expect(t, ann.Send("GET", repoAt(fork, "compare", "from", "main", "to", "topic"), ""), 404, `{"message":"404 Ref Not Found"}`)
	expect(t, ann.Send("GET", repoAt(fork, "blobs/"+r.Line("rev-parse", "feature:old.txt")), ""), 404, `{"message":"404 Blob Not Found"}`)

	other := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	hidden := h.Project(*bob.User.NamespaceID, func(f *model.Project) { f.ForkedFromID = &p.ID })
	for _, id := range []int64{other.ID, hidden.ID, 1 << 40} {
		expect(t, ann.Send("GET", across(p.ID, id, "main", "main"), ""), 400,
			fmt.Sprintf(`{"message":"Target project id:%d is not a fork of project id:%d"}`, id, p.ID))
	}
	h.JoinProject(hidden, ann.User, model.Guest)
	expect(t, ann.Send("GET", across(p.ID, hidden.ID, "main", "main"), ""), 403,
		`{"message":"403 Forbidden - You don't have access to this fork's parent project"}`)
}

func TestTheMergeBaseIsThatOfGit(t *testing.T) {
	t.Parallel()
	h, ann, p, r := projectWithHistory(t)
	for _, refs := range [][]string{
		{"v1", "main"},
		{"main", "feature"},
		{"cross", "feature"},
		{"feature", "cross"},
		{"main", "main"},
		{"main", "feature", "v1"},
		{"feature", "cross", "main~1"},
	} {
		args := []string{"merge-base"}
		var query []string
		if len(refs) > 2 {
			args = append(args, "--octopus")
		}
		for _, ref := range refs {
			query = append(query, "refs[]", ref)
		}
		want := r.Line(append(args, refs...)...)
		for range 2 {
			a := h.Anonymous().Send("GET", repoAt(p, "merge_base", query...), "")
			if a.Status != 200 || member(t, a, "id") != want {
				t.Errorf("%v: %d %s, want %s", refs, a.Status, a.Body, want)
			}
		}
	}
	// The response has the whole commit, as git has it.
	a := ann.Send("GET", repoAt(p, "merge_base", "refs[]", "v1", "refs[]", "v1"), "")
	var got gen.Commit
	if err := json.Unmarshal([]byte(a.Body), &got); err != nil {
		t.Fatal(err)
	}
	iso := "2006-01-02T15:04:05-07:00"
	shown := strings.Join([]string{
		got.ID, strings.Join(got.ParentIds, " "), got.Title, got.AuthorName, got.AuthorEmail,
		got.AuthoredDate.Format(iso), got.CommitterName,
		got.CommitterEmail, got.CommittedDate.Format(iso), got.CreatedAt.Format(iso), got.Message,
	}, "\n")
	want := r.Line("show", "-s", "--date=format:%Y-%m-%dT%H:%M:%S+00:00",
		"--format=%H%n%P%n%s%n%an%n%ae%n%ad%n%cn%n%ce%n%cd%n%cd%n%B", "v1^{}") + "\n"
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Error(diff)
	}
	if got.ShortID != got.ID[:8] || got.WebURL != h.URL+"/"+p.FullPath+"/-/commit/"+got.ID {
		t.Errorf("got %s", a.Body)
	}
	// A title and a name in Latin 1 are converted to UTF-8.
	a = ann.Send("GET", repoAt(p, "merge_base", "refs[]", "main", "refs[]", "cross"), "")
	if member(t, a, "title") != "Weiß" || member(t, a, "author_name") != "Jürgen" {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	expect(t, ann.Send("GET", repoAt(p, "merge_base", "refs", "main,cross"), ""), 200, a.Body)
	expect(t, ann.Send("GET", repoAt(p, "merge_base", "refs[0]", "main", "refs[1]", "cross"), ""), 200, a.Body)
	expect(t, ann.Send("GET", repoAt(p, "merge_base"), ""), 400, `{"error":"refs is missing"}`)
	expect(t, ann.Send("GET", repoAt(p, "merge_base", "refs[]", "main"), ""), 400, `{"message":"Provide at least 2 refs"}`)
	expect(t, ann.Send("GET", repoAt(p, "merge_base", "refs[]", "main", "refs[]", "-x"), ""), 400, `{"message":"Could not find ref: -x"}`)
	expect(t, ann.Send("GET", repoAt(p, "merge_base", "refs[]", "x", "refs[]", "y..z"), ""), 400,
		`{"message":"Could not find refs: x, y..z"}`)
	expect(t, ann.Send("GET", repoAt(p, "merge_base", "refs[]", "main", "refs[]", "alone"), ""), 404,
		`{"message":"404 Merge Base Not Found"}`)
}
