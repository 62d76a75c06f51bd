package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestFreezePeriodsAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme"), func(n *model.Namespace) { n.Visibility = model.Public }).ID, called("web", model.Public))
	callers := newCallersByRole(h, p)
	maintainer := callers["maintainer"]
	const path = "/projects/acme%2Fweb/freeze_periods"
	made := maintainer.JSON("POST", path, `{"freeze_start":"0 23 * * 5","freeze_end":"0 7 * * 1"}`)
	expect(t, made, 201, "")
	h.Golden("createProjectFreezePeriod/usual", made.Body)
	id := read[struct {
		ID int64 `json:"id"`
	}](t, made, 201).ID
	one := fmt.Sprintf("%s/%d", path, id)
	second := maintainer.Form("POST", path, "freeze_start=@daily&freeze_end=@hourly&cron_timezone=Europe/Berlin")
	expect(t, second, 201, "")
	expect(t, maintainer.Send("GET", path, ""), 200, "["+made.Body+","+second.Body+"]")
	expect(t, maintainer.Send("GET", path+"?per_page=1&page=2", ""), 200, "["+second.Body+"]")
	expect(t, maintainer.Send("GET", one, ""), 200, made.Body)
	changed := maintainer.JSON("PUT", one, `{"freeze_end":"0 8 * * 1","cron_timezone":"America/New_York"}`)
	if changed.Status != 200 || !strings.Contains(changed.Body,
		`"freeze_start":"0 23 * * 5","freeze_end":"0 8 * * 1","cron_timezone":"America/New_York"`) {
		t.Error(changed.Body)
	}
	for body, want := range map[string]string{
		`{"freeze_start":"0 23 * * 5"}`:                                             `{"error":"freeze_end is missing"}`,
		`{"freeze_start":"x","freeze_end":"0 7 * * 1"}`:                             `{"message":{"freeze_start":["is invalid syntax"]}}`,
		`{"freeze_start":"0 7 * * 1","freeze_end":"0 0 31 2 *"}`:                    `{"message":{"freeze_end":["is invalid syntax"]}}`,
		`{"freeze_start":"0 7 * * 1","freeze_end":"0 7 * * 1","cron_timezone":"X"}`: `{"message":{"cron_timezone":["is invalid syntax"]}}`,
	} {
		expect(t, maintainer.JSON("POST", path, body), 400, want)
	}
	const roles = "401 403 403 403 403 403 "
	callers.statuses(t, "list", roles+"200 200 200", func(c *harness.Caller) harness.Answer { return c.Send("GET", path, "") })
	callers.statuses(t, "change", roles+"200 200 200", func(c *harness.Caller) harness.Answer { return c.JSON("PUT", one, `{}`) })
	other := h.Project(h.Group().ID)
	expect(t, h.Root().Send("GET", fmt.Sprintf("/projects/%d/freeze_periods/%d", other.ID, id), ""), 404, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, maintainer.Send("DELETE", one, ""), 404, "")
	expect(t, maintainer.Send("GET", one, ""), 404, "")
}

// A job that must not run in a freeze period is left out of a pipeline that begins in one, whoever starts it.
func TestPipelinesOfAFreezePeriodHaveItsVariable(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	r := ciProject(t, h, map[string]string{
		".svc-ci.yml": simpleCI + "ship: {script: ship, rules: [{if: '$CI_DEPLOY_FREEZE == null'}]}\n",
	})
	callers := newCallersByRole(h, r.project)
	jobs := func(c *harness.Caller) string {
		got := c.JSON("POST", r.path+"/pipeline", `{"ref":"main"}`)
		if got.Status != 201 {
			return fmt.Sprint(got.Status)
		}
		id := read[pipeline](t, got, 201).ID
		if strings.Contains(c.Send("GET", fmt.Sprintf("%s/pipelines/%d/jobs", r.path, id), "").Body, `"name":"ship"`) {
			return "ship"
		}
		return "frozen"
	}
	start := func(_ string, c *harness.Caller) string { return jobs(c) }
	callers.answers(t, "before", "401 404 404 403 403 400 ship ship ship", start)
	now := time.Now().UTC()
	body := fmt.Sprintf(`{"freeze_start":"* * * * *","freeze_end":"%d %d * * *"}`, now.Minute(), (now.Hour()+12)%24)
	// It begins again before it ends, and so does not last.
	made := read[struct {
		ID int64 `json:"id"`
	}](t, r.maintainer.JSON("POST", r.path+"/freeze_periods", body), 201)
	one := fmt.Sprintf("%s/freeze_periods/%d", r.path, made.ID)
	callers.answers(t, "outside", "401 404 404 403 403 400 ship ship ship", start)
	body = fmt.Sprintf(`{"freeze_start":"0 0 %d %d *","freeze_end":"* * * * *"}`, 1, int(now.Month())%12+1)
	expect(t, r.maintainer.JSON("PUT", one, body), 200, "")
	callers.answers(t, "inside", "401 404 404 403 403 400 frozen frozen frozen", start)
	expect(t, r.maintainer.Send("DELETE", one, ""), 204, "")
	callers.answers(t, "after", "401 404 404 403 403 400 ship ship ship", start)
}
