package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

// job is a job in a response.
type job struct {
	ID        int64   `json:"id"`
	Name      string  `json:"name"`
	Status    string  `json:"status"`
	StartedAt *string `json:"started_at"`
	Reason    *string `json:"failure_reason"`
	User      struct {
		ID int64 `json:"id"`
	} `json:"user"`
	Commit   commit `json:"commit"`
	Pipeline struct {
		ID     int64  `json:"id"`
		Status string `json:"status"`
	} `json:"pipeline"`
	Downstream *struct {
		ID     int64  `json:"id"`
		WebURL string `json:"web_url"`
	} `json:"downstream_pipeline"`
}

func jobNames(rows []job) string {
	out := []string{}
	for _, row := range rows {
		out = append(out, row.Name+"="+row.Status)
	}
	return strings.Join(out, " ")
}

func aJob(name string, stage int) syntax.Job {
	return syntax.Job{Name: name, Stage: []string{"build", "test", "deploy"}[stage], StageIndex: stage}
}

func end(h *harness.H, j model.Job, o engine.Outcome) {
	h.ClaimJob(j)
	h.FinishJob(j, o)
}

func TestJobsAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	path := fmt.Sprintf("/projects/%d/jobs", p.ID)
	bridge := aJob("deploy", 2)
	bridge.Trigger = &syntax.Trigger{Project: "x/y"}
	first := h.Pipeline(p, owner.User, []syntax.Job{aJob("build", 0), aJob("test", 1), bridge})
	second := h.Pipeline(p, owner.User, []syntax.Job{aJob("only", 0)})
	end(h, first.Jobs[0], engine.Outcome{Reason: "script_failure"})

	rows := read[[]job](t, owner.Send("GET", path, ""), 200)
	if got := jobNames(rows); got != "only=pending test=skipped build=failed" {
		t.Error(got)
	}
	if *rows[2].Reason != "script_failure" || rows[0].Commit.Title != "Mend the roof" ||
		rows[0].User.ID != owner.User.ID || rows[0].Pipeline.ID != second.Pipeline.ID {
		t.Errorf("%+v", rows)
	}
	for query, want := range map[string]string{
		"?scope=failed":                                     "build=failed",
		"?scope[]=failed&scope[]=skipped":                   "test=skipped build=failed",
		"?scope[]=pending&scope[]=pending":                  "only=pending",
		"?scope=success":                                    "",
		"?per_page=1&page=2":                                "test=skipped",
		"?scope[]=failed&scope[]=skipped&per_page=1&page=2": "build=failed",
	} {
		if got := jobNames(read[[]job](t, owner.Send("GET", path+query, ""), 200)); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	expect(t, owner.Send("GET", path+"?scope=finished", ""), 400, `{"error":"scope does not have a valid value"}`)

	page := owner.Send("GET", path+"?pagination=keyset&order_by=id&sort=desc&per_page=2", "")
	if got := jobNames(read[[]job](t, page, 200)); got != "only=pending test=skipped" {
		t.Error(got)
	}
	next := strings.TrimPrefix(strings.Split(page.Header.Get("Link"), ">")[0], "<"+h.URL+"/api/v4")
	if got := jobNames(read[[]job](t, owner.Send("GET", next, ""), 200)); got != "build=failed" {
		t.Error(got)
	}
	expect(t, owner.Send("GET", path+"?pagination=keyset&order_by=id&sort=asc", ""), 405, "")

	ofPipeline := fmt.Sprintf("/projects/%d/pipelines/%d", p.ID, first.Pipeline.ID)
	if got := jobNames(read[[]job](t, owner.Send("GET", ofPipeline+"/jobs", ""), 200)); got != "test=skipped build=failed" {
		t.Error(got)
	}
	if got := jobNames(read[[]job](t, owner.Send("GET", ofPipeline+"/bridges", ""), 200)); got != "deploy=skipped" {
		t.Error(got)
	}
	expect(t, owner.Send("GET", fmt.Sprintf("/projects/%d/pipelines/%d/jobs", p.ID, second.Pipeline.ID+1), ""), 404,
		`{"message":"404 Not found"}`)
	expect(t, owner.Send("GET", fmt.Sprintf("%s/%d", path, first.Jobs[2].ID), ""), 404, `{"message":"404 Not found"}`)
	if got := read[job](t, owner.Send("GET", fmt.Sprintf("%s/%d", path, first.Jobs[0].ID), ""), 200); got.Name != "build" ||
		got.Status != "failed" || got.StartedAt == nil {
		t.Errorf("%+v", got)
	}
}

func TestAJobIsCanceledAndRetried(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	pipeline := h.Pipeline(p, owner.User, []syntax.Job{aJob("build", 0), aJob("test", 1)})
	act := func(j int64, what string) harness.Answer {
		return owner.Send("POST", fmt.Sprintf("/projects/%d/jobs/%d/%s", p.ID, j, what), "")
	}
	build := pipeline.Jobs[0].ID
	expect(t, act(build, "retry"), 403, `{"message":"403 Forbidden - Job is not retryable"}`)
	if got := read[job](t, act(build, "cancel"), 201); got.Status != "canceled" || got.Pipeline.Status != "canceled" {
		t.Errorf("%+v", got)
	}
	if got := read[job](t, act(build, "cancel"), 201); got.Status != "canceled" || got.ID != build {
		t.Errorf("%+v", got)
	}
	fresh := read[job](t, act(build, "retry"), 201)
	if fresh.ID == build || fresh.Status != "pending" || fresh.StartedAt != nil {
		t.Errorf("%+v", fresh)
	}
	expect(t, act(build, "retry"), 403, `{"message":"403 Forbidden - Job is not retryable"}`)
	path := fmt.Sprintf("/projects/%d/pipelines/%d/jobs", p.ID, pipeline.Pipeline.ID)
	if got := jobNames(read[[]job](t, owner.Send("GET", path, ""), 200)); got != "build=pending test=created" {
		t.Error(got)
	}
	if got := jobNames(read[[]job](t,
		owner.Send("GET", path+"?include_retried=true", ""), 200)); got != "build=pending test=created build=canceled" {
		t.Error(got)
	}
	other := h.Project(*owner.User.NamespaceID)
	expect(t, owner.Send("POST", fmt.Sprintf("/projects/%d/jobs/%d/cancel", other.ID, fresh.ID), ""), 404, `{"message":"404 Not found"}`)
}

func TestJobsAreVisibleByRole(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUser()
	for _, c := range []struct {
		visibility model.Visibility
		public     bool
		access     model.FeatureAccess
		want       string // statuses for anonymous, stranger, guest, reporter: jobs of the project and of the pipeline
	}{
		{model.Public, true, model.FeatureEnabled, "401/200 200/200 200/200 200/200"},
		{model.Public, false, model.FeatureEnabled, "401/403 403/403 403/403 200/200"},
		{model.Private, true, model.FeatureEnabled, "401/404 404/404 200/200 200/200"},
		{model.Private, false, model.FeatureEnabled, "401/404 404/404 403/403 200/200"},
		{model.Public, true, model.FeaturePrivate, "401/403 403/403 200/200 200/200"},
		{model.Public, true, model.FeatureDisabled, "401/403 403/403 403/403 403/403"},
	} {
		p := h.Project(*owner.User.NamespaceID, func(p *model.Project) {
			p.Visibility, p.PublicJobs, p.BuildsAccessLevel = c.visibility, c.public, c.access
		})
		pipeline := h.Pipeline(p, owner.User, []syntax.Job{aJob("build", 0)})
		var got []string
		for _, caller := range []*harness.Caller{
			h.Anonymous(), h.NewUser(), h.ProjectMember(p, model.Guest), h.ProjectMember(p, model.Reporter),
		} {
			jobs := caller.Send("GET", fmt.Sprintf("/projects/%d/jobs", p.ID), "")
			own := caller.Send("GET", fmt.Sprintf("/projects/%d/pipelines/%d/jobs", p.ID, pipeline.Pipeline.ID), "")
			got = append(got, fmt.Sprintf("%d/%d", jobs.Status, own.Status))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%+v: %s", c, text)
		}
	}
}
