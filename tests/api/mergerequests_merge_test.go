package api

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// clone clones the project.
func (w mergeProject) clone() *harness.History {
	w.t.Helper()
	to, err := url.Parse(w.h.URL)
	if err != nil {
		w.t.Fatal(err)
	}
	to.User, to.Path = url.UserPassword("oauth2", w.maintainer.Token), "/"+w.project.FullPath+".git"
	r := harness.NewHistory(w.t)
	r.Git("fetch", "-q", to.String(), "+refs/heads/*:refs/remotes/origin/*", "+refs/merge-requests/*:refs/mr/*")
	return r
}

func (w mergeProject) set(columns map[string]any) {
	w.t.Helper()
	if err := w.h.Store.Projects.Update(w.t.Context(), w.project.ID, columns); err != nil {
		w.t.Fatal(err)
	}
}

// A merge has the same files as git merge, and the parents that the merge method of the project demands.
func TestAMergeHasTheSameFilesAsGitMerge(t *testing.T) {
	t.Parallel()
	w := newMergeProject(t, harness.New(t))
	for _, method := range []string{"merge", "rebase_merge", "ff"} {
		for _, squash := range []bool{false, true} {
			name := fmt.Sprintf("%s-%v", method, squash)
			t.Run(name, func(t *testing.T) { mergeBranch(t, w, name, method, squash) })
		}
	}
}

// mergeBranch merges a new branch of this name by a merge method and compares the result with that of git merge.
func mergeBranch(t *testing.T, w mergeProject, name, method string, squash bool) {
	t.Helper()
	w.set(map[string]any{"merge_method": method})
	w.commit("main", "Base of "+name, map[string]string{"base-" + name: name})
	first := w.commit(name, "One", map[string]string{name + "-1": "1\n"})
	head := w.commit(name, "Two", map[string]string{name + "-2": "2\n"})
	before := w.clone().Line("rev-parse", "refs/remotes/origin/main")
	mr := w.openMergeRequest(name, "Merge "+name)
	got := read[mergeRequest](t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"),
		fmt.Sprintf(`{"sha":%q,"squash":%v,"should_remove_source_branch":false}`, head, squash)), 200)
	r := w.clone()
	want := r.Line("merge-tree", "--write-tree", before, head)
	if tree := r.Line("rev-parse", "refs/remotes/origin/main^{tree}"); tree != want {
		t.Errorf("the tree is %s, want %s", tree, want)
	}
	tip := head
	if squash {
		tip = *got.SquashSHA
		if line := r.Line("log", "-1", "--format=%s %P", tip); line != "Merge "+name+" "+before {
			t.Errorf("the squash is %s", line)
		}
	}
	if method == "ff" {
		if r.Line("rev-parse", "refs/remotes/origin/main") != tip || got.MergeSHA != nil {
			t.Errorf("main is not %s: %+v", tip, got)
		}
	} else {
		expectParents(t, r, before, tip)
	}
	if got.State != "merged" || got.MergeUser == nil || got.SHA != head || !squash && got.SquashSHA != nil {
		t.Errorf("merged is %+v (first %s)", got, first)
	}
}

// expectParents checks the parents of the last commit of main.
func expectParents(t *testing.T, r *harness.History, want ...string) {
	t.Helper()
	parents := strings.Fields(r.Line("rev-list", "--parents", "-1", "refs/remotes/origin/main"))[1:]
	if !slices.Equal(parents, want) {
		t.Errorf("the parents are %v, want %v", parents, want)
	}
}

func TestMergesOfOneFileKeepAllItsChanges(t *testing.T) {
	t.Parallel()
	w := newMergeProject(t, harness.New(t))
	edit := func(branch, from, to string) {
		w.commit(branch, "Edit "+branch, map[string]string{
			"README.md": strings.Replace("one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n", from, to, 1),
			branch:      branch + "\n",
		})
	}
	w.set(map[string]any{"merge_method": "merge"})
	edit("left", "one", "ONE")
	edit("right", "eight", "EIGHT")
	left, right := w.openMergeRequest("left", "Left"), w.openMergeRequest("right", "Right")
	expect(t, w.maintainer.JSON("PUT", w.at(left.IID, "/merge"), `{"merge_commit_message":"My own words"}`), 200, "")
	expect(t, w.maintainer.JSON("PUT", w.at(right.IID, "/merge"), `{}`), 200, "")
	r := w.clone()
	if got := r.Git("show", "refs/remotes/origin/main:README.md"); !strings.HasPrefix(got, "ONE\n") || !strings.HasSuffix(got, "EIGHT\n") {
		t.Errorf("the file is %q", got)
	}
	log := r.Git("log", "--first-parent", "-2", "--format=%B", "refs/remotes/origin/main")
	if want := fmt.Sprintf("Merge branch 'right' into 'main'\n\nRight\n\nSee merge request acme/web!%d\nMy own words\n",
		right.IID); strings.TrimSpace(log) != strings.TrimSpace(want) {
		t.Errorf("the messages are %q, want %q", log, want)
	}
}

func TestMergesAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	head := w.commit("a", "A", map[string]string{"README.md": "A\n"})
	w.commit("b", "B", map[string]string{"README.md": "B\n"})
	a, b := w.openMergeRequest("a", "A"), w.openMergeRequest("b", "Draft: B")
	tip := func() string { return w.clone().Line("rev-parse", "refs/remotes/origin/main") }
	before := tip()
	expect(t, h.Anonymous().JSON("PUT", w.at(a.IID, "/merge"), `{}`), 401, "")
	expect(t, h.NewUser().JSON("PUT", w.at(a.IID, "/merge"), `{}`), 404, "")
	expect(t, w.developer.JSON("PUT", w.at(a.IID, "/merge"), `{}`), 401, `{"message":"401 Unauthorized"}`)
	expect(t, w.maintainer.JSON("PUT", w.at(b.IID, "/merge"), `{}`), 405, `{"message":"405 Method Not Allowed"}`)
	expect(t, w.maintainer.JSON("PUT", w.at(a.IID, "/merge"), `{"sha":"0123456789012345678901234567890123456789"}`), 409,
		`{"message":"SHA does not match HEAD of source branch: `+head+`"}`)
	w.set(map[string]any{"only_allow_merge_if_pipeline_succeeds": true})
	if got := w.get(a.IID); got.Detailed != "ci_must_pass" {
		t.Errorf("it is %s", got.Detailed)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(a.IID, "/merge"), `{}`), 405, "")
	w.set(map[string]any{"only_allow_merge_if_pipeline_succeeds": false})
	if got := tip(); got != before {
		t.Errorf("main has moved to %s", got)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(a.IID, "/merge"), `{}`), 200, "")
	expect(t, w.maintainer.JSON("PUT", w.at(a.IID, "/merge"), `{}`), 405, "")
	w.developer.JSON("PUT", w.at(b.IID, ""), `{"title":"B"}`)
	if got := w.get(b.IID); got.Detailed != "conflict" || got.Status != "cannot_be_merged" {
		t.Errorf("it is %+v", got)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(b.IID, "/merge"), `{}`), 422, `{"message":"Branch cannot be merged"}`)
	w.set(map[string]any{"merge_method": "ff"})
	w.commit("c", "C", map[string]string{"c": "c"})
	c := w.openMergeRequest("c", "C")
	w.commit("main", "Ahead", map[string]string{"ahead": "x"})
	if got := w.get(c.IID); got.Detailed != "need_rebase" {
		t.Errorf("it is %s", got.Detailed)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(c.IID, "/merge"), `{}`), 405, "")
}

func TestAMergeRequestFollowsItsBranches(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	first := w.commit("work", "One", map[string]string{"a": "a"})
	mr := w.openMergeRequest("work", "Work")
	expect(t, w.maintainer.JSON("POST", w.at(mr.IID, "/approve"), `{"sha":"`+first+`"}`), 201, "")
	expect(t, w.maintainer.Send("POST", w.at(mr.IID, "/approve"), ""), 401, "")
	head := w.commit("work", "Two", map[string]string{"b": "b"})
	if got := w.get(mr.IID); got.SHA != head { // before any background job has run
		t.Errorf("the head is %s, want %s", got.SHA, head)
	}
	waitForQueue(t, h)
	got := w.get(mr.IID)
	if *got.Changes != "2" || !strings.Contains(w.notes(mr.ID), "added 1 commit") {
		t.Errorf("it is %+v with %s", got, w.notes(mr.ID))
	}
	if r := w.clone(); r.Line("rev-parse", "refs/mr/1/head") != head {
		t.Error("its ref does not follow")
	}
	if a := w.maintainer.Send("GET", w.at(mr.IID, "/approvals"), ""); !strings.Contains(a.Body, `"user_has_approved":true`) {
		t.Errorf("approvals are %s", a.Body)
	}
	expect(t, w.maintainer.Send("GET", w.at(mr.IID, "/approval_state"), ""), 200, `{"approval_rules_overwritten":false,"rules":[]}`)
	expect(t, w.maintainer.Send("POST", w.at(mr.IID, "/unapprove"), ""), 201, "")
	expect(t, w.maintainer.Send("POST", w.at(mr.IID, "/unapprove"), ""), 404, "")
	expect(t, w.reporter.Send("POST", w.at(mr.IID, "/approve"), ""), 403, "")
	expect(t, w.developer.JSON("POST", w.at(mr.IID, "/approve"), `{"sha":"0123456789012345678901234567890123456789"}`), 409, "")
	w.commit("main", "Clash", map[string]string{"a": "other"})
	if got := w.get(mr.IID); got.Detailed != "conflict" {
		t.Errorf("it is %s", got.Detailed)
	}
	w.commit("hand", "By hand", map[string]string{"h": "h"})
	byHand := w.openMergeRequest("hand", "By hand")
	r := w.clone()
	r.Git("checkout", "-q", "-b", "m", "refs/remotes/origin/main")
	r.Git("merge", "-q", "--no-ff", "-m", "By hand", "refs/remotes/origin/hand")
	r.Push(w.maintainer, w.project, "HEAD:refs/heads/main")
	waitForQueue(t, h)
	if got := w.get(byHand.IID); got.State != "merged" || got.MergeSHA == nil || *got.MergeSHA != r.Line("rev-parse", "HEAD") {
		t.Errorf("merged by hand is %+v", got)
	}
	r.Push(w.maintainer, w.project, ":refs/heads/work")
	if got := w.get(mr.IID); got.State != "opened" || got.Detailed == "mergeable" {
		t.Errorf("without its branch it is %+v", got)
	}
}

func TestAMergeRequestIsRebased(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h, func(p *model.Project) { p.MergeMethod = "ff" })
	w.commit("work", "One", map[string]string{"a": "a"})
	w.commit("work", "Two", map[string]string{"b": "b"})
	w.commit("clash", "Clash", map[string]string{"README.md": "x\n"})
	mr, clash := w.openMergeRequest("work", "Work"), w.openMergeRequest("clash", "Clash")
	w.commit("main", "Ahead", map[string]string{"README.md": "y\n"})
	expect(t, w.reporter.JSON("PUT", w.at(mr.IID, "/rebase"), `{}`), 403, "")
	if got := read[mergeRequest](t,
		w.developer.Send("GET", w.at(mr.IID, "?include_diverged_commits_count=true&include_rebase_in_progress=true&render_html=true"), ""),
		200); *got.Diverged != 1 || *got.Rebasing {
		t.Errorf("it is %+v", got)
	}
	expect(t, w.developer.JSON("PUT", w.at(mr.IID, "/rebase"), `{"skip_ci":true}`), 202, `{"rebase_in_progress":true}`)
	expect(t, w.developer.JSON("PUT", w.at(clash.IID, "/rebase"), ``), 202, "")
	waitForQueue(t, h)
	got := w.get(mr.IID)
	r := w.clone()
	if got.Detailed != "mergeable" || r.Git("log", "--format=%s", "-3", got.SHA) != "Two\nOne\nAhead\n" {
		t.Errorf("rebased is %+v: %s", got, r.Git("log", "--format=%s", "-3", got.SHA))
	}
	if got := w.get(clash.IID); got.MergeError == nil || !strings.Contains(*got.MergeError, "Rebase failed") {
		t.Errorf("what conflicts is %+v", got)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), `{}`), 200, "")
}

// Ten concurrent pushes and merges: no accepted push or merge is lost, and refused ones change nothing.
func TestConcurrentMergesAndPushesLoseNothing(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	for i := range 3 {
		name := fmt.Sprintf("m%d", i)
		w.commit(name, name, map[string]string{name: name})
		w.openMergeRequest(name, name)
	}
	var group sync.WaitGroup
	status := make([]int, 13)
	for i := range 10 {
		group.Go(func() {
			status[i] = w.maintainer.JSON("POST", w.path+"/repository/commits", fmt.Sprintf(
				`{"branch":"main","commit_message":"Push %d","actions":[{"action":"create","file_path":"p%d","content":"x"}]}`,
				i, i)).Status
		})
	}
	for i := range 3 {
		group.Go(func() {
			status[10+i] = w.maintainer.JSON("PUT", w.at(int64(i+1), "/merge"), `{}`).Status
		})
	}
	group.Wait()
	files := w.clone().Git("ls-tree", "--name-only", "refs/remotes/origin/main")
	for i, got := range status {
		name := fmt.Sprintf("p%d\n", i)
		if i >= 10 {
			name = fmt.Sprintf("m%d\n", i-10)
		}
		switch {
		case got == 200 || got == 201:
			if !strings.Contains(files, name) {
				t.Errorf("%s is lost", name)
			}
		case got == 409 && i >= 10:
			if strings.Contains(files, name) || w.get(int64(i-9)).State != "opened" {
				t.Errorf("%s was refused, and merged", name)
			}
		default:
			t.Errorf("%d: %d", i, got)
		}
	}
}

const mergeCI = `
workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH && $CI_OPEN_MERGE_REQUESTS
      when: never
    - if: $CI_COMMIT_BRANCH
test:
  script: echo $CI_MERGE_REQUEST_IID
docs:
  script: make docs
  rules:
    - if: $CI_MERGE_REQUEST_IID
      changes: [docs/*]
`

func TestMergeRequestsHavePipelines(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	runner := newFakeRunner(t, h, anyJobs)
	w.commit("main", "CI",
		map[string]string{".gitlab-ci.yml": strings.Replace(mergeCI, "test:\n", "test:\n  rules: [{when: on_success}]\n", 1)})
	w.commit("work", "Work", map[string]string{"docs/a": "a"})
	waitForQueue(t, h)
	mr := w.openMergeRequest("work", "Work")
	waitForQueue(t, h)
	head := w.commit("work", "More", map[string]string{"b": "b"})
	waitForQueue(t, h)
	run := expectMergePipelines(t, w, mr.IID, head)
	requestMergeAfterPipeline(t, w, mr.IID)
	w.finishJobs(runner, run, false)
	waitForQueue(t, h)
	if got := w.get(mr.IID); got.Awaits || got.State != "opened" ||
		!strings.Contains(w.notes(mr.ID), "did not succeed") {
		t.Errorf("after a failure it is %+v: %s", got, w.notes(mr.ID))
	}
	again := read[pipeline](t, w.developer.Send("POST", w.at(mr.IID, "/pipelines"), ""), 201)
	w.mergeAfterPipeline(mr.IID)
	w.finishJobs(runner, again.ID, true)
	waitForQueue(t, h)
	if got := w.get(mr.IID); got.State != "merged" || got.MergeUser == nil ||
		got.MergeUser.Username != w.maintainer.User.Username {
		t.Errorf("after success it is %+v: %s", got, w.notes(mr.ID))
	}
	expect(t, w.reporter.Send("POST", w.at(mr.IID, "/pipelines"), ""), 403, "")
}

// expectMergePipelines checks the pipelines of the merge request and returns the id of the last one.
func expectMergePipelines(t *testing.T, w mergeProject, iid int64, head string) int64 {
	t.Helper()
	got := w.get(iid)
	if got.HeadRun == nil || got.HeadRun.Source != "merge_request_event" ||
		got.HeadRun.Ref != "refs/merge-requests/1/head" || got.HeadRun.SHA != head {
		t.Fatalf("it is %+v with %+v", got, got.HeadRun)
	}
	var sources []string
	for _, p := range read[[]pipeline](t, w.developer.Send("GET", w.at(iid, "/pipelines"), ""), 200) {
		sources = append(sources, p.Source)
	}
	if strings.Join(sources, " ") != "merge_request_event merge_request_event push" {
		t.Errorf("pipelines are %v", sources)
	}
	jobs := read[[]struct {
		ID     int64
		Name   string
		Status string
	}](t, w.maintainer.Send("GET", fmt.Sprintf("%s/pipelines/%d/jobs", w.path, got.HeadRun.ID), ""), 200)
	if len(jobs) != 2 {
		t.Errorf("jobs are %v", jobs)
	}
	return got.HeadRun.ID
}

// requestMergeAfterPipeline requires a successful pipeline, requests the merge, cancels the request and repeats it.
func requestMergeAfterPipeline(t *testing.T, w mergeProject, iid int64) {
	t.Helper()
	w.set(map[string]any{"only_allow_merge_if_pipeline_succeeds": true})
	if got := w.get(iid); got.Detailed != "ci_still_running" {
		t.Errorf("it is %s", got.Detailed)
	}
	expect(t, w.maintainer.JSON("PUT", w.at(iid, "/merge"), `{}`), 405, "")
	cancel := w.at(iid, "/cancel_merge_when_pipeline_succeeds")
	expect(t, w.maintainer.Send("POST", cancel, ""), 406, "")
	w.mergeAfterPipeline(iid)
	expect(t, w.reporter.Send("POST", cancel, ""), 401, "")
	expect(t, w.maintainer.Send("POST", cancel, ""), 201, `{"status":"success"}`)
	if got := w.get(iid); got.Awaits {
		t.Errorf("it is %+v", got)
	}
	w.mergeAfterPipeline(iid)
}

// mergeAfterPipeline requests that a merge request is merged when its pipeline succeeds.
func (w mergeProject) mergeAfterPipeline(iid int64) {
	w.t.Helper()
	if got := read[mergeRequest](w.t, w.maintainer.JSON("PUT", w.at(iid, "/merge"),
		`{"merge_when_pipeline_succeeds":true}`), 200); !got.Awaits || got.State != "opened" {
		w.t.Fatalf("it is %+v", got)
	}
}

// finishJobs finishes all pending jobs: those of the given pipeline as success says, all others with success.
func (w mergeProject) finishJobs(m *fakeRunner, pipelineID int64, success bool) {
	w.t.Helper()
	for {
		a := m.requestJob()
		if a.Status != 201 {
			return
		}
		var g runnerJob
		decode(w.t, a, &g)
		state := "success"
		if g.variable("CI_PIPELINE_ID") == fmt.Sprint(pipelineID) {
			if g.variable("CI_MERGE_REQUEST_IID") != "1" || g.variable("CI_COMMIT_REF_NAME") != "work" ||
				g.variable("CI_MERGE_REQUEST_TARGET_BRANCH_NAME") != "main" ||
				g.variable("CI_COMMIT_BRANCH") != "" || !strings.Contains(a.Body, `"ref":"refs/merge-requests/1/head"`) ||
				!strings.Contains(a.Body, `"refspecs":["+`+g.GitInfo.SHA+`:refs/pipelines/`) {
				w.t.Errorf("the job is %s", a.Body)
			}
			if !success {
				state = "failed"
			}
		}
		expect(w.t, m.update(g, state, ""), 200, "")
	}
}
