package browser

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/tests/harness"

	"github.com/chromedp/chromedp"
)

// The page of a waiting job says why it waits, and follows the job without a reload. The log is that of a runner with
// timestamps.
func TestTheJobPageFollowsAJobFromQueueToEnd(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	p := h.Project(*owner.User.NamespaceID)
	n := h.Pipeline(p, owner.User, []syntax.Job{
		{Name: "compile", Stage: "build", Tags: []string{"linux", "gpu"}},
		{Name: "ship", Stage: "build", When: "manual", ManualConfirmation: "This goes to production. Are you sure?"},
	})
	b := open(t, h)
	signIn(b, owner.User, "Your projects")
	b.visit(fmt.Sprintf("/%s/-/jobs/%d", p.FullPath, n.Jobs[1].ID))
	b.screenshot("job-manual")
	b.visit(fmt.Sprintf("/%s/-/jobs/%d", p.FullPath, n.Jobs[0].ID))
	b.until(`document.querySelector("#waiting").textContent === "It waits for a runner: this project has no runners."`)
	b.screenshot("job-waiting")
	loaded := b.number("performance.timeOrigin")
	h.ClaimJob(n.Jobs[0])
	b.until(`document.querySelector("#state").textContent === "running" && !document.querySelector("#waiting")`)
	at := "2026-11-16T12:43:46.962646Z 00O"
	h.WriteLog(n.Jobs[0], at+" section_start:100:get_sources\r\n"+at+"+\x1b[0K\x1b[36;1mGetting source\x1b[0;m\n"+at+" Fetching changes\n"+
		at+" section_end:103:get_sources\r\n"+at+"+\x1b[0Ksection_start:103:step_script\r\n"+at+
		"+\x1b[0KRunning the script\n"+at+" Loading\n")
	b.until(`document.querySelector('#log details[data-section="get_sources"] summary .f6')?.textContent === "Getting source"`)
	b.until(`[...document.querySelectorAll("#log .l")].at(-1)?.lastChild.textContent === "Loading"`)
	h.WriteLog(n.Jobs[0], at+"+ ... done\n")
	b.until(`[...document.querySelectorAll("#log .l")].at(-1)?.lastChild.textContent === "Loading ... done"`)
	b.screenshot("job-stamped")
	h.FinishJob(n.Jobs[0], engine.Outcome{Success: true})
	b.until(`document.querySelector("#state").textContent === "passed" && !document.querySelector("#follow")`)
	b.until(`!!document.querySelector('form[action$="/retry"]')`)
	b.screenshot("job-passed")
	if now := b.number("performance.timeOrigin"); now != loaded {
		t.Error("the page was loaded again")
	}
}

func TestThePipelinePageFollowsJobsAndLogs(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword()
	p := h.Project(*owner.User.NamespaceID)
	job := func(name string, stage int, edit ...func(*syntax.Job)) syntax.Job {
		j := syntax.Job{Name: name, Stage: []string{"build", "test", "deploy"}[stage], StageIndex: stage}
		for _, f := range edit {
			f(&j)
		}
		return j
	}
	manual := func(j *syntax.Job) { j.When = "manual" }
	n := h.Pipeline(p, owner.User, []syntax.Job{
		job("compile", 0), job("assets with a rather long name", 0), job("unit tests", 1), job("integration", 1),
		job("lint", 1), job("production", 2, manual),
	})
	b := open(t, h)
	signIn(b, owner.User, "Your projects")
	path := func(kind string, id int64) string { return fmt.Sprintf("/%s/-/%s/%d", p.FullPath, kind, id) }

	b.visit(path("pipelines", n.Pipeline.ID))
	if boxes := b.number(`document.querySelectorAll(".graph .box").length`); boxes != 6 {
		t.Errorf("%v boxes", boxes)
	}
	if at := b.number(
		`(() => { const x = (n) => document.querySelectorAll(".graph .box")[n].getBoundingClientRect().x; return x(2) - x(0) })()`,
	); at < 200 {
		t.Errorf("a stage stands %v to the right of the one before", at)
	}
	b.screenshot("pipeline")
	compile := n.Jobs[0]
	h.ClaimJob(compile)
	b.until(`!!document.querySelector(".graph .dot.running")`) // without a manual reload
	b.run(chromedp.Click(chromedp.CSS(".graph a")))
	b.until(`!!document.querySelector("#log")`) // the page does not show an empty log

	h.WriteLog(
		compile,
		"section_start:100:get_sources\r\x1b[0K\x1b[36;1mGetting source\x1b[0;m\nFetching "+
			"<b>changes</b>\nsection_end:103:get_sources\r\x1b[0K\n",
	)
	h.WriteLog(compile, "section_start:103:step_script\r\x1b[0KScript\n\x1b[32;1m$ make all\x1b[0;m\n")
	b.until(`document.querySelector("#log .f2.bold")?.textContent === "$ make all"`)
	if text := b.text(`#log details[data-section="get_sources"] summary`); !strings.Contains(text, "00:03") {
		t.Errorf("the section's title is %q", text)
	}
	if folded := b.number(`document.querySelector('#log details[data-section="get_sources"]').open ? 0 : 1`); folded != 1 {
		t.Error("a section that has ended is not folded")
	}
	b.run(chromedp.Click(chromedp.CSS(`#log details[data-section="get_sources"] summary`)))
	if text := b.text("#log"); !strings.Contains(text, "Fetching <b>changes</b>") {
		t.Errorf("the log is %s", text)
	}
	for i := range 200 {
		h.WriteLog(compile, fmt.Sprintf("\x1b[31mline %d\x1b[0m\n", i))
	}
	b.until(`document.querySelector("#log").textContent.includes("line 199")`)
	b.until(`(() => { const log = document.querySelector("#log"); return log.scrollHeight - log.scrollTop - log.clientHeight < 5 })()`)
	b.screenshot("job-running")
	h.WriteLog(compile, "section_end:110:step_script\r\x1b[0K\nERROR: Job failed\n")
	h.FinishJob(compile, engine.Outcome{Reason: "script_failure"})
	b.until(`document.querySelector("#state").textContent === "failed"`)
	// The text appears after the state.
	b.until(`document.querySelector("main").textContent.includes("It failed: its script ended with an error.")`)
	b.screenshot("job-failed")
	// In one step, because the page replaces the button when it looks at the job again.
	b.number(`(document.querySelector('form[action$="/retry"] button').click(), 1)`)
	b.until(`document.querySelector("#state").textContent === "pending"`)
}
