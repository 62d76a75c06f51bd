package api

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"

	"svc/gen"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"

	"github.com/google/go-cmp/cmp"
)

func contributors(t *testing.T, a harness.Answer) []gen.Contributor {
	t.Helper()
	var rows []gen.Contributor
	if err := json.Unmarshal([]byte(a.Body), &rows); err != nil || a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	return rows
}

// shortlog returns the counts of git shortlog -sne, with the line counts from git log --numstat.
func shortlog(r *harness.History, ref string, lines bool) []gen.Contributor {
	byName := map[string]*gen.Contributor{}
	var rows []*gen.Contributor
	for line := range strings.Lines(r.Git("shortlog", "-sne", ref)) {
		count, who, _ := strings.Cut(strings.TrimSpace(line), "\t")
		name, email, _ := strings.Cut(strings.TrimSuffix(who, ">"), " <")
		n, _ := strconv.ParseInt(count, 10, 64)
		c := &gen.Contributor{Name: name, Email: email, Commits: n}
		byName[name+email] = c
		rows = append(rows, c)
	}
	var who *gen.Contributor
	for line := range strings.Lines(r.Git("log", "--no-merges", "--numstat", "--format=@%an%ae", ref)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "@"); ok {
			who = byName[name]
		} else if parts := strings.Fields(line); len(parts) > 2 && lines {
			added, _ := strconv.ParseInt(parts[0], 10, 64)
			removed, _ := strconv.ParseInt(parts[1], 10, 64)
			who.Additions += added
			who.Deletions += removed
		}
	}
	sort.Slice(rows, func(i, j int) bool { return rows[i].Name < rows[j].Name })
	out := []gen.Contributor{}
	for _, row := range rows {
		out = append(out, *row)
	}
	return out
}

func TestContributorsAreWhatGitCounts(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	rule := model.ProtectedBranch{ProjectID: p.ID, Name: "main", PushAccessLevel: model.Maintainer, AllowForcePush: true}
	if err := h.Store.Protections.ProtectBranch(t.Context(), &rule); err != nil {
		t.Fatal(err)
	}
	r := repoHistory(t)
	r.Push(ann, p)
	byName := func(c *harness.Caller, ref string) []gen.Contributor {
		return contributors(t, c.Send("GET", repoAt(p, "contributors", "order_by", "name", "ref", ref), ""))
	}
	for _, ref := range []string{"main", "feature", "cross", "v1", "alone", "main"} {
		if diff := cmp.Diff(shortlog(r, ref, false), byName(h.Anonymous(), ref)); diff != "" {
			t.Errorf("%s:\n%s", ref, diff)
		}
	}
	// A background job counts the lines. It continues from the last count, even if a branch was reset.
	h.StartWorker()
	check := func(when string) {
		t.Helper()
		want, got := shortlog(r, "main", true), []gen.Contributor(nil)
		defer func() {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s:\n%s", when, diff)
			}
		}()
		wait.Until(t, "the contributors are those of git", func() bool {
			got = byName(ann, "")
			return cmp.Equal(want, got)
		})
	}
	check("at first")
	r.Git("checkout", "-q", "main")
	for i := range 3 {
		r.Write("more", fmt.Sprintf("%d\n", i))
		r.Commit(fmt.Sprintf("New %d <new@example.com>", i%2), "More")
	}
	r.Git("merge", "-q", "--no-ff", "-m", "Merge", "feature~1")
	r.Push(ann, p)
	check("after a push")
	r.Git("reset", "-q", "--hard", "main~2")
	r.Write("other", "1\n2\n")
	r.Commit("Ann <ann@example.com>", "Other")
	r.Push(ann, p)
	check("after a forced push")
}

func TestContributorsAreOrderedAndPaged(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	ann := h.NewUser()
	p := h.Project(*ann.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	r := harness.NewHistory(t)
	for _, author := range []string{"C <a@x>", "C <a@x>", "C <a@x>", "A <c@x>", "B <b@x>", "B <b@x>"} {
		r.Commit(author, "x")
	}
	r.Push(ann, p)
	names := func(query ...string) string {
		var all []string
		for _, c := range contributors(t, ann.Send("GET", repoAt(p, "contributors", query...), "")) {
			all = append(all, c.Name)
		}
		return strings.Join(all, "")
	}
	for query, want := range map[string]string{
		"": "ABC", "order_by=commits": "ABC", "order_by=commits&sort=desc": "CBA", "order_by=name": "ABC",
		"order_by=name&sort=desc": "CBA", "order_by=email": "CBA",
		"order_by=email&sort=desc": "ABC", "per_page=2": "AB", "per_page=2&page=2": "C", "page=3": "",
	} {
		var pairs []string
		for part := range strings.SplitSeq(query, "&") {
			key, value, _ := strings.Cut(part, "=")
			if key != "" {
				pairs = append(pairs, key, value)
			}
		}
		if got := names(pairs...); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if a := ann.Send("GET", repoAt(p, "contributors", "per_page", "2"), ""); a.Header.Get("X-Total") != "3" ||
		a.Header.Get("X-Next-Page") != "2" {
		t.Errorf("headers are %v", a.Header)
	}
	expect(t, ann.Send("GET", repoAt(p, "contributors", "order_by", "age"), ""), 400, `{"error":"order_by does not have a valid value"}`)
}
