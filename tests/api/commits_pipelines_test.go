package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// commitPipelines is what a commit shows of its pipelines.
type commitPipelines struct {
	Status *string
	Last   *struct {
		ID     int64
		Status string
		Ref    string
		WebURL string `json:"web_url"`
	} `json:"last_pipeline"`
}

// jobStatus is a status of a commit.
type jobStatus struct {
	ID           int64
	SHA          string
	Ref          string
	Name         string
	Status       string
	TargetURL    *string `json:"target_url"`
	AllowFailure bool    `json:"allow_failure"`
	PipelineID   *int64  `json:"pipeline_id"`
	Author       *struct{ Username string }
}

// statusNames joins the names and states of statuses.
func statusNames(all []jobStatus) string {
	var out []string
	for _, s := range all {
		out = append(out, s.Name+" "+s.Status)
	}
	return strings.Join(out, ", ")
}

func TestACommitShowsItsLastPipelineAndItsJobs(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r, maintainer := pushedHistory(t, h, model.Private)
	sha := r.run("rev-parse", "topic")
	path := commitsPath + "/topic"
	if got := read[commitPipelines](t, maintainer.Send("GET", path, ""), 200); got.Status != nil || got.Last != nil {
		t.Errorf("without a pipeline: %+v", got)
	}
	on := func(n *store.NewPipeline) { n.Pipeline.SHA = sha }
	optional := aJob("optional", 0)
	optional.AllowFailure = true
	first := h.Pipeline(r.project, maintainer.User, []syntax.Job{aJob("build", 0), optional, aJob("test", 1)}, on)
	end(h, first.Jobs[0], engine.Outcome{})
	h.Pipeline(r.project, maintainer.User, []syntax.Job{aJob("child", 0)}, on,
		func(n *store.NewPipeline) { n.Pipeline.Child = true })
	second := h.Pipeline(r.project, maintainer.User, []syntax.Job{aJob("build", 0)}, on)
	h.Pipeline(r.project, maintainer.User, []syntax.Job{aJob("elsewhere", 0)}) // another commit
	end(h, second.Jobs[0], engine.Outcome{Success: true})

	got := read[commitPipelines](t, maintainer.Send("GET", path, ""), 200)
	if got.Status == nil || *got.Status != "success" || got.Last == nil || got.Last.ID != second.Pipeline.ID ||
		got.Last.WebURL != fmt.Sprintf("%s/acme/web/-/pipelines/%d", h.URL, second.Pipeline.ID) {
		t.Errorf("%+v", got)
	}
	report := maintainer.JSON("POST", "/projects/acme%2Fweb/statuses/"+sha, `{"state":"success","name":"build","ref":"main"}`)
	expect(t, report, 201, "")
	list := read[[]jobStatus](t, maintainer.Send("GET", path+"/statuses", ""), 200)
	if got := statusNames(list); got != "build success, optional pending, test created, build success" {
		t.Errorf("%s", got)
	}
	for _, s := range list[1:] {
		if s.SHA != sha || s.Ref != "main" || s.PipelineID == nil || s.AllowFailure != (s.Name == "optional") ||
			s.Author == nil || s.Author.Username != maintainer.User.Username ||
			s.TargetURL == nil || *s.TargetURL != fmt.Sprintf("%s/acme/web/-/jobs/%d", h.URL, s.ID) {
			t.Errorf("%+v", s)
		}
	}
	if list[0].PipelineID != nil || list[3].ID != second.Jobs[0].ID {
		t.Errorf("%+v", list)
	}
	expectFilteredJobStatuses(t, h, r.project, maintainer, path+"/statuses")
}

// expectFilteredJobStatuses checks the parameters of the list, its pages, and who sees jobs.
func expectFilteredJobStatuses(t *testing.T, h *harness.H, p model.Project, maintainer *harness.Caller, path string) {
	t.Helper()
	for query, want := range map[string]string{
		"?name=build&all=true&sort=desc": "build success, build success, build failed",
		"?ref=topic":                     "",
		"?ref=main&name=optional":        "optional pending",
		"?per_page=1&page=2":             "optional pending",
	} {
		if got := statusNames(read[[]jobStatus](t, maintainer.Send("GET", path+query, ""), 200)); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if page := maintainer.Send("GET", path+"?per_page=1", ""); page.Header.Get("X-Total") != "4" {
		t.Errorf("%v", page.Header)
	}
	expect(t, maintainer.Form("PUT", "/projects/acme%2Fweb", "builds_access_level=disabled"), 200, "")
	if got := statusNames(read[[]jobStatus](t, maintainer.Send("GET", path, ""), 200)); got != "build success" {
		t.Errorf("without CI: %s", got)
	}
	single := read[commitPipelines](t, maintainer.Send("GET", strings.TrimSuffix(path, "/statuses"), ""), 200)
	if single.Status != nil || single.Last != nil {
		t.Errorf("without CI: %+v", single)
	}
}
