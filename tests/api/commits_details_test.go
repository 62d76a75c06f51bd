package api

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// fileDiff is the diff of one file in a response.
type fileDiff struct {
	Diff        string `json:"diff"`
	OldPath     string `json:"old_path"`
	NewPath     string `json:"new_path"`
	AMode       string `json:"a_mode"`
	NewFile     bool   `json:"new_file"`
	RenamedFile bool   `json:"renamed_file"`
	DeletedFile bool   `json:"deleted_file"`
}

func TestStatsTrailersAndDiffsAreThoseOfGit(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	rows := read[[]commit](t, maintainer.Send("GET", commitsPath+"?all=1&with_stats=true&trailers=true", ""), 200)
	if len(rows) != 8 {
		t.Errorf("%d commits, want 8", len(rows))
	}
	for _, row := range rows {
		expectStatsOfGit(t, r, row)
		expectTrailersOfGit(t, r, row)
		expectChangedFilesOfGit(t, r, maintainer, row)
	}
	expectRenameInDiff(t, h, maintainer)
	expectUnifiedDiffOfGit(t, r, maintainer)
	paged := maintainer.Send("GET", commitsPath+"/main~3/diff?per_page=1&page=2", "")
	if files := read[[]fileDiff](t, paged, 200); len(files) != 1 || files[0].NewPath != "odd \"name\"\té.txt" ||
		!files[0].NewFile || files[0].AMode != "0" || paged.Header.Get("X-Total") != "2" {
		t.Errorf("%s", paged.Body)
	}
	expect(t, maintainer.Send("GET", commitsPath+"/none/diff", ""), 404, `{"message":"404 Commit Not Found"}`)
}

func TestTheDiffOfACommitHasAllFilesPageByPage(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	maintainer := h.ProjectMember(p, model.Maintainer)
	r := emptyHistory(t, p)
	const files = 1205
	for i := range files {
		r.write(fmt.Sprintf("f%04d.txt", i), fmt.Sprintf("file %d\n", i))
	}
	r.commit("f0003.link", "a file\n", "First")
	for i := range files {
		r.write(fmt.Sprintf("f%04d.txt", i), fmt.Sprintf("changed %d\n", i))
	}
	link := filepath.Join(r.folder, "f0003.link") // a file that becomes a link has two parts in the diff of git
	if err := errors.Join(os.Remove(link), os.Symlink("f0000.txt", link)); err != nil {
		t.Fatal(err)
	}
	r.commit("f0000.txt", "changed 0\n", "Change all")
	r.push(h, maintainer, "main")
	seen := map[string]bool{}
	for page := 1; page <= 13; page++ {
		got := maintainer.Send("GET", fmt.Sprintf("%s/main/diff?per_page=100&page=%d", commitsPath, page), "")
		if total := got.Header.Get("X-Total"); total != fmt.Sprint(files+1) {
			t.Fatalf("X-Total is %q", total)
		}
		for _, f := range read[[]fileDiff](t, got, 200) {
			seen[f.NewPath] = true
			number := strings.TrimLeft(strings.TrimSuffix(strings.TrimPrefix(f.NewPath, "f"), ".txt"), "0")
			if number == "" {
				number = "0"
			}
			if strings.HasSuffix(f.NewPath, ".txt") && !strings.HasSuffix(f.Diff, "\n+changed "+number+"\n") {
				t.Errorf("%s has the diff %q", f.NewPath, f.Diff)
			}
		}
	}
	if len(seen) != files+1 {
		t.Errorf("%d files, want %d", len(seen), files+1)
	}
	expect(t, maintainer.Send("GET", commitsPath+"/main/diff?per_page=100&page=14", ""), 200, "[]")
}

// expectStatsOfGit compares the added and removed lines of a commit with those that git counts.
func expectStatsOfGit(t *testing.T, r *history, row commit) {
	t.Helper()
	added, removed := 0, 0
	for line := range strings.Lines(r.run("show", "--format=", "--first-parent", "-m", "-M", "--numstat", row.ID)) {
		var a, d int
		if n, _ := fmt.Sscanf(line, "%d\t%d\t", &a, &d); n == 2 {
			added, removed = added+a, removed+d
		}
	}
	if row.Stats == nil || row.Stats.Additions != added || row.Stats.Deletions != removed ||
		row.Stats.Total != added+removed {
		t.Errorf("%s: %+v, want +%d -%d", row.Title, row.Stats, added, removed)
	}
}

// expectTrailersOfGit compares the trailers of a commit with those that git finds.
func expectTrailersOfGit(t *testing.T, r *history, row commit) {
	t.Helper()
	want := map[string]string{}
	for line := range strings.Lines(r.run("show", "-s", "--format=%(trailers:only,unfold)", row.ID)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			want[key] = value
		}
	}
	if fmt.Sprint(row.Trailers) != fmt.Sprint(want) {
		t.Errorf("%s: %v, want %v", row.Title, row.Trailers, want)
	}
}

// expectChangedFilesOfGit compares the paths in the diff of a commit with those that git lists.
func expectChangedFilesOfGit(t *testing.T, r *history, caller *harness.Caller, row commit) {
	t.Helper()
	var got []string
	for _, f := range read[[]fileDiff](t, caller.Send("GET", commitsPath+"/"+row.ID+"/diff", ""), 200) {
		got = append(got, f.NewPath)
	}
	listed := r.run("show", "--format=", "--first-parent", "-m", "-M", "--name-only", "-z", row.ID)
	want := strings.Split(strings.Trim(listed, "\x00"), "\x00")
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", row.Title, got, want)
	}
}

// expectRenameInDiff checks that the diff of v1.0 shows a renamed file with both of its paths.
func expectRenameInDiff(t *testing.T, h *harness.H, caller *harness.Caller) {
	t.Helper()
	renamed := caller.Send("GET", commitsPath+"/v1.0/diff", "")
	h.Golden("listProjectRepositoryCommitDiff/renamed", renamed.Body)
	if f := read[[]fileDiff](t, renamed, 200)[0]; !f.RenamedFile || f.OldPath != "src/a.txt" || f.NewPath != "src/b.txt" {
		t.Errorf("%+v, want src/a.txt renamed to src/b.txt", f)
	}
}

// expectUnifiedDiffOfGit checks that the unified diff of v1.0 is the one that git prints.
func expectUnifiedDiffOfGit(t *testing.T, r *history, caller *harness.Caller) {
	t.Helper()
	unified := read[[]fileDiff](t, caller.Send("GET", commitsPath+"/v1.0/diff?unidiff=true", ""), 200)
	if text := r.run("show", "--format=", "v1.0^{}"); !strings.HasSuffix(text+"\n", unified[0].Diff) ||
		!strings.HasPrefix(unified[0].Diff, "--- a/src/a.txt\n+++ b/src/b.txt\n@@") {
		t.Errorf("%q is not the end of %q", unified[0].Diff, text)
	}
}

func TestRefsAndSequenceOfACommitAreThoseOfGit(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, _ := pushedHistory(t, h, model.Public)
	anyone := h.Anonymous()
	for _, rev := range []string{"main", "topic", "main~4", "open/work"} {
		path := commitsPath + "/" + r.run("rev-parse", rev)
		got := read[[]struct{ Type, Name string }](t, anyone.Send("GET", path+"/refs", ""), 200)
		var names []string
		for _, ref := range got {
			names = append(names, ref.Name)
		}
		want := r.lines("for-each-ref", "--contains="+rev, "--format=%(refname:lstrip=2)", "refs/heads", "refs/tags")
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", rev, names, want)
		}
		expect(t, anyone.Send("GET", path+"/sequence", ""), 200, `{"count":`+r.run("rev-list", "--count", rev)+`}`)
		expect(t, anyone.Send("GET", path+"/sequence?first_parent=true", ""), 200,
			`{"count":`+r.run("rev-list", "--count", "--first-parent", rev)+`}`)
		expect(t, anyone.Send("GET", path+"/merge_requests", ""), 200, `[]`)
	}
	expect(t, anyone.Send("GET", commitsPath+"/main/refs?type=tag", ""), 200, `[{"type":"tag","name":"light"}]`)
	expect(t, anyone.Send("GET", commitsPath+"/open%2Fwork/refs?type=branch", ""), 200, `[{"type":"branch","name":"open/work"}]`)
	expect(t, anyone.Send("GET", commitsPath+"/open%2Fwork/refs?type=tag", ""), 200, `[]`)
	expect(t, anyone.Send("GET", commitsPath+"/main/refs?type=note", ""), 400, `{"error":"type does not have a valid value"}`)
	if got := anyone.Send("GET", commitsPath+"/main~4/refs?per_page=2", ""); got.Header.Get("X-Total") != "5" {
		t.Errorf("%v", got.Header)
	}
	for _, part := range []string{"refs", "sequence", "merge_requests", "comments", "statuses"} {
		expect(t, anyone.Send("GET", commitsPath+"/none/"+part, ""), 404, `{"message":"404 Commit Not Found"}`)
	}
}

// The refs of a commit are cached and must be correct after every push: after a branch is created, moved, reset or
// deleted, and after changes of tags.
func TestTheRefsOfACommitFollowEveryPush(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	reporter, stranger := h.ProjectMember(r.project, model.Reporter), h.NewUser()
	path := commitsPath + "/" + r.run("rev-parse", "main~2") + "/refs"
	refs := func(query string) string {
		t.Helper()
		var names []string
		for range 2 { // the second response comes from the cache
			names = nil
			for _, ref := range read[[]struct{ Type, Name string }](t, reporter.Send("GET", path+query, ""), 200) {
				names = append(names, ref.Type+" "+ref.Name)
			}
		}
		return strings.Join(names, ", ")
	}
	before := refs("")
	expect(t, stranger.Send("GET", path, ""), 404, `{"message":"404 Project Not Found"}`)
	for _, step := range []struct {
		push            []string
		branches, added string
	}{
		{[]string{"main~1:refs/heads/a/new"}, "branch a/new, branch main, branch open/work", "branch a/new, "},
		{[]string{"main~3:refs/heads/b/old"}, "branch a/new, branch main, branch open/work", "branch a/new, "},
		{[]string{"main:refs/heads/b/old"}, "branch a/new, branch b/old, branch main, branch open/work", "branch a/new, branch b/old, "},
		{[]string{"+main~3:refs/heads/a/new"}, "branch b/old, branch main, branch open/work", "branch b/old, "},
		{[]string{":refs/heads/b/old"}, "branch main, branch open/work", ""},
	} {
		r.push(h, maintainer, step.push...)
		if got := refs("?type=branch"); got != step.branches {
			t.Errorf("after %s: %s", step.push, got)
		}
		if got := refs(""); got != step.added+before {
			t.Errorf("after %s: all are %s", step.push, got)
		}
	}
	tags := refs("?type=tag")
	r.run("tag", "-a", "-m", "x", "zz", "main~1")
	r.run("tag", "zz-tree", "main^{tree}")
	r.push(h, maintainer, "zz", "zz-tree", "main~4:refs/tags/zz-old")
	if got := refs("?type=tag"); got != strings.TrimPrefix(tags+", tag zz", ", ") {
		t.Errorf("tags are %s", got)
	}
	r.push(h, maintainer, ":refs/tags/zz")
	if got := refs(""); got != before {
		t.Errorf("in the end they are %s, before %s", got, before)
	}
}

func TestCommitsAreCommentedOn(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Public)
	visitor := h.NewUser(named("visitor"))
	path := commitsPath + "/main/comments"
	whole := visitor.JSON("POST", path, `{"note":"Nice <b>work</b>"}`)
	expect(t, whole, 201, "")
	h.Golden("createProjectRepositoryCommitComment/whole", whole.Body)
	line := maintainer.JSON("POST", commitsPath+"/"+r.run("rev-parse", "main")+"/comments",
		`{"note":"here","path":"/src/b.txt","line":1,"line_type":"new"}`)
	expect(t, line, 201, "")
	if member(t, line, "path") != "src/b.txt" || member(t, line, "line") != 1.0 || member(t, line, "line_type") != "new" {
		t.Errorf("%s", line.Body)
	}
	listed := h.Anonymous().Send("GET", path, "")
	expect(t, listed, 200, "["+whole.Body+","+line.Body+"]")
	expect(t, h.Anonymous().Send("GET", commitsPath+"/topic/comments", ""), 200, "[]")
	for body, want := range map[string]string{
		`{}`:                      `{"error":"note is missing"}`,
		`{"note":""}`:             `{"error":"note is empty"}`,
		`{"note":" "}`:            `{"error":"note is empty"}`,
		`{"note":"x","path":"a"}`: `{"error":"line is missing, line_type is missing"}`,
		`{"note":"x","path":"../a","line":1,"line_type":"old"}`: `{"error":"path is invalid"}`,
		`{"note":"x","path":"a","line":1,"line_type":"none"}`:   `{"error":"line_type does not have a valid value"}`,
	} {
		expect(t, visitor.JSON("POST", path, body), 400, want)
	}
	expect(t, h.Anonymous().JSON("POST", path, `{"note":"x"}`), 401, "")
	expect(t, visitor.JSON("POST", commitsPath+"/none/comments", `{"note":"x"}`), 404, `{"message":"404 Commit Not Found"}`)
}

func TestStatusesOfACommitAreReported(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, _ := pushedHistory(t, h, model.Private)
	developer, reporter := h.NewUser(named("dev")), h.ProjectMember(r.project, model.Reporter)
	h.JoinProject(r.project, developer.User, model.Developer)
	report := "/projects/acme%2Fweb/statuses/" + r.run("rev-parse", "topic")
	list := commitsPath + "/topic/statuses"
	first := developer.JSON("POST", report,
		`{"state":"pending","name":"build","ref":"topic","target_url":"https://ci.example.com/1","description":"waits"}`)
	expect(t, first, 201, "")
	h.Golden("createProjectStatus/pending", first.Body)
	running := developer.JSON("POST", report, `{"state":"running","name":"build","ref":"topic"}`)
	done := developer.JSON("POST", report, `{"state":"success","context":"build","ref":"topic","coverage":98.5}`)
	for _, got := range []harness.Answer{running, done} {
		if member(t, got, "id") != member(t, first, "id") || member(t, got, "description") != "waits" ||
			member(t, got, "started_at") == nil {
			t.Errorf("%s", got.Body)
		}
	}
	if member(t, done, "finished_at") == nil || member(t, done, "coverage") != 98.5 || member(t, running, "finished_at") != nil {
		t.Errorf("%s", done.Body)
	}
	again := developer.JSON("POST", report, `{"state":"failed","name":"build","ref":"topic"}`)
	if member(t, again, "id") == member(t, first, "id") {
		t.Errorf("an ended status was changed: %s", again.Body)
	}
	usual := developer.JSON("POST", report, `{"state":"canceled"}`)
	if member(t, usual, "ref") != "main" || member(t, usual, "name") != "default" {
		t.Errorf("%s", usual.Body)
	}
	expect(t, reporter.Send("GET", list, ""), 200, "["+again.Body+","+usual.Body+"]")
	expect(t, reporter.Send("GET", list+"?all=true&sort=desc", ""), 200, "["+usual.Body+","+again.Body+","+done.Body+"]")
	expect(t, reporter.Send("GET", list+"?name=build", ""), 200, "["+again.Body+"]")
	expect(t, reporter.Send("GET", list+"?ref=main", ""), 200, "["+usual.Body+"]")
	for body, want := range map[string]string{
		`{}`:                  `{"error":"state is missing"}`,
		`{"state":"perfect"}`: `{"error":"state does not have a valid value"}`,
		`{"state":"success","target_url":"javascript:alert(1)"}`: `{"message":{"target_url":["is blocked: Only ` +
			`allowed schemes are http, https"]}}`,
		`{"state":"success","description":"` + strings.Repeat("x", 256) +
			`"}`: `{"message":{"description":["is too long (maximum is 255 characters)"]}}`,
		`{"state":"success","ref":"a..b"}`: `{"message":{"ref":["is invalid"]}}`,
	} {
		expect(t, developer.JSON("POST", report, body), 400, want)
	}
	expect(t, reporter.JSON("POST", report, `{"state":"success"}`), 403, "")
	expect(t, developer.JSON("POST", "/projects/acme%2Fweb/statuses/"+strings.Repeat("0", 40), `{"state":"success"}`),
		404, `{"message":"404 Commit Not Found"}`)
}
