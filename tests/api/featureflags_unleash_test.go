package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/tests/harness"
)

type flagsClient struct {
	URL        string
	InstanceID string `json:"instance_id"`
}

func TestTheInstanceIDIsShownToDevelopersAndResetByMaintainers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p, project, callers := flagProject(h)
	developer, path := callers["developer"], project+"/feature_flags_client"
	expect(t, developer.Send("GET", path, ""), 404, `{"message":"404 Not found"}`)
	expect(t, developer.JSON("POST", project+"/feature_flags", `{"name":"door"}`), 201, "")
	shown := read[flagsClient](t, developer.Send("GET", path, ""), 200)
	if !strings.HasSuffix(shown.URL, fmt.Sprintf("/api/v4/feature_flags/unleash/%d", p.ID)) || len(shown.InstanceID) != 40 {
		t.Errorf("%+v", shown)
	}
	expect(t, developer.JSON("POST", project+"/feature_flags", `{"name":"second"}`), 201, "")
	if again := read[flagsClient](t, developer.Send("GET", path, ""), 200); again != shown {
		t.Errorf("the second flag changed %+v to %+v", shown, again)
	}
	callers.statuses(t, "read", "401 403 403 403 403 200 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.Send("GET", path, "")
	})
	callers.statuses(t, "reset", "401 403 403 403 403 403 200 200 200", func(c *harness.Caller) harness.Answer {
		return c.Send("POST", path+"/reset_token", "")
	})
	fresh := read[flagsClient](t, developer.Send("GET", path, ""), 200)
	if fresh.InstanceID == shown.InstanceID {
		t.Error("the instance ID is still the same")
	}
	client := fmt.Sprintf("/feature_flags/unleash/%d", p.ID)
	expect(t, h.WithHeaders("UNLEASH-INSTANCEID", shown.InstanceID).Send("GET", client, ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, h.WithHeaders("UNLEASH-INSTANCEID", fresh.InstanceID).Send("GET", client, ""), 200, "")
	empty := h.Project(h.Group().ID)
	made := read[flagsClient](t, h.Root().Send("POST", fmt.Sprintf("/projects/%d/feature_flags_client/reset_token", empty.ID), ""), 200)
	expect(t, h.WithHeaders("UNLEASH-INSTANCEID", made.InstanceID).Send("GET", client, ""), 401, "")
	for _, row := range read[[]map[string]any](t, h.Root().Send("GET", "/audit_events", ""), 200) {
		if strings.Contains(fmt.Sprint(row), fresh.InstanceID) {
			t.Errorf("the log has the instance ID: %v", row)
		}
	}
}

func TestProgramsReadTheFeatureFlagsOfTheirEnvironment(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p, project, callers := flagProject(h)
	developer := callers["developer"]
	list := read[struct{ ID int64 }](t, developer.JSON("POST", project+"/feature_flags_user_lists", `{"name":"x","user_xids":"a,b"}`), 201)
	for _, body := range []string{
		`{"name":"everywhere","description":"d","strategies":[{"name":"default"}]}`,
		`{"name":"none"}`,
		`{"name":"off","active":false,"strategies":[{"name":"default","scopes":[{"environment_scope":"prod*"}]}]}`,
		fmt.Sprintf(`{"name":"review","strategies":[{"name":"gitlabUserList","user_list_id":%d,"scopes":[{"environment_scope":"review/*"}]},
			{"name":"userWithId","parameters":{"userIds":"c"},"scopes":[{"environment_scope":"production"}]}]}`, list.ID),
	} {
		expect(t, developer.JSON("POST", project+"/feature_flags", body), 201, "")
	}
	id := read[flagsClient](t, developer.Send("GET", project+"/feature_flags_client", ""), 200).InstanceID
	client := fmt.Sprintf("/feature_flags/unleash/%d", p.ID)
	const everywhere = `{"name":"everywhere","description":"d","enabled":true,"strategies":[{"name":"default","parameters":{}}]}`
	const off = `{"name":"off","description":"","enabled":false,"strategies":[{"name":"default","parameters":{}}]}`
	const review = `{"name":"review","description":"","enabled":true,"strategies":[{"name":"userWithId","parameters":{"userIds":"%s"}}]}`
	for environment, want := range map[string]string{
		"":            everywhere,
		"test":        everywhere,
		"review/door": everywhere + "," + fmt.Sprintf(review, "a,b"),
		"production":  everywhere + "," + off + "," + fmt.Sprintf(review, "c"),
	} {
		want = `{"version":1,"features":[` + want + `]}`
		program := h.WithHeaders("UNLEASH-INSTANCEID", id, "UNLEASH-APPNAME", environment)
		expect(t, program.Send("GET", client+"/client/features", ""), 200, want)
		expect(t, program.Send("GET", client+"/features", ""), 200, want)
		expect(t, h.Anonymous().Send("GET", client+"/client/features?instance_id="+id+"&app_name="+environment, ""), 200, want)
	}
	program := h.WithHeaders("UNLEASH-INSTANCEID", id, "UNLEASH-APPNAME", "test")
	tag := program.Send("GET", client+"/client/features", "").Header.Get("ETag")
	if got := program.Send("GET", client+"/client/features", "", "If-None-Match", tag); tag == "" || got.Status != 304 {
		t.Errorf("with the tag %q: %d", tag, got.Status)
	}
	expect(t, developer.JSON("PUT", project+"/feature_flags/everywhere", `{"active":false}`), 200, "")
	expect(t, program.Send("GET", client+"/client/features", "", "If-None-Match", tag), 200, "")
	expect(t, program.JSON("POST", client+"/client/register", `{"appName":"test","strategies":["default"]}`), 200, "")
	expect(t, program.JSON("POST", client+"/client/metrics", `{"appName":"test","bucket":{"toggles":{}}}`), 200, "")
	unauthorized := func(why string, c *harness.Caller, at string) {
		t.Helper()
		for _, call := range []struct{ method, path, body string }{
			{"GET", at, ""},
			{"GET", at + "/features", ""},
			{"GET", at + "/client/features", ""},
			{"POST", at + "/client/register", "{}"},
			{"POST", at + "/client/metrics", "{}"},
		} {
			if got := c.JSON(call.method, call.path, call.body); got.Status != 401 || got.Body != `{"message":"401 Unauthorized"}` {
				t.Errorf("%s: %s is %d %s", why, call.path, got.Status, got.Body)
			}
		}
	}
	unauthorized("a wrong id", h.WithHeaders("UNLEASH-INSTANCEID", "wrong"), client)
	unauthorized("no id", h.Anonymous(), client)
	unauthorized("an unknown project", h.WithHeaders("UNLEASH-INSTANCEID", id), "/feature_flags/unleash/999999")
	expect(t, callers["maintainer"].JSON("PUT", project, `{"feature_flags_access_level":"disabled"}`), 200, "")
	unauthorized("disabled flags", h.WithHeaders("UNLEASH-INSTANCEID", id), client)
}
