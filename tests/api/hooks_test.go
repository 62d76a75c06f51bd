package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

type hook struct {
	ID             int64
	URL            string
	Name           *string
	ProjectID      int64                  `json:"project_id"`
	GroupID        int64                  `json:"group_id"`
	Push           bool                   `json:"push_events"`
	TagPush        bool                   `json:"tag_push_events"`
	Update         bool                   `json:"repository_update_events"`
	Status         string                 `json:"alert_status"`
	Until          *string                `json:"disabled_until"`
	Filter         *string                `json:"push_events_branch_filter"`
	TokenPresent   bool                   `json:"token_present"`
	SigningPresent bool                   `json:"signing_token_present"`
	Headers        []struct{ Key string } `json:"custom_headers"`
	Variables      []struct{ Key string } `json:"url_variables"`
}

const newHook = `{"url":"https://ci.example.com/hook","name":"CI","token":"s3cret","custom_headers":[{"key":"X-Team","value":"web-value"}]}`

// hookPlaces returns the URLs of the hooks of a project, a group and the instance.
func hookPlaces(h *harness.H) (project, group string, g model.Namespace, p model.Project) {
	g = h.Group(func(g *model.Namespace) { g.Path, g.Name = "acme", "Acme" })
	p = h.Project(g.ID, called("web", model.Private))
	return fmt.Sprintf("/projects/%d/hooks", p.ID), fmt.Sprintf("/groups/%d/hooks", g.ID), g, p
}

func TestHooksAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, inGroup, g, _ := hookPlaces(h)
	owner := h.Member(g, model.Owner)
	for place, caller := range map[string]*harness.Caller{inProject: owner, inGroup: owner, "/hooks": h.Root()} {
		made := read[hook](t, caller.JSON("POST", place, newHook), 201)
		if made.Push == (place == "/hooks") || made.Update != (place == "/hooks") || !made.TokenPresent || made.SigningPresent ||
			made.Status != "executable" || len(made.Headers) != 1 || made.Headers[0].Key != "X-Team" || *made.Name != "CI" {
			t.Errorf("%s: %+v", place, made)
		}
		one := fmt.Sprintf("%s/%d", place, made.ID)
		changed := read[hook](t, caller.JSON("PUT", one, `{"tag_push_events":true,"name":null}`), 200)
		if !changed.TagPush || changed.Name != nil || !changed.TokenPresent || len(changed.Headers) != 1 {
			t.Errorf("%s: %+v", place, changed)
		}
		got := caller.Send("GET", one, "")
		expect(t, got, 200, "")
		listed := caller.Send("GET", place, "")
		for _, secret := range []string{"s3cret", "web-value"} {
			if strings.Contains(got.Body+listed.Body, secret) {
				t.Error(got.Body, listed.Body)
			}
		}
		if rows := read[[]hook](t, listed, 200); len(rows) != 1 || rows[0].ID != made.ID || listed.Header.Get("X-Total") != "1" {
			t.Errorf("%+v %v", rows, listed.Header)
		}
		expect(t, caller.Send("DELETE", one, ""), 204, "")
		expect(t, caller.Send("DELETE", one, ""), 404, `{"message":"404 Not found"}`)
		expect(t, caller.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
	}
}

func TestEveryHookFlagRoundTrips(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	_, inGroup, _, _ := hookPlaces(h)
	flags := []string{
		"push", "tag_push", "merge_requests", "issues", "confidential_issues", "note", "confidential_note", "pipeline",
		"wiki_page", "deployment", "feature_flag", "job", "releases", "milestone", "emoji", "resource_access_token",
		"resource_deploy_token", "vulnerability", "subgroup", "member", "project",
	}
	made := read[hook](t, h.Root().JSON("POST", inGroup, newHook), 201)
	one := fmt.Sprintf("%s/%d", inGroup, made.ID)
	for _, flag := range flags {
		for _, on := range []bool{true, false} {
			body := fmt.Sprintf(`{"%s_events":%v}`, flag, on)
			if got := read[map[string]any](t, h.Root().JSON("PUT", one, body), 200); got[flag+"_events"] != on {
				t.Errorf("%s: %v", body, got[flag+"_events"])
			}
		}
	}
}

func TestOnlyThoseWhoManageAPlaceManageItsHooks(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, inGroup, g, _ := hookPlaces(h)
	for role, want := range map[model.Access][2]int{
		model.Guest: {403, 403}, model.Reporter: {403, 403}, model.Developer: {403, 403}, model.Maintainer: {200, 403},
		model.Owner: {200, 200},
	} {
		caller := h.Member(g, role)
		expect(t, caller.Send("GET", inProject, ""), want[0], "")
		expect(t, caller.Send("GET", inGroup, ""), want[1], "")
		expect(t, caller.Send("GET", "/hooks", ""), 403, `{"message":"403 Forbidden"}`)
	}
	outsider := h.NewUser()
	expect(t, outsider.Send("GET", inProject, ""), 404, "")
	expect(t, outsider.Send("GET", inGroup, ""), 404, "")
	expect(t, outsider.JSON("POST", "/hooks", newHook), 403, "")
	expect(t, h.Anonymous().Send("GET", "/hooks", ""), 401, "")
	// A hook is found only where it is.
	made := read[hook](t, h.Root().JSON("POST", inGroup, newHook), 201)
	expect(t, h.Root().Send("GET", fmt.Sprintf("%s/%d", inProject, made.ID), ""), 404, "")
	expect(t, h.Root().Send("GET", fmt.Sprintf("/hooks/%d", made.ID), ""), 404, "")
}

func TestHooksRefuseBadInput(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, _, _, _ := hookPlaces(h)
	root := h.Root()
	const badURL = `{"error":"Invalid url given"}`
	for body, want := range map[string]string{
		`{"url":"ftp://ci.example.com"}`:                                     badURL,
		`{"url":"ci.example.com"}`:                                           badURL,
		`{"url":"http://"}`:                                                  badURL,
		`{"url":"http://10.0.0.1/"}`:                                         badURL,
		`{"url":"http://169.254.169.254/latest/meta-data"}`:                  badURL,
		`{"url":"http://[::1]:80/"}`:                                         badURL,
		`{"url":"http://[::ffff:10.0.0.1]/"}`:                                badURL,
		`{"url":"http://0.0.0.0/"}`:                                          badURL,
		`{"url":"http://192.168.1.1:8080/x"}`:                                badURL,
		`{"url":"http://ci.example.com/{token}"}`:                            badURL,
		`{"url":"http://ci.example.com/\nHost: x"}`:                          badURL,
		`{"url":"http://no-such-host.invalid/"}`:                             badURL,
		`{"url":"https://ci.example.com","push_events_branch_filter":"a b"}`: `{"error":"Invalid branch filter given"}`,
		`{"url":"https://ci.example.com",` +
			`"push_events_branch_filter":"(","branch_filter_strategy":"regex"}`: `{"error":"Invalid branch filter given"}`,
		`{"url":"https://ci.example.com",` +
			`"custom_headers":[{"key":"a b","value":"x"}]}`: `{"error":"Custom headers must be a valid json schema"}`,
		`{"url":"https://ci.example.com",` +
			`"custom_headers":[{"key":"A","value":"x\r\nHost: y"}]}`: `{"error":"Custom headers must be a valid json schema"}`,
		`{"url":"https://ci.example.com",` +
			`"custom_headers":[{"key":"A","value":""}]}`: `{"error":"Custom headers must be a valid json schema"}`,
		`{"url":"https://ci.example.com","url_variables":[{"key":"1a","value":"x"}]}`: `{"error":"Illegal key or value"}`,
		`{"url":"https://ci.example.com",` +
			`"token":"a\nb"}`: `{"message":{"token":["is invalid"]}}`,
		`{"url":"https://ci.example.com",` +
			`"signing_token":"whsec_YQ=="}`: `{"message":{"signing_token":["must be whsec_ and the base64 form of 32 bytes"]}}`,
	} {
		expect(t, root.JSON("POST", inProject, body), 422, want)
	}
	expect(t, root.JSON("POST", inProject, `{"name":"x"}`), 400, `{"error":"url is missing"}`)
	expect(t, root.JSON("POST", inProject, `{"url":"https://ci.example.com","branch_filter_strategy":"other"}`), 400,
		`{"error":"branch_filter_strategy does not have a valid value"}`)
	made := read[hook](t, root.JSON("POST", inProject, newHook), 201)
	one := fmt.Sprintf("%s/%d", inProject, made.ID)
	expect(t, root.JSON("PUT", one, `{}`), 400, `{"error":"No parameters provided"}`)
	expect(t, root.JSON("PUT", one, `{"url":"http://127.0.0.1.invalid/"}`), 422, badURL)
	expect(t, root.JSON("PUT", one, `{"custom_headers":[{"key":"-","value":"x"}]}`), 422, `{"error":"Custom headers validation failed"}`)
	expect(t, root.JSON("POST", "/hooks", `{"url":"gopher://x"}`), 422, badURL)
	expect(t, root.Send("GET", one+"/events?per_page=21", ""), 400, "")
	expect(t, root.Send("GET", one+"/events?status=maybe", ""), 400, "")
	expect(t, root.Send("POST", one+"/test/other", ""), 400, `{"error":"trigger does not have a valid value"}`)
	expect(t, root.Send("POST", one+"/test/deployment_events", ""), 422, `{"message":"Testing not available for this hook"}`)
	expect(t, root.Send("POST", one+"/test/issues_events", ""), 422, `{"message":"Ensure the project has issues."}`)
}

func TestAProjectHasAtMostAHundredHooks(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, inGroup, _, _ := hookPlaces(h)
	for place, most := range map[string]int{inProject: 100, inGroup: 50} {
		for range most {
			expect(t, h.Root().JSON("POST", place, newHook), 201, "")
		}
		kind := "project"
		if place == inGroup {
			kind = "group"
		}
		expect(t, h.Root().JSON("POST", place, newHook), 422,
			fmt.Sprintf(`{"error":"Maximum number of %s hooks (%d) exceeded"}`, kind, most))
	}
}

func TestHeadersAndVariablesOfHooks(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, inGroup, _, _ := hookPlaces(h)
	for _, place := range []string{inProject, inGroup, "/hooks"} {
		root := h.Root()
		made := read[hook](t, root.JSON("POST", place, newHook), 201)
		one := fmt.Sprintf("%s/%d", place, made.ID)
		expect(t, root.JSON("PUT", one+"/custom_headers/Authorization", `{"value":"Bearer x"}`), 204, "")
		expect(t, root.JSON("PUT", one+"/custom_headers/a..b", `{"value":"x"}`), 422, `{"error":"Illegal key or value"}`)
		expect(t, root.JSON("PUT", one+"/url_variables/key", `{"value":"abc"}`), 204, "")
		if got := read[hook](t, root.Send("GET", one, ""), 200); len(got.Headers) != 2 || len(got.Variables) != 1 ||
			got.Variables[0].Key != "key" {
			t.Errorf("%+v", got)
		}
		expect(t, root.JSON("PUT", one, `{"url":"https://ci.example.com/{key}","url_variables":[{"key":"key","value":"abc"}]}`), 200, "")
		expect(t, root.Send("DELETE", one+"/url_variables/key", ""), 422, `{"error":"Could not unset variable"}`)
		expect(t, root.Send("DELETE", one+"/url_variables/other", ""), 404, `{"message":"404 URL variable Not Found"}`)
		expect(t, root.JSON("PUT", one, `{"url":"https://ci.example.com/plain","custom_headers":[{"key":"X-A","value":"b"}]}`), 200, "")
		expect(t, root.JSON("PUT", one+"/url_variables/key", `{"value":"abc"}`), 204, "")
		expect(t, root.Send("DELETE", one+"/url_variables/key", ""), 204, "")
		expect(t, root.Send("DELETE", one+"/custom_headers/X-A", ""), 204, "")
		expect(t, root.Send("DELETE", one+"/custom_headers/X-A", ""), 404, `{"message":"404 Custom header Not Found"}`)
	}
}

// A maintainer who cannot read the secrets of a hook must not be able to send them elsewhere.
func TestANewURLForgetsTheSecretsOfAHook(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, _, _, _ := hookPlaces(h)
	made := read[hook](t, h.Root().JSON("POST", inProject,
		`{"url":"https://ci.example.com/{key}","token":"s","custom_headers":[{"key":"A","value":"b"}],`+
			`"url_variables":[{"key":"key","value":"c"}]}`), 201)
	one := fmt.Sprintf("%s/%d", inProject, made.ID)
	expect(t, h.Root().JSON("PUT", one, `{"url":"https://ci.example.com/other/{key}"}`), 422, `{"error":"Invalid url given"}`)
	got := read[hook](t, h.Root().JSON("PUT", one, `{"url":"https://ci.example.com/other"}`), 200)
	if got.TokenPresent || len(got.Headers) != 0 || len(got.Variables) != 0 {
		t.Errorf("%+v", got)
	}
	got = read[hook](t, h.Root().JSON("PUT", one, `{"url":"https://ci.example.com/third","token":"again"}`), 200)
	if !got.TokenPresent {
		t.Errorf("%+v", got)
	}
}

// Administrators learn how to open a refused address; others learn no more than that it is refused.
func TestAdministratorsLearnHowToOpenAnAddress(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, _, _, p := hookPlaces(h)
	const body = `{"url":"http://10.0.0.1/"}`
	if got := h.Root().JSON("POST", inProject, body); got.Status != 422 || !strings.Contains(got.Hint, "SVC_WEBHOOK_ALLOW") {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := h.ProjectMember(p, model.Maintainer).JSON("POST", inProject, body); got.Status != 422 ||
		got.Body != `{"error":"Invalid url given"}` || got.Hint != "" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := h.Root().JSON("POST", inProject, `{"url":"ftp://ci.example.com"}`); got.Hint != "" {
		t.Errorf("no address was refused: %s", got.Body)
	}
	if !strings.Contains(h.Logs.String(), "SVC_WEBHOOK_ALLOW") {
		t.Error("nothing is logged")
	}
}
