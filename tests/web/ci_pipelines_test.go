package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

func TestPipelinesAreListedWithFiltersInTheAddress(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	path := p.at("pipelines")
	has(t, openPage(t, p.H, p.reporter, path, 8), "There are no pipelines yet", "git push")
	var last int64
	for range 25 {
		made := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{{Name: "lint", Stage: "build", AllowFailure: true}})
		last = made.Pipeline.ID
	}
	warned := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{
		{Name: "lint", Stage: "build", AllowFailure: true}, {Name: "unit", Stage: "build"},
	})
	p.ClaimJob(warned.Jobs[0])
	p.FinishJob(warned.Jobs[0], engine.Outcome{Reason: "script_failure"})
	p.ClaimJob(warned.Jobs[1])
	p.FinishJob(warned.Jobs[1], engine.Outcome{Success: true})
	page := openPage(t, p.H, p.reporter, path, 8)
	has(t, page, "passed with warnings", fmt.Sprintf(`href="%s"`, p.at("pipelines/%d", last)), "Mend the roof", "Next page")
	lacks(t, page, "Run a pipeline")
	has(t, p.developer.Get(path), p.at("pipelines/new"))
	page = openPage(t, p.H, p.reporter, path+"?status=pending&ref=main&page=2", 8)
	has(t, page, "Previous page", "status=pending", `<option value="pending" selected>`)
	checkPage(t, p.reporter.Get(path+"?status=failed"), 200, path, "No pipeline fits this filter")
	checkPage(t, p.reporter.Get(path+"?status=odd"), 400, path, "status does not have a valid value")
	has(t, p.reporter.Get(p.at("pipelines/%d", warned.Pipeline.ID)), "passed with warnings", "lint: failed, allowed to fail")
	p.hides(path)
}

func TestAPipelineIsRunWithVariables(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	p.commit(".gitlab-ci.yml", "show: {script: echo, rules: [{if: '$COLOUR == \"red\"'}]}\n")
	path := p.at("pipelines/new")
	p.hides(path, p.reporter)
	page := openPage(t, p.H, p.owner, path+"?ref=main&var[COLOUR]=blue", 4)
	has(t, page, `value="COLOUR"`, `value="blue"`, `value="main"`)
	page = p.owner.Submit(path, url.Values{"ref": {"main"}})
	checkPage(t, page, 422, path, "Run a pipeline")
	has(t, page, `role="alert"`, `value="blue"`)
	page = p.owner.Submit(path, url.Values{"key_1": {"not a key"}})
	checkPage(t, page, 422, path, "can contain only letters")
	checkPage(t, p.owner.Submit(path, url.Values{"ref": {"nowhere"}, "key_1": {"COLOUR"}}), 422, path, "Reference not found")
	page = p.owner.Submit(path, url.Values{"ref": {"main"}, "value_1": {"red"}, "key_2": {"FILE"}, "value_2": {"x"}, "type_2": {"file"}})
	checkPage(t, page, 200, "", "was started")
	has(t, page, "show: pending", "by web", "<code>COLOUR</code>")
	pipeline := page.URL.Path
	lacks(t, p.reporter.Get(pipeline), "COLOUR")
	p.owner.Get(pipeline)
	has(t, p.owner.Page, pipeline+"/delete")
	lacks(t, p.maintainer.Get(pipeline), pipeline+"/delete")
	p.owner.Get(pipeline)
	checkPage(t, p.owner.Submit(pipeline+"/delete", url.Values{}), 200, p.at("pipelines"), "was deleted")
	hidden(t, p.owner, pipeline)
}

func TestATestReportShowsWhatFailed(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{{Name: "unit", Stage: "test"}, {Name: "none", Stage: "test"}})
	path := p.at("pipelines/%d/test_report", n.Pipeline.ID)
	has(t, openPage(t, p.H, p.reporter, path, 6), "No job of this pipeline has a test report")
	lacks(t, p.reporter.Get(p.at("pipelines/%d", n.Pipeline.ID)), "test_report")
	report := `<testsuite><testcase name="good" time="1"/><testcase name="bad &lt;b&gt;" classname="Roof">` +
		`<failure>it &lt;leaks&gt;</failure></testcase></testsuite>`
	p.AddArtifact(n.Jobs[0], artifacts.Upload{FileType: "junit", FileFormat: "gzip", Filename: "junit.xml.gz"}, gzipped(t, report))
	has(t, p.reporter.Get(p.at("pipelines/%d", n.Pipeline.ID)), path)
	page := openPage(t, p.H, p.reporter, path, 6)
	has(t, page, "bad &lt;b&gt;", "it &lt;leaks&gt;", "Failed tests")
	lacks(t, page, ">good<")
	has(t, p.reporter.Get(path+"?suite=1"), "<strong>good</strong>", "Tests of unit")
	hidden(t, p.reporter, path+"?suite=7")
	p.hides(path)
}

func TestJobsAreListed(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	path := p.at("jobs")
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{
		{Name: "compile <it>", Stage: "build", Tags: []string{"gpu"}}, {Name: "unit", Stage: "test", StageIndex: 1},
	})
	p.addArchive(n.Jobs[0], "a.txt", "x")
	page := openPage(t, p.H, p.reporter, path, 9)
	has(t, page, "compile &lt;it&gt;", p.at("jobs/%d/artifacts/browse", n.Jobs[0].ID), ">gpu<", p.at("pipelines/%d", n.Pipeline.ID))
	lacks(t, p.reporter.Get(path+"?status=pending"), ">unit<")
	has(t, p.reporter.Get(fmt.Sprintf("%s?pipeline=%d", path, n.Pipeline.ID)), ">unit<")
	checkPage(t, p.reporter.Get(path+"?pipeline=x"), 400, path, "not the number of a pipeline")
	p.hides(path)
}

func TestALongLogIsShownInParts(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{{Name: "talk", Stage: "build"}})
	j := n.Jobs[0]
	p.ClaimJob(j)
	var log strings.Builder
	log.WriteString("section_start:100:step_script\r\x1b[0KRunning\n")
	for i := 1; i <= 3000; i++ {
		fmt.Fprintf(&log, "line %d of <many>\n", i)
	}
	p.WriteLog(j, log.String())
	p.FinishJob(j, engine.Outcome{Success: true})
	path := p.at("jobs/%d", j.ID)
	page := openPage(t, p.H, p.reporter, path, 10)
	has(t, page, `id="L3000"`, "Earlier lines", "of 3000", `data-section="step_script"`)
	lacks(t, page, `id="L1"`)
	page = p.reporter.Get(path + "?lines=1")
	has(t, page, `id="L1"`, `href="?lines=1#L2"`, "line 1 of &lt;many&gt;", "Later lines")
	lacks(t, page, `id="L3000"`)
	page = p.reporter.Get(path + "?search=LINE+77+of")
	checkPage(t, page, 200, path, "1 line with “LINE 77 of”")
	has(t, page, `href="?lines=77#L77"`)
	checkPage(t, p.reporter.Get(path+"?search=%3Cmany%3E"), 200, path, "The first 50 lines")
	checkPage(t, p.reporter.Get(path+"?search=nothing"), 200, path, "No line has")
	for _, bad := range []string{"?lines=0", "?lines=x", "?search=" + strings.Repeat("a", 300)} {
		if got := p.reporter.Get(path + bad); got.Status != 400 {
			t.Error(bad, got.Status)
		}
	}
	p.reporter.NoRedirects()
	raw := fmt.Sprintf("/api/v4/projects/%d/jobs/%d/trace", p.project.ID, j.ID)
	if got := p.reporter.Get(path + "/raw"); got.Status != 302 || got.Header.Get("Location") != raw {
		t.Error(got.Status, got.Header)
	}
}

func TestAJobIsErasedByThoseWhoMay(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{{Name: "talk", Stage: "build"}})
	j, path := n.Jobs[0], p.at("jobs/%d", n.Jobs[0].ID)
	p.ClaimJob(j)
	p.WriteLog(j, "secret words\n")
	p.FinishJob(j, engine.Outcome{Success: true})
	lacks(t, p.developer.Get(path), path+"/erase")
	has(t, p.maintainer.Get(path), path+"/erase", "secret words")
	fields, _ := p.maintainer.Page.Fields(path + "/erase")
	p.developer.Get(path)
	own, _ := p.developer.Page.Fields("/users/sign_out")
	if got := p.developer.Post(path+"/erase", own); got.Status != 403 {
		t.Error(got.Status)
	}
	checkPage(t, p.maintainer.Post(path+"/erase", fields), 200, path, "The log was erased")
}

func TestArtifactsAreBrowsedSafely(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{
		{Name: "build", Stage: "build"},
		{Name: "shy", Stage: "build", Artifacts: &syntax.Artifacts{Access: "developer"}},
	})
	p.addArchive(n.Jobs[0], "docs/<index>.html", "<script>alert(1)</script>", "docs/deep/er.txt", "x", "top.bin", "\x00\x01", "../out", "x",
		"/etc/passwd", "x", strings.Repeat("long/", 200)+"x", "x")
	base := p.at("jobs/%d/artifacts", n.Jobs[0].ID)
	page := openPage(t, p.H, p.reporter, base+"/browse", 10)
	has(t, page, base+"/browse/docs", base+"/file/top.bin", "not shown, because of unusual names")
	lacks(t, page, "passwd", "../out")
	page = p.reporter.Get(base + "/browse/docs")
	has(t, page, "&lt;index&gt;.html", base+"/file/docs/%3Cindex%3E.html", base+"/browse/docs/deep")
	page = p.reporter.Get(base + "/file/docs/%3Cindex%3E.html")
	has(t, page, "&lt;script&gt;alert(1)")
	lacks(t, page, "<script>alert")
	has(t, p.reporter.Get(base+"/file/top.bin"), "The file is not a text.")
	for _, path := range []string{"/browse/nothing", "/file/nothing", "/file/../out", "/file/docs", "/file/%2e%2e/out"} {
		if got := p.reporter.Get(base + path); got.Status != 404 {
			t.Error(path, got.Status)
		}
	}
	raw := p.reporter.Get(base + "/raw/docs/%3Cindex%3E.html")
	if raw.Status != 200 || raw.Header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		!strings.Contains(raw.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Error(raw.Status, raw.URL, raw.Text(), raw.Header)
	}
	if got := p.reporter.Get(base + "/download"); got.Status != 200 || got.Header.Get("Content-Type") != "application/zip" {
		t.Error(got.Status, got.Header)
	}
	p.hides(base + "/browse")
	p.addArchive(n.Jobs[1], "secret.txt", "x")
	shy := p.at("jobs/%d/artifacts/browse", n.Jobs[1].ID)
	hidden(t, p.reporter, shy)
	lacks(t, p.reporter.Get(p.at("jobs/%d", n.Jobs[1].ID)), shy)
	has(t, p.developer.Get(p.at("jobs/%d", n.Jobs[1].ID)), shy)
	has(t, p.developer.Get(shy), "secret.txt")
	job := p.at("jobs/%d", n.Jobs[0].ID)
	p.maintainer.Get(job)
	checkPage(t, p.maintainer.Submit(base+"/delete", url.Values{}), 200, job, "The artifacts were deleted")
	hidden(t, p.maintainer, base+"/browse")
}

func TestPicturesOfArtifactsAreShownSafely(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{{Name: "build", Stage: "build"}})
	drawing := `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
	p.addArchive(n.Jobs[0], "shots/<a>.PNG", "\x89PNG\r\n\x1a\n", "logo.svg", drawing, "page.html", "<b>x</b>")
	base := p.at("jobs/%d/artifacts", n.Jobs[0].ID)
	page := openPage(t, p.H, p.reporter, base+"/file/shots/%3Ca%3E.PNG", 10)
	has(t, page, `<img class="shown" src="`+base+`/raw/shots/%3Ca%3E.PNG" alt="&lt;a&gt;.PNG">`)
	page = p.reporter.Get(base + "/file/logo.svg")
	has(t, page, base+"/raw/logo.svg")
	lacks(t, page, "alert(1)")
	for name, media := range map[string]string{"shots/%3Ca%3E.PNG": "image/png", "logo.svg": "image/svg+xml"} {
		raw := p.reporter.Get(base + "/raw/" + name)
		if raw.Status != 200 || raw.Header.Get("Content-Type") != media || raw.Header.Get("X-Content-Type-Options") != "nosniff" ||
			raw.Header.Get("Content-Security-Policy") != "default-src 'none'; sandbox" {
			t.Error(name, raw.Status, raw.Header)
		}
		p.hides(base + "/raw/" + name)
	}
	if got := p.reporter.Get(base + "/raw/page.html"); got.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Error(got.Status, got.Header)
	}
	hidden(t, p.reporter, base+"/raw/nothing.png")
	hidden(t, p.reporter, base+"/raw/%2e%2e/out.png")
}

func TestTheCIFileIsChecked(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	path := p.at("ci/lint")
	has(t, p.owner.Get(path), "There is no CI file")
	p.commit(".gitlab-ci.yml", "unit: {script: make <all>}\n")
	has(t, openPage(t, p.H, p.owner, path, 12), "The file is valid.", "make &lt;all&gt;")
	has(t, p.reporter.Get(path), "make &lt;all&gt;", "Developers can check it.")
	lacks(t, p.reporter.Page, "<textarea", "The file is valid.")
	p.owner.Get(path)
	page := p.owner.Submit(path, url.Values{"content": {"unit: {scrpt: make}\n"}})
	checkPage(t, page, 422, path, "The file has errors")
	has(t, page, "unit: {scrpt: make}")
	page = p.owner.Submit(path, url.Values{
		"content": {"unit: {script: make}\nship: {script: x, rules: [{if: '$NO'}]}\n"}, "dry_run": {"1"},
	})
	checkPage(t, page, 200, path, "The file is valid.")
	lacks(t, page, `data-label="Job">ship`)
	checkPage(t, p.owner.Submit(path, url.Values{"content": {"x"}, "ref": {"gone"}}), 422, path, "There is no branch or tag “gone”")
	hidden(t, p.owner, path+"?ref=gone")
	p.owner.Get(path)
	text := url.Values{"content": {"unit: {script: make all}\r\n"}, "save": {"1"}, "commit_message": {"Make <all>"}}
	checkPage(t, p.owner.Submit(path, text), 200, path, "The file was saved in a commit on main")
	has(t, p.owner.Page, "make all", "The file is valid.")
	text.Set("seen", strings.Repeat("0", 64))
	checkPage(t, p.owner.Submit(path, text), 409, path, "The file has changed since you opened this page")
	text.Set("content", "unit: {scrpt: x}")
	checkPage(t, p.owner.Submit(path, text), 422, path, "The file has errors")
	p.developer.Get(path) // the branch is protected
	delete(text, "seen")
	text.Set("content", "unit: {script: other}")
	checkPage(t, p.developer.Submit(path, text), 422, path, "You are not allowed to push into this branch")
	p.hides(path)
}

func TestAPictureShowsTheStatusOfABranch(t *testing.T) {
	t.Parallel()
	p := newCIPlace(t)
	path := p.at("badges/main/pipeline.svg")
	has(t, p.reporter.Get(path), "pipeline: unknown")
	n := p.Pipeline(p.project, p.ownerUser.User, []syntax.Job{{Name: "unit", Stage: "test"}})
	page := p.reporter.Get(path)
	has(t, page, "pipeline: pending")
	if page.Header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(page.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Error(page.Header)
	}
	p.ClaimJob(n.Jobs[0])
	coverage := 81.5
	p.FinishJob(n.Jobs[0], engine.Outcome{Success: true, Coverage: &coverage})
	has(t, p.reporter.Get(path), "pipeline: passed")
	has(t, p.reporter.Get(p.at("badges/main/coverage.svg")), "coverage: 81.5 %")
	has(t, p.reporter.Get(p.at("pipelines")), "coverage 81.5 %")
	hidden(t, p.reporter, p.at("badges/main/other.svg"))
	hidden(t, p.reporter, p.at("badges/pipeline.svg"))
	p.hides(path)
}

// A public project shows its pipelines to everybody, but no setting.
func TestAnonymousVisitorsSeePublicPipelines(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	project := h.Project(*owner.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	n := h.Pipeline(project, owner.User, []syntax.Job{{Name: "unit", Stage: "test"}})
	b, base := h.Browser(), "/"+project.FullPath+"/-/"
	page := openPage(t, h, b, base+"pipelines", 8)
	lacks(t, page, "settings/variables", base+"jobs\"", "pipelines/new")
	checkPage(t, b.Get(fmt.Sprintf("%spipelines/%d", base, n.Pipeline.ID)), 200, "", "Pipeline #")
	checkPage(t, b.Get(fmt.Sprintf("%sjobs/%d", base, n.Jobs[0].ID)), 200, "", "It waits for a runner.")
	for _, path := range []string{
		"jobs", "pipelines/new", "pipeline_schedules", "environments", "ci/lint", "settings/variables", "settings/runners", "hooks",
	} {
		hidden(t, b, base+path)
	}
}
