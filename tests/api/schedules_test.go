package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/domain/ci/launch"
	"svc/store/model"
	"svc/tests/harness"
)

type schedule struct {
	ID          int64      `json:"id"`
	Description string     `json:"description"`
	Ref         string     `json:"ref"`
	Cron        string     `json:"cron"`
	Zone        string     `json:"cron_timezone"`
	Next        *time.Time `json:"next_run_at"`
	Active      bool       `json:"active"`
	Owner       struct {
		Username string `json:"username"`
	} `json:"owner"`
	Last *struct {
		ID     int64  `json:"id"`
		Status string `json:"status"`
	} `json:"last_pipeline"`
	Variables *[]struct{ Key, Value string } `json:"variables"`
}

func TestSchedulesCreatePipelines(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": simpleCI + "night: {script: a, rules: [{if: '$CI_PIPELINE_SOURCE == \"schedule\" && $WHEN == \"night\"'}]}\n",
	})
	r.commit("topic", "Text", map[string]string{"a": "b"})
	developer := h.ProjectMember(r.project, model.Developer)
	path := r.path + "/pipeline_schedules"
	made := read[schedule](t,
		developer.JSON("POST", path, `{"description":"Nightly","ref":"topic","cron":"0 1 * * *","cron_timezone":"Europe/Berlin"}`), 201)
	if made.Next == nil || !made.Next.After(time.Now()) || made.Zone != "Europe/Berlin" || !made.Active ||
		made.Owner.Username != developer.User.Username || made.Last != nil {
		t.Fatalf("%+v", made)
	}
	one := fmt.Sprintf("%s/%d", path, made.ID)
	changeVariablesOfSchedule(t, developer, one)
	enqueueDueSchedules(t, h)
	h.StartWorker()
	waitForQueue(t, h)
	r.shows("source=schedule", "schedule topic pending")
	expectScheduledPipeline(t, r, read[schedule](t, developer.Send("GET", one, ""), 200))
	expect(t, developer.Send("POST", one+"/play", ""), 201, `{"message":"201 Created"}`)
	waitForQueue(t, h)
	rows := read[[]pipeline](t, developer.Send("GET", one+"/pipelines", ""), 200)
	if len(rows) != 2 || rows[0].Source != "schedule" {
		t.Errorf("%+v", rows)
	}
}

// changeVariablesOfSchedule leaves the schedule with one variable, WHEN, which is night.
func changeVariablesOfSchedule(t *testing.T, developer *harness.Caller, one string) {
	t.Helper()
	expect(t, developer.JSON("POST", one+"/variables", `{"key":"WHEN","value":"day"}`), 201,
		`{"variable_type":"env_var","key":"WHEN","value":"day","raw":false}`)
	expect(t, developer.JSON("POST", one+"/variables", `{"key":"WHEN","value":"day"}`), 400,
		`{"message":{"key":["has already been taken"]}}`)
	expect(t, developer.JSON("PUT", one+"/variables/WHEN", `{"value":"night"}`), 200,
		`{"variable_type":"env_var","key":"WHEN","value":"night","raw":false}`)
	expect(t, developer.JSON("POST", one+"/variables", `{"key":"GONE","value":"x"}`), 201, "")
	expect(t, developer.Send("DELETE", one+"/variables/GONE", ""), 202, "")
	expect(t, developer.Send("GET", one+"/variables/GONE", ""), 404, `{"message":"404 Pipeline Schedule Variable Not Found"}`)
	expect(t, developer.Send("GET", one+"/variables/WHEN", ""), 200, "")
}

// enqueueDueSchedules makes all schedules due and enqueues the job that runs them three times. However often the job
// runs, it creates one pipeline.
func enqueueDueSchedules(t *testing.T, h *harness.H) {
	t.Helper()
	past := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
	if _, err := h.Store.SQL().ExecContext(t.Context(), "UPDATE pipeline_schedules SET next_run_at = $1", past); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := h.Server.Worker.Enqueue(t.Context(), launch.Schedules{}); err != nil {
			t.Fatal(err)
		}
	}
}

func expectScheduledPipeline(t *testing.T, r ciFixture, shown schedule) {
	t.Helper()
	if shown.Last == nil || shown.Last.Status != "pending" || !shown.Next.After(time.Now()) ||
		shown.Variables == nil || len(*shown.Variables) != 1 {
		t.Errorf("%+v", shown)
	}
	if got := r.jobs(shown.Last.ID); got != "build=pending test=created night=created" {
		t.Error(got)
	}
}

func TestSchedulesAreCreatedChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{".svc-ci.yml": simpleCI})
	r.commit("topic", "Text", map[string]string{"a": "b"})
	developer, other, reporter := h.ProjectMember(r.project, model.Developer),
		h.ProjectMember(r.project, model.Developer), h.ProjectMember(r.project, model.Reporter)
	path := r.path + "/pipeline_schedules"
	for body, answer := range map[string]string{
		`{"description":"a","ref":"topic","cron":"61 * * * *"}`: `{"message":{"cron":["is invalid syntax"]}}`,
		`{"description":"a","ref":"topic","cron":"0 0 31 2 *"}`: `{"message":{"cron":["is invalid syntax"]}}`,
		`{"description":"a","ref":"topic","cron":"0 1 * * *","cron_timezone":"Moon"}`: `{"message":` +
			`{"cron_timezone":["is invalid syntax"]}}`,
		`{"description":" ","ref":"topic","cron":"0 1 * * *"}`: `{"message":{"description":["can't be blank"]}}`,
		`{"description":"a","ref":"none","cron":"0 1 * * *"}`:  `{"message":{"base":["Reference not found"]}}`,

		`{"description":"a","ref":"main","cron":"0 1 * * *"}`: `{"message":{"base":["You are not allowed to run pipelines on this ref"]}}`,

		`{"description":"` + strings.Repeat("a", 256) +
			`","ref":"main","cron":"0 1 * * *"}`: `{"message":{"description":["is too long (maximum is 255 characters)"]}}`,
		`{"ref":"main","cron":"0 1 * * *"}`: `{"error":"description is missing"}`,
	} {
		expect(t, developer.JSON("POST", path, body), 400, answer)
	}
	expect(t, reporter.JSON("POST", path, `{"description":"a","ref":"topic","cron":"0 1 * * *"}`), 403, "")
	made := read[schedule](t, developer.JSON("POST", path, `{"description":"a","ref":"topic","cron":"@daily","active":false}`), 201)
	one := fmt.Sprintf("%s/%d", path, made.ID)
	if got := read[schedule](t, developer.JSON("PUT", one, `{"cron":"0 2 * * *","active":true}`), 200); got.Cron != "0 2 * * *" ||
		!got.Active || got.Description != "a" {
		t.Errorf("%+v", got)
	}
	expect(t, other.JSON("PUT", one, `{"active":false}`), 403, "")
	expect(t, other.Send("DELETE", one, ""), 403, "")
	if got := read[schedule](t, reporter.Send("GET", one, ""), 200); got.Variables != nil {
		t.Errorf("%+v", got)
	}
	expect(t, other.Send("POST", one+"/take_ownership", ""), 403, "")
	if got := read[schedule](t,
		r.maintainer.Send("POST", one+"/take_ownership", ""), 201); got.Owner.Username != r.maintainer.User.Username {
		t.Errorf("%+v", got)
	}
	expect(t, developer.JSON("PUT", one, `{"active":false}`), 403, "")
	if rows := read[[]schedule](t, reporter.Send("GET", path+"?scope=active", ""), 200); len(rows) != 1 {
		t.Errorf("%+v", rows)
	}
	expect(t, reporter.Send("GET", path+"?scope=inactive", ""), 200, "[]")
	expect(t, reporter.Send("GET", path+"/999999", ""), 404, `{"message":"404 Pipeline Schedule Not Found"}`)
	expect(t, r.maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, reporter.Send("GET", path, ""), 200, "[]")
}
