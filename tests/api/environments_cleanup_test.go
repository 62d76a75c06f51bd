package api

import (
	"fmt"
	"net/url"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/store/model"
	"svc/tests/harness"
	"svc/tests/wait"
)

// states returns the states of the environments of a project, by name.
func states(t *testing.T, c *harness.Caller, path string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, e := range read[[]environment](t, c.Send("GET", path+"?per_page=100", ""), 200) {
		all[e.Name] = e.State
	}
	return all
}

func TestStaleEnvironmentsAreStopped(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	p := h.Project(h.Group().ID, called("web", model.Private))
	maintainer, developer := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Developer)
	path := fmt.Sprintf("/projects/%d/environments", p.ID)
	for _, name := range []string{"old", "guarded"} {
		expect(t, maintainer.JSON("POST", path, fmt.Sprintf(`{"name":%q}`, name)), 201, "")
	}
	withJob := deploymentPipeline(h, p, maintainer.User) // review/fix has a job that stops it, on a protected branch
	end(h, withJob.Jobs[0], engine.Outcome{Success: true})
	deployJobs(h, p, maintainer.User, "used", "on_success")
	expect(t, maintainer.JSON("POST", fmt.Sprintf("/projects/%d/protected_environments", p.ID),
		`{"name":"guarded","deploy_access_levels":[{"access_level":30}]}`), 201, "")
	forward(t, h, 20*day)
	deployJobs(h, p, maintainer.User, "used", "on_success")
	expect(t, maintainer.JSON("POST", path, `{"name":"new"}`), 201, "")

	body := fmt.Sprintf(`{"before":%q}`, ago(h, 10*day))
	for _, wrong := range []string{
		`{}`, `{"before":"yesterday"}`, fmt.Sprintf(`{"before":%q}`, ago(h, 6*day)), `{"before":"2001-01-01T00:00:00Z"}`,
	} {
		expect(t, maintainer.JSON("POST", path+"/stop_stale", wrong), 400, "")
	}
	expect(t, h.ProjectMember(p, model.Reporter).JSON("POST", path+"/stop_stale", body), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().JSON("POST", path+"/stop_stale", body), 404, `{"message":"404 Project Not Found"}`)
	want := map[string]string{
		"old": "available", "guarded": "available", "review/fix": "available", "used": "available", "new": "available",
	}
	expectStates(t, maintainer, path, want)

	const done = `{"message":"The stale environments were stopped"}`
	expect(t, developer.JSON("POST", path+"/stop_stale", body), 200, done)
	want["old"] = "stopped"
	expectStates(t, maintainer, path, want) // a developer may not run jobs on the branch of the stop job
	expect(t, maintainer.JSON("POST", path+"/stop_stale", body), 200, done)
	want["review/fix"] = "stopping"
	expectStates(t, maintainer, path, want)
}

func expectStates(t *testing.T, c *harness.Caller, path string, want map[string]string) {
	t.Helper()
	if got := states(t, c, path); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// entries are the environments in a response about review apps.
type entries struct {
	Scheduled []struct{ Name string } `json:"scheduled_entries"`
	Refused   []struct{ Name string } `json:"unprocessable_entries"`
}

func TestStoppedReviewAppsAreDeletedAfterAWeek(t *testing.T) {
	t.Parallel()
	h := newClocked(t)
	h.StartWorker()
	p := h.Project(h.Group().ID, called("web", model.Private))
	maintainer, developer := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Developer)
	path := fmt.Sprintf("/projects/%d/environments", p.ID)
	create := func(name string, stop bool) {
		made := read[environment](t, maintainer.JSON("POST", path, fmt.Sprintf(`{"name":%q}`, name)), 201)
		if stop {
			expect(t, maintainer.JSON("POST", fmt.Sprintf("%s/%d/stop", path, made.ID), `{"force":true}`), 200, "")
		}
	}
	for _, name := range []string{"review/a", "review/b", "review/guarded", "reviews", "production"} {
		create(name, true)
	}
	create("review/open", false)
	expect(t, maintainer.JSON("POST", fmt.Sprintf("/projects/%d/protected_environments", p.ID),
		`{"name":"review/guarded","deploy_access_levels":[{"access_level":40}]}`), 201, "")
	forward(t, h, 40*day)
	create("review/young", true)

	const at = "/review_apps"
	expect(t, developer.Send("DELETE", path+at+"?limit=0", ""), 400, "")
	expect(t, developer.Send("DELETE", path+at+"?limit=1001", ""), 400, "")
	expect(t, h.ProjectMember(p, model.Reporter).Send("DELETE", path+at, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.NewUser().Send("DELETE", path+at, ""), 404, `{"message":"404 Project Not Found"}`)
	for query, want := range map[string]string{
		"": "{[{review/a} {review/b}] [{review/guarded}]}", "?limit=1": "{[{review/a}] []}",
		"?before=" + url.QueryEscape(ago(h, 50*day)): "{[] []}",
		"?before=" + url.QueryEscape(ago(h, -day)):   "{[{review/a} {review/b} {review/young}] [{review/guarded}]}",
	} {
		if got := read[entries](t, developer.Send("DELETE", path+at+query, ""), 200); fmt.Sprint(got) != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	forward(t, h, 8*day)
	if got := states(t, developer, path); len(got) != 7 {
		t.Errorf("a dry run deleted something: %v", got)
	}
	expect(t, developer.Send("DELETE", path+at+"?dry_run=false", ""), 200, "")
	forward(t, h, 6*day)
	job := deployJobs(h, p, maintainer.User, "review/b", "on_success") // it is in use again
	end(h, job, engine.Outcome{Success: true})
	if got := states(t, developer, path); len(got) != 7 || got["review/b"] != "available" {
		t.Errorf("%v", got)
	}
	forward(t, h, 2*day)
	wait.Until(t, "review/a is deleted", func() bool { return states(t, developer, path)["review/a"] == "" })
	if got := states(t, developer, path); len(got) != 6 {
		t.Errorf("%v", got)
	}
}
