package api

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// mergeRequest is a merge request in a response.
type mergeRequest struct {
	ID         int64   `json:"id"`
	IID        int64   `json:"iid"`
	Title      string  `json:"title"`
	State      string  `json:"state"`
	Draft      bool    `json:"draft"`
	SHA        string  `json:"sha"`
	Status     string  `json:"merge_status"`
	Detailed   string  `json:"detailed_merge_status"`
	MergeSHA   *string `json:"merge_commit_sha"`
	SquashSHA  *string `json:"squash_commit_sha"`
	MergeError *string `json:"merge_error"`
	Changes    *string `json:"changes_count"`
	Target     string  `json:"target_branch"`
	Awaits     bool    `json:"merge_when_pipeline_succeeds"`
	Labels     []any   `json:"labels"`
	Subscribed bool    `json:"subscribed"`
	Diverged   *int64  `json:"diverged_commits_count"`
	Rebasing   *bool   `json:"rebase_in_progress"`
	References struct{ Full string }
	Assignees  []struct{ Username string }
	Reviewers  []struct{ Username string }
	MergeUser  *struct{ Username string } `json:"merge_user"`
	HeadRun    *pipeline                  `json:"head_pipeline"`
	DiffRefs   *struct {
		Base  string `json:"base_sha"`
		Start string `json:"start_sha"`
	} `json:"diff_refs"`
	User struct {
		CanMerge bool `json:"can_merge"`
	} `json:"user"`
	Overflow *bool `json:"overflow"`
	Files    []struct {
		Path string `json:"new_path"`
	} `json:"changes"`
}

// masked matches the parts of a response that differ in each run.
var masked = regexp.MustCompile(`[0-9a-f]{40}|(?i:user) ?[0-9]+`)

// mergeProject is a project whose branch main has a file, with its members.
type mergeProject struct {
	ciFixture
	developer, reporter *harness.Caller
	mrs                 string
}

func newMergeProject(t *testing.T, h *harness.H, edit ...func(*model.Project)) mergeProject {
	t.Helper()
	w := mergeProject{
		ciFixture: ciProject(t, h, map[string]string{"README.md": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"}, edit...),
	}
	w.developer, w.reporter = h.ProjectMember(w.project, model.Developer), h.ProjectMember(w.project, model.Reporter)
	w.mrs = w.path + "/merge_requests"
	return w
}

// openMergeRequest opens a merge request into main.
func (w mergeProject) openMergeRequest(branch, title string) mergeRequest {
	w.t.Helper()
	return read[mergeRequest](w.t,
		w.developer.JSON("POST", w.mrs, fmt.Sprintf(`{"source_branch":%q,"target_branch":"main","title":%q}`, branch, title)), 201)
}

func (w mergeProject) get(iid int64) mergeRequest {
	w.t.Helper()
	return read[mergeRequest](w.t, w.developer.Send("GET", fmt.Sprintf("%s/%d", w.mrs, iid), ""), 200)
}

func (w mergeProject) at(iid int64, rest string) string {
	return fmt.Sprintf("%s/%d%s", w.mrs, iid, rest)
}

// notes returns the system notes of a merge request.
func (w mergeProject) notes(id int64) string {
	w.t.Helper()
	rows, err := w.h.Store.SQL().QueryContext(w.t.Context(),
		fmt.Sprintf("SELECT body FROM notes WHERE noteable_type = 'MergeRequest' AND noteable_id = %d ORDER BY id", id))
	if err != nil {
		w.t.Fatal(err)
	}
	defer rows.Close()
	var bodies []string
	for rows.Next() {
		var body string
		if err := rows.Scan(&body); err != nil {
			w.t.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return strings.Join(bodies, "|")
}

func TestAMergeRequestIsOpenedChangedAndClosed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	mr := openDraft(t, w)
	changed := read[mergeRequest](t, w.developer.JSON("PUT", w.at(mr.IID, ""),
		`{"title":"Add a","remove_labels":"ui","add_labels":"fast","reviewer_ids":[],"assignee_id":0,`+
			`"discussion_locked":true,"description":null}`), 200)
	if changed.Draft || changed.Detailed != "mergeable" || fmt.Sprint(changed.Labels) != "[bug fast]" ||
		len(changed.Assignees)+len(changed.Reviewers) != 0 {
		t.Errorf("changed is %+v", changed)
	}
	for _, want := range []string{"ready", "unassigned", "removed review request", "locked the discussion"} {
		if !strings.Contains(w.notes(mr.ID), want) {
			t.Errorf("%q is not noted: %s", want, w.notes(mr.ID))
		}
	}
	closeAndReopen(t, w, mr.IID)
	expect(t, w.reporter.Send("DELETE", w.at(mr.IID, ""), ""), 403, "")
	expect(t, w.developer.Send("DELETE", w.at(mr.IID, ""), ""), 204, "")
	expect(t, w.developer.Send("GET", w.at(mr.IID, ""), ""), 404, `{"message":"404 Merge Request Not Found"}`)
}

// openDraft opens a draft of the branch feature/a with labels, an assignee and a reviewer.
func openDraft(t *testing.T, w mergeProject) mergeRequest {
	t.Helper()
	head := w.commit("feature/a", "Add a", map[string]string{"a.txt": "a\n"})
	made := w.developer.JSON(
		"POST",
		w.mrs,
		fmt.Sprintf(`{"source_branch":"feature/a","target_branch":"main","title":"Draft: Add a","description":"- [x] one\n- [ ] two",
		"labels":"bug,ui","assignee_id":%d,"reviewer_ids":[%d],"squash":true}`, w.maintainer.User.ID, w.reporter.User.ID),
	)
	expect(t, made, 201, "")
	w.h.Golden("createProjectMergeRequest/mergerequest", masked.ReplaceAllString(made.Body, "x"))
	mr := read[mergeRequest](t, made, 201)
	if !mr.Draft || mr.SHA != head || mr.Detailed != "draft_status" || mr.Status != "can_be_merged" ||
		len(mr.Labels) != 2 || *mr.Changes != "1" || !mr.Subscribed {
		t.Errorf("made is %+v", mr)
	}
	return mr
}

// closeAndReopen closes a merge request of the branch feature/a and opens it again. That is refused while the branch
// has another open merge request.
func closeAndReopen(t *testing.T, w mergeProject, iid int64) {
	t.Helper()
	closed := read[mergeRequest](t, w.developer.JSON("PUT", w.at(iid, ""), `{"state_event":"close"}`), 200)
	if closed.State != "closed" || closed.Detailed != "not_open" {
		t.Errorf("closed is %+v", closed)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(iid, "/merge"), `{}`), 405, `{"message":"405 Method Not Allowed"}`)
	second := w.openMergeRequest("feature/a", "Again")
	expect(t, w.developer.JSON("PUT", w.at(iid, ""), `{"state_event":"reopen"}`), 409, "")
	expect(t, w.developer.JSON("PUT", w.at(second.IID, ""), `{"state_event":"close"}`), 200, "")
	again := read[mergeRequest](t, w.developer.JSON("PUT", w.at(iid, ""), `{"state_event":"reopen"}`), 200)
	if again.State != "opened" || again.Detailed != "mergeable" {
		t.Errorf("opened again is %+v", again)
	}
}

func TestInvalidMergeRequestsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	w.commit("a", "A", map[string]string{"a": "a"})
	stranger := harness.NewHistory(t)
	stranger.Write("x", "x")
	stranger.Commit("Ann <ann@example.com>", "Another history")
	stranger.Push(w.maintainer, w.project, "HEAD:refs/heads/stranger")
	for body, want := range map[string]string{
		`{"source_branch":"main","target_branch":"main","title":"x"}`: `{"message":["You can't use same ` +
			`project/branch for source and target"]}`,
		`{"source_branch":"none","target_branch":"main","title":"x"}`:     `{"message":["Source branch \"none\" does not exist"]}`,
		`{"source_branch":"a","target_branch":"none","title":"x"}`:        `{"message":["Target branch \"none\" does not exist"]}`,
		`{"source_branch":"--all","target_branch":"main","title":"x"}`:    `{"message":["Source branch \"--all\" does not exist"]}`,
		`{"source_branch":"a..main","target_branch":"main","title":"x"}`:  `{"message":["Source branch \"a..main\" does not exist"]}`,
		`{"source_branch":"../a","target_branch":"main","title":"x"}`:     `{"message":["Source branch \"../a\" does not exist"]}`,
		`{"source_branch":"stranger","target_branch":"main","title":"x"}`: `{"message":["The branches have no common history"]}`,
	} {
		expect(t, w.developer.JSON("POST", w.mrs, body), 422, want)
	}
	expect(t, w.developer.JSON("POST", w.mrs, `{"source_branch":"a","target_branch":"main"}`), 400, `{"error":"title is missing"}`)
	expect(t, w.developer.JSON("POST", w.mrs, `{"source_branch":"a","target_branch":"main","title":"  "}`), 400, "")
	expect(t, w.reporter.JSON("POST", w.mrs, `{"source_branch":"a","target_branch":"main","title":"x"}`), 403, "")
	expect(t, h.NewUser().JSON("POST", w.mrs, `{"source_branch":"a","target_branch":"main","title":"x"}`), 404, "")
	w.openMergeRequest("a", "A")
	expect(t, w.developer.JSON("POST", w.mrs, `{"source_branch":"a","target_branch":"main","title":"x"}`), 409,
		`{"message":["Another open merge request already exists for this source branch: !1"]}`)
	expect(t, w.developer.JSON("PUT", w.at(1, ""), `{"target_branch":"a"}`), 422, "")
	expect(t, w.developer.JSON("PUT", w.at(1, ""), `{"target_branch":"-x"}`), 422, "")
	expect(t, w.developer.JSON("PUT", w.at(1, ""), `{"milestone_id":99}`), 400, "")
	if got := w.get(1); got.Target != "main" || got.State != "opened" {
		t.Errorf("it is %+v", got)
	}
}

func TestMergeRequestsAreFiltered(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	for _, name := range []string{"a", "b", "c"} {
		w.commit(name, name, map[string]string{name: name})
		w.openMergeRequest(name, "Add "+name)
	}
	w.developer.JSON("PUT", w.at(1, ""),
		fmt.Sprintf(`{"labels":"bug","reviewer_ids":[%d],"assignee_ids":[%d]}`, w.reporter.User.ID, w.maintainer.User.ID))
	w.developer.JSON("PUT", w.at(2, ""), `{"title":"Draft: Add b"}`)
	w.maintainer.JSON("PUT", w.at(3, "/merge"), `{}`)
	expect(t, w.maintainer.Send("POST", w.at(1, "/approve"), ""), 201, "")
	numbers := func(c *harness.Caller, path string) string {
		t.Helper()
		var out []string
		for _, mr := range read[[]mergeRequest](t, c.Send("GET", path, ""), 200) {
			out = append(out, fmt.Sprint(mr.IID))
		}
		return strings.Join(out, " ")
	}
	for query, want := range map[string]string{
		"": "3 2 1", "state=opened": "2 1", "state=merged": "3", "state=all&sort=asc": "1 2 3", "wip=yes": "2",
		"draft=false": "3 1", "labels=bug": "1",
		"not[labels]=bug": "3 2", "source_branch=b": "2", "target_branch=none": "",
		"reviewer_username=" + w.reporter.User.Username: "1", "reviewer_id=None": "3 2",
		"assignee_id=Any": "1", "approved_by_ids[]=" + fmt.Sprint(w.maintainer.User.ID): "1",
		"approved_by_ids=None": "3 2", "search=add+b": "2",
		"merge_user_id=" + fmt.Sprint(w.maintainer.User.ID): "3", "iids[]=1&iids[]=3": "3 1",
		"author_username=" + w.developer.User.Username + "&per_page=1": "3",
		"with_merge_status_recheck=true&order_by=title&sort=asc":       "1 3 2", "scope=assigned_to_me": "",
		"merged_after=2000-01-01T00:00:00Z": "3", "not[source_branch]=a": "3 2",
	} {
		if got := numbers(w.developer, w.mrs+"?"+query); got != want {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	if got := numbers(w.developer, "/merge_requests?state=opened"); got != "2 1" {
		t.Errorf("mine are %s", got)
	}
	if got := numbers(w.reporter, "/merge_requests?scope=reviews_for_me"); got != "1" {
		t.Errorf("for review are %s", got)
	}
	if got := numbers(w.reporter, "/merge_requests?scope=all") + numbers(h.NewUser(), "/merge_requests?scope=all"); got != "3 2 1" {
		t.Errorf("all are %s", got)
	}
	if got := numbers(h.Root(), "/groups/acme/merge_requests?with_labels_details=true"); got != "3 2 1" {
		t.Errorf("in the group are %s", got)
	}
	expect(t, h.Anonymous().Send("GET", "/merge_requests", ""), 401, "")
	expect(t, h.Anonymous().Send("GET", w.mrs, ""), 404, "")
	before := h.Store.Statements()
	w.developer.Send("GET", w.mrs+"?per_page=1&sort=asc", "") // the first has labels, an assignee and a reviewer
	one := h.Store.Statements() - before
	w.developer.Send("GET", w.mrs, "")
	if three := h.Store.Statements() - before - one; three > one {
		t.Errorf("one takes %d statements, three take %d", one, three)
	}
}

func TestTheDiffOfAMergeRequestIsWhatGitPrints(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	first := w.commit("work", "First", map[string]string{"a.txt": "a\n"})
	second := w.commit("work", "Second", map[string]string{"README.md": "one\n", "b.txt": "b\n"})
	mr := w.openMergeRequest("work", "Work")
	ids := read[[]struct{ ID string }](t, w.developer.Send("GET", w.at(mr.IID, "/commits"), ""), 200)
	if len(ids) != 2 || ids[0].ID != second || ids[1].ID != first {
		t.Errorf("commits are %v", ids)
	}
	diffs := w.developer.Send("GET", w.at(mr.IID, "/diffs?per_page=2"), "")
	if rows := read[[]struct {
		Path string `json:"new_path"`
	}](t, diffs, 200); len(rows) != 2 || diffs.Header.Get("X-Total") != "3" {
		t.Errorf("files are %v of %s", rows, diffs.Header.Get("X-Total"))
	}
	if changes := read[mergeRequest](t, w.developer.Send("GET", w.at(mr.IID, "/changes"), ""), 200); len(changes.Files) != 3 ||
		*changes.Overflow {
		t.Errorf("changes are %+v", changes)
	}
	raw := w.developer.Send("GET", w.at(mr.IID, "/raw_diffs"), "")
	if raw.Status != 200 || strings.Count(raw.Body, "diff --git ") != 3 {
		t.Errorf("raw is %d %s", raw.Status, raw.Body)
	}
	expectOneVersion(t, w, mr.IID, second)
	byCommit := w.developer.Send("GET", w.path+"/repository/commits/"+first+"/merge_requests", "")
	if by := read[[]mergeRequest](t, byCommit, 200); len(by) != 1 || by[0].IID != mr.IID {
		t.Errorf("of the commit are %v", by)
	}
}

// expectOneVersion checks that the diff of a merge request has one version, which ends at the commit head.
func expectOneVersion(t *testing.T, w mergeProject, iid int64, head string) {
	t.Helper()
	versions := read[[]struct {
		ID    int64
		Head  string `json:"head_commit_sha"`
		Patch string `json:"patch_id_sha"`
	}](t, w.developer.Send("GET", w.at(iid, "/versions"), ""), 200)
	if len(versions) != 1 || versions[0].Head != head || len(versions[0].Patch) != 40 {
		t.Fatalf("versions are %v", versions)
	}
	one := read[struct {
		Commits []struct{ ID string }
		Diffs   []struct{ Diff string }
		Patch   string `json:"patch_id_sha"`
	}](t, w.developer.Send("GET", w.at(iid, fmt.Sprintf("/versions/%d", versions[0].ID)), ""), 200)
	if len(one.Commits) != 2 || len(one.Diffs) != 3 || one.Patch != versions[0].Patch {
		t.Errorf("version is %+v", one)
	}
	expect(t, w.developer.Send("GET", w.at(iid, "/versions/999"), ""), 404, "")
}

func TestAMergeRequestHasParticipantsReviewersAndSubscribers(t *testing.T) {
	t.Parallel()
	w := newMergeProject(t, harness.New(t))
	w.commit("work", "Work", map[string]string{"a.txt": "a\n"})
	mr := w.openMergeRequest("work", "Work")
	if people := read[[]struct{ Username string }](t, w.developer.Send("GET", w.at(mr.IID, "/participants"), ""), 200); len(people) != 1 {
		t.Errorf("participants are %v", people)
	}
	w.developer.JSON("PUT", w.at(mr.IID, ""), fmt.Sprintf(`{"reviewer_ids":[%d]}`, w.maintainer.User.ID))
	if got := w.developer.Send("GET", w.at(mr.IID, "/reviewers"), ""); !strings.Contains(got.Body, `"state":"unreviewed"`) {
		t.Errorf("reviewers are %s", got.Body)
	}
	expect(t, w.reporter.Send("POST", w.at(mr.IID, "/unsubscribe"), ""), 304, "")
	expect(t, w.reporter.Send("POST", w.at(mr.IID, "/subscribe"), ""), 201, "")
	expect(t, w.reporter.Send("POST", w.at(mr.IID, "/subscribe"), ""), 304, "")
	expect(t, w.reporter.Send("POST", w.at(mr.IID, "/unsubscribe"), ""), 201, "")
}

func TestAMergeRequestFromAFork(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	outsider := w.reporter
	forked := outsider.JSON("POST", w.path+"/fork", `{}`)
	expect(t, forked, 201, "")
	waitForQueue(t, h)
	fork := "/projects/" + url.PathEscape(member(t, forked, "path_with_namespace").(string))
	made := outsider.JSON("POST", fork+"/repository/commits",
		`{"branch":"idea","start_branch":"main","commit_message":"Idea","actions":[{"action":"create","file_path":"idea","content":"x"}]}`)
	head := member(t, made, "id").(string)
	body, _ := json.Marshal(map[string]any{
		"source_branch": "idea", "target_branch": "main", "title": "Idea", "target_project_id": w.project.ID,
		"labels": "mine",
	})
	mr := read[mergeRequest](t, outsider.JSON("POST", fork+"/merge_requests", string(body)), 201)
	if mr.SHA != head || mr.Detailed != "mergeable" || len(mr.Labels) != 0 || mr.User.CanMerge {
		t.Errorf("it is %+v", mr)
	}
	waitForQueue(t, h)
	if got := w.clone().Line("rev-parse", "refs/mr/1/head"); got != head {
		t.Errorf("fetched is %s, want %s", got, head)
	}
	expect(t, outsider.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 401, "")
	expect(t, outsider.JSON("PUT", w.at(mr.IID, ""), `{"title":"Better idea"}`), 200, "")
	if got := read[mergeRequest](t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"),
		`{"should_remove_source_branch":true}`), 200); got.State != "merged" || got.MergeUser == nil {
		t.Errorf("merged is %+v", got)
	}
	expect(t, w.maintainer.Send("GET", w.path+"/repository/files/idea?ref=main", ""), 200, "")
	lone := h.Project(h.Group().ID)
	owner := h.ProjectMember(lone, model.Owner)
	h.JoinProject(w.project, owner.User, model.Reporter)
	body, _ = json.Marshal(map[string]any{
		"source_branch": "main", "target_branch": "main", "title": "x", "target_project_id": w.project.ID,
	})
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/%d/merge_requests", lone.ID), string(body)), 422, "")
}

func TestUsersWhoMayMergePushToTheBranchOfAFork(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h, func(p *model.Project) { p.Visibility = model.Public })
	outsider := h.NewUser()
	forked := outsider.JSON("POST", w.path+"/fork", `{}`)
	expect(t, forked, 201, "")
	waitForQueue(t, h)
	fork := "/projects/" + url.PathEscape(member(t, forked, "path_with_namespace").(string))
	expect(t, outsider.JSON("POST", fork+"/repository/commits",
		`{"branch":"idea","start_branch":"main","commit_message":"Idea","actions":[{"action":"create","file_path":"idea","content":"x"}]}`),
		201, "")
	body, _ := json.Marshal(map[string]any{
		"source_branch": "idea", "target_branch": "main", "title": "Idea", "target_project_id": w.project.ID,
	})
	mr := read[mergeRequest](t, outsider.JSON("POST", fork+"/merge_requests", string(body)), 201)
	to := func(c *harness.Caller) string {
		u, err := url.Parse(h.URL)
		if err != nil {
			t.Fatal(err)
		}
		u.User, u.Path = url.UserPassword("oauth2", c.Token), "/"+member(t, forked, "path_with_namespace").(string)+".git"
		return u.String()
	}
	r := harness.NewHistory(t)
	r.Git("fetch", "-q", to(w.maintainer), "idea")
	r.Git("checkout", "-q", "FETCH_HEAD")
	r.Write("more", "x")
	tip := r.Commit("Ann <ann@example.com>", "More")
	push := func(c *harness.Caller, ref string) bool {
		return !strings.Contains(r.Git("-c", "alias.try=!git push -q "+to(c)+" HEAD:refs/heads/"+ref+" 2>&1 || echo REFUSED", "try"),
			"REFUSED")
	}
	if push(w.maintainer, "idea") {
		t.Error("pushed, though the merge request does not say so")
	}
	expect(t, outsider.JSON("PUT", w.at(mr.IID, ""), `{"allow_collaboration":true}`), 200, "")
	if push(w.reporter, "idea") || push(h.NewUser(), "idea") || push(w.maintainer, "other") || push(w.maintainer, "main") {
		t.Error("pushed where nobody lets them")
	}
	if !push(w.maintainer, "idea") {
		t.Error("not pushed")
	}
	waitForQueue(t, h)
	if got := w.get(mr.IID); got.SHA != tip {
		t.Errorf("the head is %s, want %s", got.SHA, tip)
	}
	expect(t, outsider.JSON("PUT", w.at(mr.IID, ""), `{"state_event":"close"}`), 200, "")
	if push(w.maintainer, "idea") {
		t.Error("pushed, though the merge request is closed")
	}
}
