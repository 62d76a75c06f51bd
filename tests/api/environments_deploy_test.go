package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// recorded is a deployment in a response that was created by API.
type recorded struct {
	ID         int64
	IID        int64
	SHA        string
	Ref        string
	Status     string
	User       *struct{ ID int64 }
	Deployable *struct{ ID int64 }
	Place      struct {
		ID   int64
		Name string
	} `json:"environment"`
	Pending   *int64 `json:"pending_approval_count"`
	Approvals *[]any
}

// deploy returns the body of a new deployment of main.
func deploy(environment, status string) string {
	return fmt.Sprintf(`{"environment":%q,"sha":"main","ref":"main","tag":false,"status":%q}`, environment, status)
}

func TestDeploymentsAreCreatedAndChangedByAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	path := w.path + "/deployments"
	head := w.commit("main", "Second", map[string]string{"a.txt": "a"})
	made := read[recorded](t, w.developer.JSON("POST", path, deploy("production", "running")), 201)
	if made.IID != 1 || made.SHA != head || made.Ref != "main" || made.Status != "running" || made.Deployable != nil ||
		made.User == nil || made.User.ID != w.developer.User.ID || made.Place.Name != "production" || *made.Pending != 0 ||
		len(*made.Approvals) != 0 {
		t.Fatalf("%+v", made)
	}
	one := fmt.Sprintf("%s/%d", path, made.ID)
	place := fmt.Sprintf("%s/environments/%d", w.path, made.Place.ID)
	shown := w.reporter.Send("GET", one, "")
	if got := read[recorded](t, shown, 200); got.ID != made.ID || !strings.Contains(shown.Body, `"deployable":null`) {
		t.Errorf("%s", shown.Body)
	}
	if got := read[environment](t, w.reporter.Send("GET", place, ""), 200); got.Last != nil || got.Tier != "production" {
		t.Errorf("%+v", got)
	}
	expect(t, w.developer.JSON("POST", place+"/stop", `{"force":true}`), 200, "")
	if got := read[recorded](t, w.developer.JSON("PUT", one, `{"status":"success"}`), 200); got.Status != "success" {
		t.Errorf("%+v", got)
	}
	got := read[environment](t, w.reporter.Send("GET", place, ""), 200)
	if got.Last == nil || got.Last.IID != 1 || got.State != "available" {
		t.Errorf("%+v", got)
	}
	for status, want := range map[string]string{"success": "success to success", "running": "success to running"} {
		expect(t, w.developer.JSON("PUT", one, fmt.Sprintf(`{"status":%q}`, status)), 400,
			fmt.Sprintf(`{"message":{"status":["cannot change from %s"]}}`, want))
	}
	if got := read[recorded](t, w.developer.JSON("PUT", one, `{"status":"failed"}`), 200); got.Status != "failed" {
		t.Errorf("%+v", got)
	}
	expectRefusedDeployments(t, w, one)

	// The list has deployments of both kinds.
	job := deployJobs(h, w.project, w.maintainer.User, "production", "on_success")
	for query, want := range map[string]int{
		"": 2, "?order_by=ref&sort=desc": 2, "?status=failed": 1, "?environment=staging": 0, "?per_page=1": 1,
	} {
		if rows := read[[]recorded](t, w.reporter.Send("GET", path+query, ""), 200); len(rows) != want {
			t.Errorf("%s: %+v", query, rows)
		}
	}
	rows := read[[]recorded](t, w.reporter.Send("GET", path+"?order_by=ref", ""), 200)
	if rows[0].Deployable != nil || rows[1].Deployable == nil || rows[1].Deployable.ID != job.ID {
		t.Errorf("%+v", rows)
	}
	expect(t, w.maintainer.JSON("PUT", fmt.Sprintf("%s/%d", path, rows[1].ID), `{"status":"success"}`), 403,
		`{"message":"403 Forbidden - Deployments created using CI can not be updated using the API"}`)
}

// expectRefusedDeployments tries to create deployments, and to change one, that are refused.
func expectRefusedDeployments(t *testing.T, w mergeProject, one string) {
	t.Helper()
	path := w.path + "/deployments"
	before := w.reporter.Send("GET", path, "").Body
	noCommit, noRef := `{"message":{"sha":["The commit does not exist"]}}`, `{"message":{"ref":["The branch or tag does not exist"]}}`
	unknown := strings.Repeat("0123456789", 4)
	for body, want := range map[string]string{
		`{"environment":"a","sha":"` + unknown + `","ref":"main","tag":false,"status":"success"}`: noCommit,

		`{"environment":"a","sha":"main","ref":"none","tag":false,"status":"success"}`: noRef,
		`{"environment":"a","sha":"main","ref":"main","tag":true,"status":"success"}`:  noRef,
		deploy("<b>", "success"): "",
		deploy("a", "created"):   "",
		`{"environment":"a","sha":"main","ref":"main","tag":false}`:       "",
		`{"environment":"a","sha":"main","ref":"main","status":"failed"}`: "",
	} {
		expect(t, w.developer.JSON("POST", path, body), 400, want)
	}
	expect(t, w.developer.JSON("PUT", one, `{}`), 400, "")
	expect(t, w.reporter.JSON("POST", path, deploy("a", "success")), 403, `{"message":"403 Forbidden"}`)
	expect(t, w.reporter.JSON("PUT", one, `{"status":"success"}`), 403, `{"message":"403 Forbidden"}`)
	outsider := w.h.NewUser()
	for _, got := range []harness.Answer{
		outsider.JSON("POST", path, deploy("a", "success")), outsider.JSON("PUT", one, `{"status":"success"}`),
		outsider.Send("DELETE", one, ""), outsider.Send("GET", one+"/merge_requests", ""),
	} {
		expect(t, got, 404, `{"message":"404 Project Not Found"}`)
	}
	expect(t, w.developer.JSON("PUT", path+"/999999", `{"status":"success"}`), 404, `{"message":"404 Deployment Not Found"}`)
	expect(t, w.maintainer.Send("DELETE", path+"/999999", ""), 404, `{"message":"404 Deployment Not Found"}`)
	expect(t, w.reporter.Send("GET", path+"/999999/merge_requests", ""), 404, `{"message":"404 Deployment Not Found"}`)
	if after := w.reporter.Send("GET", path, "").Body; after != before {
		t.Errorf("%s, before %s", after, before)
	}
	if rows := read[[]environment](t, w.reporter.Send("GET", w.path+"/environments", ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
}

func TestDeploymentsByAPIRespectProtectedEnvironments(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	path := w.path + "/deployments"
	made := read[recorded](t, w.developer.JSON("POST", path, deploy("production", "running")), 201)
	one := fmt.Sprintf("%s/%d", path, made.ID)
	expect(t, w.maintainer.JSON("POST", w.path+"/protected_environments",
		`{"name":"production","deploy_access_levels":[{"access_level":40}],"required_approval_count":1}`), 201, "")
	expect(t, w.developer.JSON("POST", path, deploy("production", "success")), 403, `{"message":"403 Forbidden"}`)
	expect(t, w.developer.JSON("PUT", one, `{"status":"success"}`), 403, `{"message":"403 Forbidden"}`)
	// Approvals hold back jobs only.
	if got := read[recorded](t, w.maintainer.JSON("PUT", one, `{"status":"success"}`), 200); *got.Pending != 0 {
		t.Errorf("%+v", got)
	}
	expect(t, w.maintainer.JSON("POST", one+"/approval", `{"status":"approved"}`), 400, "")
	second := read[recorded](t, w.maintainer.JSON("POST", path, deploy("production", "success")), 201)
	other := h.ProjectMember(w.project, model.Maintainer)
	expect(t, w.maintainer.JSON("PUT", w.path+"/protected_environments/production",
		fmt.Sprintf(`{"deploy_access_levels":[{"user_id":%d}]}`, w.developer.User.ID)), 200, "")
	rules := read[protectedEnvironment](t, w.maintainer.Send("GET", w.path+"/protected_environments/production", ""), 200)
	expect(t, w.maintainer.JSON("PUT", w.path+"/protected_environments/production",
		fmt.Sprintf(`{"deploy_access_levels":[{"id":%d,"_destroy":true}]}`, rules.Deployers[0].ID)), 200, "")
	expect(t, other.Send("DELETE", one, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, w.developer.Send("DELETE", one, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Root().Send("DELETE", one, ""), 204, "")
	expect(t, w.reporter.Send("GET", fmt.Sprintf("%s/%d", path, second.ID), ""), 200, "")
}

func TestFinishedDeploymentsAreDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	path := w.path + "/deployments"
	create := func(status string) string {
		return fmt.Sprintf("%s/%d", path, read[recorded](t, w.developer.JSON("POST", path, deploy("production", status)), 201).ID)
	}
	first, second, failed, running := create("success"), create("success"), create("failed"), create("running")
	expect(t, w.developer.Send("DELETE", first, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, w.maintainer.Send("DELETE", running, ""), 400, `{"message":"Cannot destroy running deployment"}`)
	expect(t, w.maintainer.Send("DELETE", second, ""), 400, `{"message":"Deployment currently deployed to environment"}`)
	expect(t, w.maintainer.Send("DELETE", first, "", "If-Unmodified-Since", "Mon, 01 Jan 2001 00:00:00 GMT"), 412, "")
	expect(t, w.maintainer.Send("DELETE", first, ""), 204, "")
	expect(t, w.maintainer.Send("DELETE", failed, ""), 204, "")
	expect(t, w.maintainer.Send("GET", first, ""), 404, `{"message":"404 Deployment Not Found"}`)

	// Deployments of jobs follow the same rules.
	job := deployJobs(h, w.project, w.maintainer.User, "staging", "on_success")
	old := fmt.Sprintf("%s/%d", path, lastDeployment(t, w.reporter, w.project).ID)
	expect(t, w.maintainer.Send("DELETE", old, ""), 400, `{"message":"Cannot destroy running deployment"}`)
	end(h, job, engine.Outcome{Success: true})
	expect(t, w.maintainer.Send("DELETE", old, ""), 400, `{"message":"Deployment currently deployed to environment"}`)
	expect(t, w.developer.JSON("POST", path, deploy("staging", "success")), 201, "")
	expect(t, w.maintainer.Send("DELETE", old, ""), 204, "")

	// An environment is deleted with its deployments, and a project with both.
	place := read[recorded](t, w.reporter.Send("GET", second, ""), 200).Place.ID
	expect(t, w.developer.JSON("POST", fmt.Sprintf("%s/environments/%d/stop", w.path, place), `{"force":true}`), 200, "")
	expect(t, w.developer.Send("DELETE", fmt.Sprintf("%s/environments/%d", w.path, place), ""), 204, "")
	expect(t, w.maintainer.Send("GET", second, ""), 404, `{"message":"404 Deployment Not Found"}`)
	if err := h.Store.Projects.Delete(t.Context(), w.project.ID, nil); err != nil {
		t.Fatal(err)
	}
}

func TestADeploymentOutlivesItsUser(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	made := read[recorded](t, w.developer.JSON("POST", w.path+"/deployments", deploy("production", "success")), 201)
	if _, err := h.Store.SQL().ExecContext(t.Context(), fmt.Sprintf("DELETE FROM users WHERE id = %d", w.developer.User.ID)); err != nil {
		t.Fatal(err)
	}
	got := read[recorded](t, w.reporter.Send("GET", fmt.Sprintf("%s/deployments/%d", w.path, made.ID), ""), 200)
	if got.User != nil || got.SHA != made.SHA {
		t.Errorf("%+v", got)
	}
}

func TestAJobDeploysByAPIWithItsToken(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := ciProject(t, h, map[string]string{"README.md": "x"})
	h.Pipeline(w.project, w.maintainer.User, []syntax.Job{aJob("ship", 0)})
	job := h.WithHeaders("JOB-TOKEN", newFakeRunner(t, h, anyJobs).job().Token)
	made := read[recorded](t, job.JSON("POST", w.path+"/deployments", deploy("production", "running")), 201)
	if made.User == nil || made.User.ID != w.maintainer.User.ID || made.Deployable != nil {
		t.Errorf("%+v", made)
	}
	expect(t, job.JSON("PUT", fmt.Sprintf("%s/deployments/%d", w.path, made.ID), `{"status":"success"}`), 200, "")
}

func TestHooksGetDeploymentsByAPI(t *testing.T) {
	t.Parallel()
	w := withHook(t, `,"push_events":false,"deployment_events":true`)
	w.commit(t, "main", "a.txt")
	path := fmt.Sprintf("/projects/%d/deployments", w.project.ID)
	made := read[recorded](t, w.root.JSON("POST", path, deploy("production", "running")), 201)
	expect(t, w.root.JSON("PUT", fmt.Sprintf("%s/%d", path, made.ID), `{"status":"success"}`), 200, "")
	for i, got := range w.expectAnnounced(t, "Deployment Hook <nil>", "Deployment Hook <nil>") {
		body := got.Read(t)
		if want := []string{"running", "success"}[i]; body["status"] != want ||
			body["deployable_id"] != nil || body["deployable_url"] != nil ||
			body["ref"] != "main" || body["short_sha"] != made.SHA[:8] || body["environment"] != "production" || body["user"] == nil ||
			body["commit_title"] == nil {
			t.Errorf("%s", got.Body)
		}
	}
}

func TestTheMergeRequestsOfADeploymentAreListed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	h.StartWorker()
	w := newMergeProject(t, h)
	merge := func(branch string, options string) int64 {
		w.commit(branch, branch, map[string]string{branch + ".txt": branch})
		mr := w.openMergeRequest(branch, branch)
		wait.Until(t, "it can be merged", func() bool { return w.maintainer.JSON("PUT", w.at(mr.IID, "/merge"), options).Status == 200 })
		return mr.IID
	}
	record := func(environment, status string) string {
		made := read[recorded](t, w.developer.JSON("POST", w.path+"/deployments", deploy(environment, status)), 201)
		return fmt.Sprintf("%s/deployments/%d/merge_requests", w.path, made.ID)
	}
	listed := func(path string) string {
		var iids []int64
		for _, mr := range read[[]mergeRequest](t, w.reporter.Send("GET", path, ""), 200) {
			iids = append(iids, mr.IID)
		}
		return fmt.Sprint(iids)
	}
	merge("one", `{}`)
	w.commit("left", "left", map[string]string{"left.txt": "x"})
	w.openMergeRequest("left", "never merged")
	first := record("production", "success")
	merge("three", `{"squash":true}`)
	merge("four", `{}`)
	failed := record("production", "failed")
	second := record("production", "success")
	staging := record("staging", "success")
	for path, want := range map[string]string{
		first: "[1]", failed: "[]", second: "[4 3]", second + "?sort=asc": "[3 4]", second + "?per_page=1&page=2": "[3]",
		second + "?search=four": "[4]", second + "?state=opened": "[]", staging: "[4 3 1]",
	} {
		if got := listed(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	w.set(map[string]any{"merge_requests_access_level": model.FeatureDisabled})
	if got := listed(second); got != "[]" {
		t.Errorf("without merge requests: %s", got)
	}
}

func TestAuditEventsTellOfDeploymentsByAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	w := newMergeProject(t, h)
	path := w.path + "/deployments"
	made := read[recorded](t, w.developer.JSON("POST", path, deploy("production", "running")), 201)
	one := fmt.Sprintf("%s/%d", path, made.ID)
	expect(t, w.developer.JSON("PUT", one, `{"status":"failed"}`), 200, "")
	expect(t, w.maintainer.Send("DELETE", one, ""), 204, "")
	events := h.Root().Send("GET", w.path+"/audit_events", "").Body
	for _, name := range []string{"deployment_created", "deployment_updated", "deployment_deleted"} {
		if !strings.Contains(events, name) {
			t.Errorf("%s is missing in %s", name, events)
		}
	}
}

// ago returns a time in the past as requests have it.
func ago(h *harness.H, by time.Duration) string {
	return h.Store.Clock().Now().UTC().Add(-by).Format(time.RFC3339)
}
