package api

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

const commitsPath = "/projects/acme%2Fweb/repository/commits"

// commit is a commit in a response.
type commit struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	Trailers map[string]string `json:"trailers"`
	Stats    *struct {
		Additions, Deletions, Total int
	} `json:"stats"`
}

func commitIDs(rows []commit) []string {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	return ids
}

func TestCommitsAreListedAsGitDoes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	base := strings.TrimSpace(r.run("show", "-s", "--format=%ct", "main~2"))
	since := r.run("show", "-s", "--format=%cI", "main~2")
	for query, args := range map[string][]string{
		"":                                {"main"},
		"ref_name=open/work":              {"open/work"},
		"ref_name=v1.0":                   {"v1.0"},
		"ref_name=main~2":                 {"main~2"},
		"ref_name=topic&path=src":         {"topic", "--", "src"},
		"path=src/a.txt":                  {"main", "--", "src/a.txt"},
		"path=/src/":                      {"main", "--", "src"},
		"path=*.txt":                      {"-n0", "main"}, // a literal path, not a pattern
		"author=Bob":                      {"--author=Bob", "main"},
		"author=bob@example":              {"--author=bob@example", "main"},
		"author=B.b":                      {"-n0", "main"},
		"all=true":                        {"--branches", "--tags"},
		"first_parent=true":               {"--first-parent", "main"},
		"order=topo":                      {"--topo-order", "main"},
		"per_page=2&page=2":               {"--skip=2", "-n2", "main"},
		"since=" + url.QueryEscape(since): {"--since=@" + base + " +0000", "main"},
		"until=" + url.QueryEscape(since): {"--until=@" + base + " +0000", "main"},
		"since=1900-01-01":                {"main"},
		"until=1900-01-01":                {"-n0", "main"},
	} {
		got := maintainer.Send("GET", commitsPath+"?"+query, "")
		rows := read[[]commit](t, got, 200)
		if want := r.lines(append([]string{"rev-list"}, args...)...); !slices.Equal(commitIDs(rows), want) {
			t.Errorf("%s: %v, want %v", query, commitIDs(rows), want)
		}
		if got.Header.Get("X-Total") != "" || got.Header.Get("X-Page") == "" {
			t.Errorf("%s: %v", query, got.Header)
		}
	}
	for query, want := range map[string]string{
		"ref_name=none":         `{"message":"404 Commit Not Found"}`,
		"ref_name=-n":           `{"message":"404 Commit Not Found"}`,
		"ref_name=main..topic":  `{"message":"404 Commit Not Found"}`,
		"ref_name=main@{1}":     `{"message":"404 Commit Not Found"}`,
		"ref_name=main%0Atopic": `{"message":"404 Commit Not Found"}`,
		"ref_name=:/First":      `{"message":"404 Commit Not Found"}`,
		"ref_name=main:src":     `{"message":"404 Commit Not Found"}`,
		"path=../x":             `{"error":"path is invalid"}`,
		"path=.git/config":      `{"error":"path is invalid"}`,
		"order=random":          `{"error":"order does not have a valid value"}`,
		"since=soon":            `{"error":"since is invalid"}`,
		"pagination=keyset":     `{"error":"Keyset pagination is not yet available for this type of request"}`,
	} {
		if got := maintainer.Send("GET", commitsPath+"?"+query, ""); got.Status/100 != 4 || got.Body != want {
			t.Errorf("%s: %d %s", query, got.Status, got.Body)
		}
	}
	for _, query := range []string{"ref_name=a%00b", "path=a%00b", "author=a%00b"} {
		if got := maintainer.Send("GET", commitsPath+"?"+query, ""); got.Status != 400 && got.Status != 404 {
			t.Errorf("%s: %d %s", query, got.Status, got.Body)
		}
	}
	h.Golden("listProjectRepositoryCommits/with_all", maintainer.Send("GET", commitsPath+"?with_stats=1&trailers=1&all=1", "").Body)
}

func TestACommitIsShownInFull(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, _ := pushedHistory(t, h, model.Public)
	anyone := h.Anonymous()
	for name, rev := range map[string]string{
		"merge": "main~2", "latin": "main", "trailers": "topic", "signed_off": "open/work", "first": "main~5",
	} {
		id := r.run("rev-parse", rev)
		shown := anyone.Send("GET", commitsPath+"/"+id, "")
		h.Golden("getProjectRepositoryCommit/"+name, shown.Body)
		expect(t, shown, 200, "")
		expect(t, anyone.Send("GET", commitsPath+"/"+url.PathEscape(rev), ""), 200, shown.Body)
		expect(t, anyone.Send("GET", commitsPath+"/"+id[:9], ""), 200, shown.Body)
	}
	if got := read[commit](t, anyone.Send("GET", commitsPath+"/main?stats=false", ""), 200); got.Stats != nil {
		t.Errorf("not asked for: %+v", got.Stats)
	}
	for _, rev := range []string{
		"none", "-n", "a..b", "main@{0}", strings.Repeat("0", 40), "main%00", "main%0A", "v1.0%5E%7Bblob%7D",
		"main:README.md", strings.Repeat("a", 2000),
	} {
		got := anyone.Send("GET", commitsPath+"/"+strings.ReplaceAll(rev, ":", "%3A"), "")
		if got.Status != 404 && got.Status != 400 {
			t.Errorf("%s: %d %s", rev, got.Status, got.Body)
		}
	}
	expect(t, anyone.Send("GET", commitsPath+"/none", ""), 404, `{"message":"404 Commit Not Found"}`)
}

func TestAnEmptyRepositoryHasNoCommits(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	reporter, guest := h.ProjectMember(p, model.Reporter), h.ProjectMember(p, model.Guest)
	expect(t, reporter.Send("GET", commitsPath, ""), 200, "[]")
	expect(t, reporter.Send("GET", commitsPath+"?all=1", ""), 200, "[]")
	expect(t, reporter.Send("GET", commitsPath+"?ref_name=main", ""), 404, `{"message":"404 Commit Not Found"}`)
	expect(t, reporter.Send("GET", commitsPath+"/HEAD", ""), 404, `{"message":"404 Commit Not Found"}`)
	expect(t, guest.Send("GET", commitsPath, ""), 403, "")
	expect(t, h.NewUser().Send("GET", commitsPath, ""), 404, `{"message":"404 Project Not Found"}`)
}
