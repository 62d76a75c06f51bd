package api

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/server/platform/config"
	"svc/store/blob"
	"svc/store/model"
	"svc/tests/harness"
)

// serviceWithArtifacts starts a service and returns it with a function that adds an artifact file to a job.
func serviceWithArtifacts(t *testing.T) (*harness.H, func(job model.Job, kind, format, text string)) {
	t.Helper()
	data := ""
	h := harness.New(t, func(c *config.Config) { data = c.Data })
	blobs, err := blob.Open("", filepath.Join(data, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	keeper := artifacts.New(h.Store, blobs)
	return h, func(job model.Job, kind, format, text string) {
		t.Helper()
		if _, err := keeper.Put(t.Context(), job, artifacts.Upload{
			FileType: kind, FileFormat: format, Filename: "file",
		}, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJobsReportTests(t *testing.T) {
	t.Parallel()
	h, put := serviceWithArtifacts(t)
	owner := h.NewUser()
	p := h.Project(*owner.User.NamespaceID)
	made := h.Pipeline(p, owner.User, []syntax.Job{aJob("unit", 0), aJob("broken", 0), aJob("plain", 0)})
	var packed bytes.Buffer
	zipped := gzip.NewWriter(&packed)
	fmt.Fprint(zipped, `<testsuites><testsuite><testcase classname="a" name="one" time="0.25"/><testcase name="two" `+
		`time="0.5"><failure>no</failure></testcase></testsuite></testsuites>`)
	zipped.Close()
	put(made.Jobs[0], "junit", "gzip", packed.String())
	put(made.Jobs[1], "junit", "gzip", "not zipped")
	path := fmt.Sprintf("/projects/%d/pipelines/%d", p.ID, made.Pipeline.ID)
	h.Golden("getProjectPipelineTestReport/two", owner.Send("GET", path+"/test_report", "").Body)
	h.Golden("getProjectPipelineTestReportSummary/two", owner.Send("GET", path+"/test_report_summary", "").Body)
	expect(t, h.NewUser().Send("GET", path+"/test_report", ""), 404, "")
	expect(t, owner.Send("GET", fmt.Sprintf("/projects/%d/pipelines/999999/test_report", p.ID), ""), 404, `{"message":"404 Not found"}`)
}

func TestAChildPipelineFromAnArtifact(t *testing.T) {
	t.Parallel()
	h, put := serviceWithArtifacts(t)
	h.StartWorker()
	r := ciProject(t, h, map[string]string{".svc-ci.yml": `
make: {script: a}
good: {stage: deploy, trigger: {include: [{artifact: out/ci.yml, job: make}]}}
none: {stage: deploy, trigger: {include: [{artifact: none.yml, job: make}]}}
`})
	waitForQueue(t, h)
	made := read[pipeline](t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`), 201)
	waitForQueue(t, h)
	job, err := h.Store.Jobs.GetByName(t.Context(), made.ID, "make")
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	file, err := archive.Create("out/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(file, "inner: {script: a}\n")
	archive.Close()
	put(job, model.ArchiveArtifact, "zip", packed.String())
	end(h, job, engine.Outcome{Success: true})
	// The harness drops work that its engine defers.
	rows, err := h.Store.Jobs.Newest(t.Context(), made.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Bridge {
			if err := h.Server.Worker.Enqueue(t.Context(), engine.Bridge{JobID: row.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	waitForQueue(t, h)
	text, id := r.bridges(made.ID)
	if !strings.Contains(text, "good=success") || !strings.Contains(text, "none=failed missing_dependency_failure") ||
		r.jobs(id) != "inner=pending" {
		t.Error(text, id)
	}
}

func TestTestReportsOfAHundredJobsTakeNoMoreStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	file := func(jobs int) map[string]string {
		var text strings.Builder
		for i := range jobs {
			fmt.Fprintf(&text, "job-%d: {script: make, stage: test}\n", i)
		}
		return map[string]string{".svc-ci.yml": text.String()}
	}
	r := ciProject(t, h, file(10))
	r.commit("many", "More", file(100))
	count := func(ref string) int64 {
		before := h.Store.Statements()
		expect(t, r.maintainer.JSON("POST", r.path+"/pipeline", `{"ref":"`+ref+`"}`), 201, "")
		return h.Store.Statements() - before
	}
	count("main")
	if ten, hundred := count("main"), count("many"); hundred > ten+2 || hundred > 40 {
		t.Errorf("%d statements for ten jobs, %d for a hundred", ten, hundred)
	}
}
