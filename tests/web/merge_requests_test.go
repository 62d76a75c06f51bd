package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// mergeServer is a server with a project that has merge requests.
type mergeServer struct {
	*issueServer
	developer *harness.Caller
	local     *harness.History
	list      string // the address of the list of merge requests
}

// newMergeServer makes a server whose project has the branches main, change (one commit ahead) and conflict.
func newMergeServer(t *testing.T, visibility model.Visibility, edit ...func(*model.Project)) *mergeServer {
	t.Helper()
	s := &mergeServer{issueServer: &issueServer{H: harness.New(t)}, local: harness.NewHistory(t)}
	s.owner, s.reporter, s.outsider = s.NewUserWithPassword(), s.NewUserWithPassword(), s.NewUserWithPassword()
	s.project = s.Project(*s.owner.User.NamespaceID, append(edit, func(p *model.Project) { p.Path, p.Visibility = "roof", visibility })...)
	s.JoinProject(s.project, s.reporter.User, model.Reporter)
	s.developer = s.NewUserWithPassword()
	s.JoinProject(s.project, s.developer.User, model.Developer)
	s.root, s.api = "/"+s.project.FullPath, fmt.Sprintf("/projects/%d", s.project.ID)
	s.list = s.root + "/-/merge_requests"
	s.local.Write("roof.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n")
	s.local.Commit("Ann <ann@example.com>", "Lay the beams")
	s.local.Git("switch", "-q", "-c", "change")
	s.local.Write("roof.txt", "one\nTWO <b>\nthree\nfour\nfive\nsix\nseven\neight\n")
	s.local.Write("new & file.txt", "hello\n")
	s.local.Commit("Ann <ann@example.com>", "Paint <it> blue")
	s.local.Git("switch", "-q", "-c", "conflict", "main")
	s.local.Write("roof.txt", "one\n2\nthree\nfour\nfive\nsix\nseven\neight\n")
	s.local.Commit("Ann <ann@example.com>", "Use numbers")
	s.local.Push(s.owner, s.project)
	s.StartWorker()
	return s
}

// open creates a merge request with the API.
func (s *mergeServer) open(t *testing.T, source string, more string) string {
	t.Helper()
	body := fmt.Sprintf(`{"source_branch":%q,"target_branch":"main","title":"Merge <%s>"%s}`, source, source, more)
	iid, _ := made(t, s.developer, s.api+"/merge_requests", body)
	return fmt.Sprintf("%s/%d", s.list, iid)
}

func TestAMergeRequestHasPages(t *testing.T) {
	t.Parallel()
	s := newMergeServer(t, model.Private)
	made(t, s.owner, s.api+"/issues", `{"title":"Leak"}`)
	path := s.open(t, "change", fmt.Sprintf(`,"description":"Closes #1 **now**","labels":"paint","reviewer_ids":[%d]`, s.owner.User.ID))
	b := s.SignedIn(s.developer.User)
	page := openPage(t, s.H, b, s.list, 16)
	has(t, page, "Merge &lt;change&gt;", ">paint</a>")
	page = openPage(t, s.H, b, path, 40)
	checkPage(t, page, 200, path, "Merge <change>")
	has(t, page, "<strong>now</strong>", "Nothing blocks the merge.", `/-/tree/change"`, s.owner.User.Name, ">Leak</strong>",
		`action="`+path+`/approve"`)
	lacks(t, page, `action="`+path+`/merge"`) // developers may not merge into a protected branch
	page = openPage(t, s.H, b, path+"/commits", 20)
	has(t, page, "1 commit<", "Paint &lt;it&gt; blue")
	page = openPage(t, s.H, b, path+"/diffs", 20)
	has(t, page, "TWO &lt;b&gt;", "new &amp; file.txt", "2 changed files", "Comment on a line")
	openPage(t, s.H, b, path+"/diffs?file=roof.txt", 20)
	openPage(t, s.H, b, path+"/pipelines", 20)
	for _, at := range []string{"", "/commits", "/diffs", "/pipelines", "/description", "/edit"} {
		hidden(t, s.SignedIn(s.outsider.User), path+at)
		hidden(t, s.Browser(), path+at)
	}
	hidden(t, s.SignedIn(s.outsider.User), s.list)
	hidden(t, b, path+"/diffs?file=nothing.txt")
	hidden(t, s.SignedIn(s.reporter.User), path+"/edit")
	for query, found := range map[string]bool{
		"?state=merged": false, "?state=all": true, "?labels=paint": true, "?reviewer_username=" + s.owner.User.Username: true,
		"?source_branch=conflict": false, "?scope=reviews_for_me": false, "?release_tag=v9&state=opened": false,
	} {
		if page := openPage(t, s.H, b, s.list+query, 16); strings.Contains(page.Text(), "Merge <change>") != found {
			t.Errorf("the list %s shows:\n%s", query, page.Text())
		}
	}
}

func TestAPushedBranchBecomesAMergeRequest(t *testing.T) {
	t.Parallel()
	s := newMergeServer(t, model.Private)
	b := s.SignedIn(s.developer.User)
	page := b.Get(s.list + "/new?merge_request%5Bsource_branch%5D=change")
	has(t, page, `value="Paint &lt;it&gt; blue"`, "1 commit")
	checkPage(t, b.Submit(s.list, url.Values{"title": {""}}), 422, "", "Title can't be blank")
	page = b.Submit(s.list, url.Values{"title": {"Blue"}, "description": {"text"}, "reviewer_ids": {id(s.owner.User)}, "squash": {"1"}})
	checkPage(t, page, 200, s.list+"/1", "The merge request was created.")
	has(t, page, s.owner.User.Name)
	b.Get(s.list + "/new?merge_request%5Bsource_branch%5D=change")
	checkPage(t, b.Submit(s.list, url.Values{"title": {"Again"}}), 422, "", "Another open merge request already exists")
	checkPage(t, b.Get(s.list+"/new?merge_request%5Bsource_branch%5D=nothing"), 422, "", "does not exist")
	page = b.Get(s.list + "/new")
	has(t, page, `<option value="change">change</option>`)
	hidden(t, s.SignedIn(s.reporter.User), s.list+"/new")
	hidden(t, s.SignedIn(s.outsider.User), s.list+"/new")

	b.Get(s.list + "/1/edit")
	page = b.Submit(s.list+"/1", url.Values{"title": {"Draft: blue"}, "description": {"more"}, "target_branch": {"nothing"}})
	checkPage(t, page, 422, "", `Target branch "nothing" does not exist`)
	page = b.Submit(s.list+"/1", url.Values{"title": {"Draft: blue"}, "target_branch": {"main"}})
	checkPage(t, page, 200, s.list+"/1", "Draft: blue")
	has(t, page, "Mark as ready", "is a draft")
}

func TestLinesOfAMergeRequestAreDiscussed(t *testing.T) {
	t.Parallel()
	s := newMergeServer(t, model.Private)
	path := s.open(t, "change", "")
	b := s.SignedIn(s.reporter.User)
	b.Get(path + "/diffs")
	send := func(fill url.Values) harness.Page {
		b.Get(path + "/diffs")
		return b.Submit(path+"/diffs", fill)
	}
	checkPage(t, send(url.Values{"file": {"roof.txt"}, "line": {"99"}, "body": {"x"}}), 422, "", "Line is not among the changes")
	checkPage(t, send(url.Values{"file": {"other.txt"}, "line": {"1"}, "body": {"x"}}), 422, "", "File is not among the changed files")
	checkPage(t, send(url.Values{"file": {"roof.txt"}, "line": {"2"}, "body": {""}}), 422, "", "empty")
	old := url.Values{"file": {"roof.txt"}, "line": {"2"}, "body": {"x"}, "head": {strings.Repeat("0", 40)}}
	checkPage(t, send(old), 422, "", "new commits")
	page := send(url.Values{"file": {"roof.txt"}, "line": {"2"}, "body": {"Why **blue**?"}})
	checkPage(t, page, 200, path+"/diffs", "The comment was saved.")
	has(t, page, `class="below"`, "Why <strong>blue</strong>?", "Not resolved.")
	page = send(url.Values{"file": {"roof.txt"}, "line": {"2"}, "side": {"old"}, "body": {"Why not two?"}})
	has(t, page, "Why not two?")
	send(url.Values{"file": {"roof.txt"}, "line": {"4"}, "body": {"A line without change"}})

	page = b.Get(path)
	has(t, page, "roof.txt, line 2", "roof.txt, old line 2", "roof.txt, line 4")
	answer := s.reporter.Send("GET", s.api+"/merge_requests/1/discussions", "")
	if !strings.Contains(answer.Body, `"new_line":2`) || !strings.Contains(answer.Body, `"position_type":"text"`) {
		t.Errorf("the API shows %s", answer.Body)
	}
	thread := between(page.Body, path+"/discussions/", "/notes")
	page = b.Submit(path+"/discussions/"+thread+"/notes", url.Values{"body": {"Because"}})
	checkPage(t, page, 200, path, "Because")
	resolve := url.Values{"authenticity_token": {token(page)}, "resolved": {"true"}}
	if page := b.Post(path+"/discussions/"+thread+"/resolve", resolve); page.Status != 403 {
		t.Errorf("a reporter resolves a thread: %d", page.Status)
	}
	author := s.SignedIn(s.developer.User)
	author.Get(path)
	page = author.Submit(path+"/discussions/"+thread+"/resolve", nil)
	checkPage(t, page, 200, path, "Resolved by "+s.developer.User.Name)
}

func TestAMergeRequestIsApprovedAndMerged(t *testing.T) {
	t.Parallel()
	s := newMergeServer(t, model.Private)
	path := s.open(t, "change", "")
	b := s.SignedIn(s.owner.User)
	b.Get(path)
	page := b.Submit(path+"/approve", nil)
	checkPage(t, page, 200, path, "Approved by "+s.owner.User.Name)
	page = b.Submit(path+"/unapprove", nil)
	checkPage(t, page, 200, path, "Nobody has approved it yet.")
	page = b.Submit(path+"/merge", url.Values{"sha": {strings.Repeat("0", 40)}})
	checkPage(t, page, 422, "", "SHA does not match HEAD")
	b.Get(path)
	page = b.Submit(path+"/merge", url.Values{"should_remove_source_branch": {"1"}, "merge_commit_message": {"All blue"}})
	checkPage(t, page, 200, path, "The merge request was merged.")
	has(t, page, "The changes are in")
	s.local.Git("fetch", "-q", strings.Replace(s.URL, "://", "://oauth2:"+s.owner.Token+"@", 1)+s.root+".git", "main")
	if got := s.local.Line("log", "-1", "--format=%s", "FETCH_HEAD"); got != "All blue" {
		t.Errorf("the merge commit is %q", got)
	}
	page = b.Post(path+"/merge", url.Values{"authenticity_token": {token(page)}})
	checkPage(t, page, 422, "", "cannot be merged now")
	reporter := s.SignedIn(s.reporter.User)
	reporter.Get(path)
	if page := reporter.Post(path+"/merge", url.Values{"authenticity_token": {token(reporter.Page)}}); page.Status != 403 {
		t.Errorf("a reporter merges: %d", page.Status)
	}
}

func TestConflictsAreExplained(t *testing.T) {
	t.Parallel()
	s := newMergeServer(t, model.Private)
	first, second := s.open(t, "change", ""), s.open(t, "conflict", "")
	b := s.SignedIn(s.owner.User)
	b.Get(first)
	checkPage(t, b.Submit(first+"/merge", nil), 200, first, "merged")
	page := b.Get(second)
	has(t, page, "The branches conflict", "<li><code>roof.txt</code></li>", "git merge origin/main", `action="`+second+`/rebase"`)
	lacks(t, page, `action="`+second+`/merge"`)
	checkPage(t, b.Submit(second+"/rebase", nil), 200, second, "being rebased")
	has(t, b.Get(s.list), ">conflicts<")
}

func TestLargeChangesLoadOnDemand(t *testing.T) {
	t.Parallel()
	s := newMergeServer(t, model.Private)
	s.local.Git("switch", "-q", "-c", "large", "main")
	s.local.Write("a.txt", strings.Repeat("a line of a file with <b> and &\n", 3000))
	s.local.Write("b.txt", strings.Repeat("x\n", 55000)+strings.Repeat("y\n", 50000))
	s.local.Write("c.txt", "small\n")
	s.local.Git("mv", "roof.txt", "attic.txt")
	s.local.Commit("Ann <ann@example.com>", "Grow")
	s.local.Push(s.owner, s.project)
	path := s.open(t, "large", "")
	b := s.SignedIn(s.owner.User)
	page := openPage(t, s.H, b, path+"/diffs", 20)
	has(t, page, "The changes are too large to show.", "small", `/diffs?file=a.txt"`, "4 changed files", "renamed")
	page = openPage(t, s.H, b, path+"/diffs?file=a.txt", 20)
	has(t, page, "Show more changes")
	next := between(page.Body, `<p><a href="`+path+`/diffs?`, `" rel="nofollow" data-more`)
	openPage(t, s.H, b, path+"/diffs?"+strings.ReplaceAll(next, "&amp;", "&"), 20)
	page = openPage(t, s.H, b, path+"/diffs?file=attic.txt", 20)
	has(t, page, "renamed")
}
