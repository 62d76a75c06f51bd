package web

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store"
	"svc/store/model"
	"svc/tests/harness"
)

// pipelineServer is a server with a pipeline, whose jobs the test runs itself.
type pipelineServer struct {
	*harness.H
	owner    *harness.Caller
	project  model.Project
	pipeline store.NewPipeline
}

func newPipelineServer(t *testing.T, visibility model.Visibility) *pipelineServer {
	t.Helper()
	s := &pipelineServer{H: harness.New(t)}
	s.owner = s.NewUserWithPassword()
	s.project = s.Project(*s.owner.User.NamespaceID, func(p *model.Project) { p.Visibility = visibility })
	job := func(name string, stage int, when string) syntax.Job {
		return syntax.Job{Name: name, Stage: []string{"build", "test", "deploy"}[stage], StageIndex: stage, When: when}
	}
	s.pipeline = s.Pipeline(s.project, s.owner.User, []syntax.Job{job("compile <it>", 0, ""), job("unit", 1, ""), job("ask", 2, "manual")})
	return s
}

func (s *pipelineServer) path(kind string, id int64) string {
	return fmt.Sprintf("/%s/-/%s/%d", s.project.FullPath, kind, id)
}

func (s *pipelineServer) take(n int) model.Job {
	s.T.Helper()
	s.ClaimJob(s.pipeline.Jobs[n])
	return s.pipeline.Jobs[n]
}

func TestAPipelinePageShowsTheGraph(t *testing.T) {
	t.Parallel()
	s := newPipelineServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	path := s.path("pipelines", s.pipeline.Pipeline.ID)
	page := b.Get(path)
	checkPage(t, page, 200, path, "Pipeline #")
	for _, want := range []string{
		"compile &lt;it&gt;: pending", "unit: created", `<text class="stage"`, s.path("jobs", s.pipeline.Jobs[0].ID),
		"Mend the roof", `class="state pending"`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(page.Body, "<it>") {
		t.Error("a name is not escaped")
	}
	checkPage(t, b.Submit(path+"/cancel", url.Values{}), 200, path, "canceled")
	checkPage(t, b.Submit(path+"/retry", url.Values{}), 200, path, "pending")
}

func TestAJobShowsItsLog(t *testing.T) {
	t.Parallel()
	s := newPipelineServer(t, model.Private)
	b := s.SignedIn(s.owner.User)
	j := s.take(0)
	path := s.path("jobs", j.ID)
	s.WriteLog(j, "section_start:100:get_sources\r\x1b[0K\x1b[36mFetching\x1b[0m\nfrom "+
		"<here>\nsection_end:102:get_sources\r\x1b[0K\n\x1b[32;1m$ make\x1b[0;m\n")
	page := b.Get(path)
	checkPage(t, page, 200, path, "Follow the log")
	for _, want := range []string{
		`<details data-section="get_sources"><summary><span class="f6">Fetching</span> <span class="took">00:02</span>`,
		"from &lt;here&gt;", `<span class="f2 bold">$ make</span>`, `class="state running"`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q: %s", want, page.Body)
		}
	}
	s.FinishJob(j, engine.Outcome{Reason: "script_failure"})
	page = b.Get(path)
	checkPage(t, page, 200, path, "It failed: its script ended with an error.")
	again := b.Submit(path+"/retry", url.Values{})
	if again.Status != 200 || again.URL.Path == path || !strings.Contains(again.Body, `class="state pending"`) {
		t.Error(again.Status, again.URL.Path)
	}
	checkPage(t, b.Submit(again.URL.Path+"/cancel", url.Values{}), 200, again.URL.Path, "canceled")
}

func TestALogIsStreamed(t *testing.T) {
	t.Parallel()
	s := newPipelineServer(t, model.Public)
	j := s.take(0)
	s.WriteLog(j, "one\n\x1b[31mtw")
	res, err := http.Get(s.URL + s.path("jobs", j.ID) + "/log?from=4")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); res.StatusCode != 200 || got != "text/event-stream; charset=utf-8" {
		t.Fatal(res.StatusCode, got)
	}
	s.WriteLog(j, "o\n")
	data := events(res.Body)
	if got := data(); got != `state {"status":"running","text":"running","waiting":""}` {
		t.Error(got)
	}
	if got := data(); got != `lines [{"line":2,"html":"\u003cspan class=\"f1\"\u003etwo\u003c/span\u003e"}]` {
		t.Error(got)
	}
	s.WriteLog(j, "three")
	s.FinishJob(j, engine.Outcome{Success: true})
	if got := data(); got != `state {"status":"success","text":"passed","waiting":""}` {
		t.Error(got)
	}
	if got := data(); got != `lines [{"line":3,"html":"\u003cspan class=\"f1\"\u003ethree\u003c/span\u003e"}]` {
		t.Error(got)
	}
	if got := data(); got != "done {}" {
		t.Error(got)
	}
	if got := data(); got != "the end" {
		t.Error(got)
	}
}

// events returns a function that returns the next event of a stream.
func events(stream io.Reader) func() string {
	lines := bufio.NewScanner(stream)
	return func() string {
		kind := ""
		for lines.Scan() {
			if text, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				kind = text
			}
			if text, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				return kind + " " + text
			}
		}
		return "the end"
	}
}

// An open job page follows the job from the queue to its end, without a reload.
func TestTheStateOfAJobIsStreamed(t *testing.T) {
	t.Parallel()
	s := newPipelineServer(t, model.Public)
	j := s.pipeline.Jobs[0]
	page := s.Browser().Get(s.path("jobs", j.ID))
	checkPage(t, page, 200, "", "It waits for a runner.")
	checkPage(t, s.SignedIn(s.owner.User).Get(s.path("jobs", j.ID)), 200, "", "It waits for a runner: this project has no runners.")
	checkPage(t, s.Browser().Get(s.path("jobs", s.pipeline.Jobs[1].ID)), 200, "", "It waits for earlier jobs to finish.")
	res, err := http.Get(s.URL + s.path("jobs", j.ID) + "/log?from=0")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	next := events(res.Body)
	if got := next(); got != `state {"status":"pending","text":"pending","waiting":"It waits for a runner."}` {
		t.Error(got)
	}
	s.take(0)
	if got := next(); got != `state {"status":"running","text":"running","waiting":""}` {
		t.Error(got)
	}
	// In these lines with timestamps, the second continues the first, and the title of the section is on the line after
	// its marker.
	at := "2026-11-16T12:43:46.962646Z 00O"
	s.WriteLog(j, at+" one\n")
	if got := next(); got != `lines [{"line":1,"html":"one"}]` {
		t.Error(got)
	}
	s.WriteLog(j, at+"+, two\n"+at+" section_start:1:x\r\n"+at+"+\x1b[0KTitle\n"+at+" in\n")
	got := next()
	for _, want := range []string{`{"line":1,"html":"one, two"}`, `{"html":"Title","open":"x"}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	s.FinishJob(j, engine.Outcome{Success: true})
	for got = next(); !strings.HasPrefix(got, "state"); got = next() {
		if got == "the end" {
			t.Fatal("the state is never told")
		}
	}
	if got != `state {"status":"success","text":"passed","waiting":""}` {
		t.Error(got)
	}
}

func TestAManualJobAsksForConfirmation(t *testing.T) {
	t.Parallel()
	s := newPipelineServer(t, model.Private)
	n := s.Pipeline(s.project, s.owner.User, []syntax.Job{
		{Name: "ship", Stage: "build", When: "manual", ManualConfirmation: "Really <ship>?"}, {Name: "ask", Stage: "build", When: "manual"},
	})
	b := s.SignedIn(s.owner.User)
	page := b.Get(s.path("jobs", n.Jobs[0].ID))
	if want := `<input type="checkbox" required> Really &lt;ship&gt;?</label>`; !strings.Contains(page.Body, want) {
		t.Errorf("the page lacks %q: %s", want, page.Body)
	}
	if page := b.Get(s.path("jobs", n.Jobs[1].ID)); page.Status != 200 || strings.Contains(page.Body, "required>") {
		t.Error("a job without manual_confirmation asks")
	}
	checkPage(t, page, 200, "", "It waits for someone to run it.")
}

func TestJobPagesNeedAccessToTheProject(t *testing.T) {
	t.Parallel()
	s := newPipelineServer(t, model.Private)
	job, pipeline := s.path("jobs", s.pipeline.Jobs[0].ID), s.path("pipelines", s.pipeline.Pipeline.ID)
	stranger, nobody := s.SignedIn(s.NewUserWithPassword().User), s.Browser()
	for _, path := range []string{job, pipeline, "/no/such/-/jobs/1"} {
		hidden(t, nobody, path)
		hidden(t, stranger, path)
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
	reporter := s.NewUserWithPassword()
	s.JoinProject(s.project, reporter.User, model.Reporter)
	r := s.SignedIn(reporter.User)
	if page := r.Get(job); page.Status != 200 || strings.Contains(page.Body, "/cancel") {
		t.Error(page.Status)
	}
	if got := b.Post(job+"/cancel", url.Values{}); got.Status != 422 && got.Status != 403 {
		t.Error("a forged form was taken:", got.Status)
	}
}
