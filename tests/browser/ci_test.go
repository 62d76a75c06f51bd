package browser

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"svc/server/domain/ci/artifacts"
	"svc/server/domain/ci/engine"
	"svc/server/domain/ci/syntax"
	"svc/store/model"
	"svc/tests/harness"
)

func TestThePagesAboutCIAreAccessible(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	project := codeProject(t, h, owner)
	group := h.Group()
	h.Join(group, owner.User, model.Owner)
	n := h.Pipeline(project, owner.User, []syntax.Job{
		{Name: "compile", Stage: "build"}, {Name: "lint", Stage: "build", AllowFailure: true}, {Name: "unit", Stage: "test", StageIndex: 1},
	})
	h.ClaimJob(n.Jobs[0])
	h.WriteLog(n.Jobs[0], "section_start:100:step_script\r\x1b[0KRunning\n\x1b[32;1m$ make\x1b[0;m\nall good\n")
	h.FinishJob(n.Jobs[0], engine.Outcome{Success: true})
	h.AddArtifact(n.Jobs[0], artifacts.Upload{FileType: "archive", FileFormat: "zip", Filename: "artifacts.zip"}, zipped(t))
	h.ClaimJob(n.Jobs[1])
	h.FinishJob(n.Jobs[1], engine.Outcome{Reason: "script_failure"})
	id := fmt.Sprintf("/projects/%d", project.ID)
	made := func(path, body string) (row struct{ ID int64 }) {
		t.Helper()
		got := owner.JSON("POST", path, body)
		if err := json.Unmarshal([]byte(got.Body), &row); err != nil || got.Status != 201 {
			t.Fatal(path, got.Status, got.Body, err)
		}
		return row
	}
	schedule := made(id+"/pipeline_schedules", `{"description":"Nightly","ref":"main","cron":"0 4 * * *"}`)
	environment := made(id+"/environments", `{"name":"production","external_url":"https://www.example.com"}`)
	made(id+"/variables", `{"key":"TOKEN","value":"not-for-your-eyes","masked":true}`)
	made(id+"/variables", `{"key":"PLAIN","value":"x","description":"Colour"}`)
	made(id+"/triggers", `{"description":"deploys"}`)
	runner := made("/user/runners", fmt.Sprintf(`{"runner_type":"project_type","project_id":%d,"tag_list":["gpu"]}`, project.ID))
	hook := made(id+"/hooks", `{"url":"https://93.184.216.34/hook"}`)
	b := open(t, h)
	signIn(b, owner.User, "Your projects")
	b.accessible("/"+project.FullPath+"/-/", []shown{
		{"pipelines", "pipelines"},
		{"pipelines/new", "pipeline-new"},
		{fmt.Sprintf("pipelines/%d", n.Pipeline.ID), "pipeline"},
		{fmt.Sprintf("pipelines/%d/test_report", n.Pipeline.ID), "test-report"},
		{"jobs", "jobs"},
		{fmt.Sprintf("jobs/%d?search=good", n.Jobs[0].ID), "job"},
		{fmt.Sprintf("jobs/%d", n.Jobs[1].ID), "job-failed"},
		{fmt.Sprintf("jobs/%d/artifacts/browse", n.Jobs[0].ID), "artifacts"},
		{fmt.Sprintf("jobs/%d/artifacts/browse/docs", n.Jobs[0].ID), "artifacts-folder"},
		{fmt.Sprintf("jobs/%d/artifacts/file/docs/a.txt", n.Jobs[0].ID), "artifact"},
		{"pipeline_schedules", "schedules"},
		{"pipeline_schedules/new", "schedule-new"},
		{fmt.Sprintf("pipeline_schedules/%d/edit", schedule.ID), "schedule"},
		{"environments", "environments"},
		{"environments/new", "environment-new"},
		{fmt.Sprintf("environments/%d", environment.ID), "environment"},
		{fmt.Sprintf("environments/%d/edit", environment.ID), "environment-edit"},
		{"ci/lint", "lint"},
		{"settings/variables", "variables"},
		{"settings/variables/new", "variable-new"},
		{"settings/runners", "runners"},
		{"settings/runners/new", "runner-new"},
		{fmt.Sprintf("settings/runners/%d", runner.ID), "runner"},
		{"settings/triggers", "triggers"},
		{"hooks", "hooks"},
		{"hooks/new", "hook-new"},
		{fmt.Sprintf("hooks/%d", hook.ID), "hook"},
	})
	b.accessible("", []shown{
		{"/groups/" + group.FullPath + "/-/settings/variables", "group-variables"},
		{"/groups/" + group.FullPath + "/-/settings/variables/new", "group-variable-new"},
		{"/groups/" + group.FullPath + "/-/settings/runners", "group-runners"},
		{"/groups/" + group.FullPath + "/-/settings/runners/new", "group-runner-new"},
		{"/groups/" + group.FullPath + "/-/hooks", "group-hooks"},
		{"/groups/" + group.FullPath + "/-/hooks/new", "group-hook-new"},
		{"/admin/runners", "admin-runners"},
		{"/admin/runners/new", "admin-runner-new"},
		{fmt.Sprintf("/admin/runners/%d", runner.ID), "admin-runner"},
		{"/admin/hooks", "admin-hooks"},
		{"/admin/hooks/new", "admin-hook-new"},
		{"/admin/variables", "admin-variables"},
		{"/admin/variables/new", "admin-variable-new"},
	})
	b.visit("/" + project.FullPath + "/-/settings/variables")
	b.accessible(b.link("/settings/variables/"), []shown{{"", "variable"}})
}

// zipped returns an archive with a folder and a file.
func zipped(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range []string{"docs/a.txt", "b.txt"} {
		file, err := archive.Create(name)
		if err == nil {
			_, err = io.WriteString(file, "all good\n")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
