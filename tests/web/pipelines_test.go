package web

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"svc/server/ci/engine"
	"svc/server/ci/logs"
	"svc/server/ci/syntax"
	"svc/server/config"
	"svc/store"
	"svc/store/blob"
	"svc/store/model"
	"svc/tests/harness"
)

// site is a service with a pipeline, whose jobs are run by hand.
type site struct {
	*harness.H
	t        *testing.T
	logs     *logs.Logs
	owner    *harness.Caller
	project  model.Project
	pipeline store.NewPipeline
	runner   model.Runner
}

func newSite(t *testing.T, visibility model.Visibility) *site {
	t.Helper()
	data := t.TempDir()
	s := &site{H: harness.New(t, func(c *config.Config) { c.Data = data }), t: t}
	blobs, err := blob.Open("", filepath.Join(data, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	s.logs = logs.New(s.Store, blobs, 1<<30)
	s.owner = s.Person()
	s.project = s.Project(*s.owner.User.NamespaceID, func(p *model.Project) { p.Visibility = visibility })
	job := func(name string, stage int, when string) syntax.Job {
		return syntax.Job{Name: name, Stage: []string{"build", "test", "deploy"}[stage], StageIndex: stage, When: when}
	}
	s.pipeline = s.Pipeline(s.project, s.owner.User, []syntax.Job{job("compile <it>", 0, ""), job("unit", 1, ""), job("ask", 2, "manual")})
	s.runner = model.Runner{RunnerType: model.InstanceRunner, Digest: "runner", AccessLevel: "not_protected", Tags: "[]"}
	if err := s.Store.Runners.Create(t.Context(), &s.runner); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *site) path(kind string, id int64) string {
	return fmt.Sprintf("/%s/-/%s/%d", s.project.FullPath, kind, id)
}

func (s *site) take(n int) model.Job {
	s.t.Helper()
	j := s.pipeline.Jobs[n]
	taken, err := s.Engine().Claim(s.t.Context(), j.PipelineID, store.Claim{JobID: j.ID, RunnerID: s.runner.ID, Digest: fmt.Sprint(j.ID), Timeout: 60})
	if err != nil || !taken {
		s.t.Fatal(taken, err)
	}
	return j
}

func (s *site) write(j model.Job, text string) {
	s.t.Helper()
	now, err := s.Store.Jobs.Find(s.t.Context(), j.ID)
	if err == nil {
		_, err = s.logs.Append(s.t.Context(), now, now.LogSize, []byte(text), false)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) finish(j model.Job, o engine.Outcome) {
	s.t.Helper()
	if err := s.Engine().Finish(s.t.Context(), j, o); err != nil {
		s.t.Fatal(err)
	}
}

func TestAPipelineIsDrawn(t *testing.T) {
	t.Parallel()
	s := newSite(t, model.Private)
	b := s.SignedIn(s.owner.User)
	path := s.path("pipelines", s.pipeline.Pipeline.ID)
	page := b.Get(path)
	shows(t, page, 200, path, "Pipeline #")
	for _, want := range []string{"compile &lt;it&gt;: pending", "unit: created", `<text class="stage"`, s.path("jobs", s.pipeline.Jobs[0].ID), "Mend the roof", `class="state pending"`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page.Body, "<it>") {
		t.Error("a name is not escaped")
	}
	shows(t, b.Submit(path+"/cancel", url.Values{}), 200, path, "canceled")
	shows(t, b.Submit(path+"/retry", url.Values{}), 200, path, "pending")
}

func TestAJobShowsItsLog(t *testing.T) {
	t.Parallel()
	s := newSite(t, model.Private)
	b := s.SignedIn(s.owner.User)
	j := s.take(0)
	path := s.path("jobs", j.ID)
	s.write(j, "section_start:100:get_sources\r\x1b[0K\x1b[36mFetching\x1b[0m\nfrom <here>\nsection_end:102:get_sources\r\x1b[0K\n\x1b[32;1m$ make\x1b[0;m\n")
	page := b.Get(path)
	shows(t, page, 200, path, "Follow the log")
	for _, want := range []string{`<details data-section="get_sources"><summary><span class="f6">Fetching</span> <span class="took">00:02</span>`, "from &lt;here&gt;", `<span class="f2 bold">$ make</span>`, `class="state running"`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q: %s", want, page.Body)
		}
	}
	s.finish(j, engine.Outcome{Reason: "script_failure"})
	page = b.Get(path)
	shows(t, page, 200, path, "It failed: script_failure")
	again := b.Submit(path+"/retry", url.Values{})
	if again.Status != 200 || again.URL.Path == path || !strings.Contains(again.Body, `class="state pending"`) {
		t.Error(again.Status, again.URL.Path)
	}
	shows(t, b.Submit(again.URL.Path+"/cancel", url.Values{}), 200, again.URL.Path, "canceled")
}

func TestALogIsFollowed(t *testing.T) {
	t.Parallel()
	s := newSite(t, model.Public)
	j := s.take(0)
	s.write(j, "one\n\x1b[31mtw")
	res, err := http.Get(s.URL + s.path("jobs", j.ID) + "/log?from=4")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); res.StatusCode != 200 || got != "text/event-stream; charset=utf-8" {
		t.Fatal(res.StatusCode, got)
	}
	s.write(j, "o\n")
	lines := bufio.NewScanner(res.Body)
	data := func() string {
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return text
			}
		}
		return "the end"
	}
	if got := data(); got != `[{"line":2,"html":"\u003cspan class=\"f1\"\u003etwo\u003c/span\u003e"}]` {
		t.Error(got)
	}
	s.write(j, "three")
	s.finish(j, engine.Outcome{Success: true})
	if got := data(); got != `[{"line":3,"html":"\u003cspan class=\"f1\"\u003ethree\u003c/span\u003e"}]` {
		t.Error(got)
	}
	if got := data(); got != "{}" {
		t.Error(got)
	}
	if got := data(); got != "the end" {
		t.Error(got)
	}
}

func TestPagesOfJobsAreForThoseWhoSeeThem(t *testing.T) {
	t.Parallel()
	s := newSite(t, model.Private)
	job, pipeline := s.path("jobs", s.pipeline.Jobs[0].ID), s.path("pipelines", s.pipeline.Pipeline.ID)
	stranger, nobody := s.SignedIn(s.Person().User), s.Browser()
	for _, path := range []string{job, pipeline, "/no/such/-/jobs/1"} {
		if got := nobody.Get(path); got.URL.Path != "/users/sign_in" {
			t.Errorf("%s: %d %s", path, got.Status, got.URL.Path)
		}
		if got := stranger.Get(path); got.Status != 404 {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	if got := stranger.Get(job + "/log?from=0"); got.Status != 404 {
		t.Error(got.Status)
	}
	b := s.SignedIn(s.owner.User)
	for _, path := range []string{job + "0000", job + "/none", s.path("jobs", s.pipeline.Jobs[0].ID) + "/log?from=99", "/-/jobs/1"} {
		if got := b.Get(path); got.Status != 404 && got.Status != 400 {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	reporter := s.Person()
	s.JoinProject(s.project, reporter.User, model.Reporter)
	r := s.SignedIn(reporter.User)
	if page := r.Get(job); page.Status != 200 || strings.Contains(page.Body, "/cancel") {
		t.Error(page.Status)
	}
	if got := b.Post(job+"/cancel", url.Values{}); got.Status != 422 && got.Status != 403 {
		t.Error("a forged form was taken:", got.Status)
	}
}
