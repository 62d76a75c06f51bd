package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

type shownIntegration struct {
	ID         int64
	Title      string
	Slug       string
	Active     bool
	Inherited  bool
	Push       bool `json:"push_events"`
	Issues     bool `json:"issues_events"`
	Hidden     bool `json:"confidential_issues_events"`
	Pipeline   bool `json:"pipeline_events"`
	Deployment bool `json:"deployment_events"`
	Properties map[string]any
}

const slackBody = `{"webhook":"https://ci.example.com/services/s3cret","channel":"#builds","username":"svc"}`

// integrationPlaces returns the URLs of the integrations of a project and of its group.
func integrationPlaces(h *harness.H) (project, older, group string, g model.Namespace) {
	g = h.Group(func(g *model.Namespace) { g.Path, g.Name = "acme", "Acme" })
	p := h.Project(g.ID, called("web", model.Private))
	return fmt.Sprintf("/projects/%d/integrations", p.ID), fmt.Sprintf("/projects/%d/services", p.ID),
		fmt.Sprintf("/groups/%d/integrations", g.ID), g
}

func TestIntegrationsAreSetUpReadAndSwitchedOff(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, older, inGroup, g := integrationPlaces(h)
	owner := h.Member(g, model.Owner)
	for _, place := range []string{inProject, older, inGroup} {
		slug := map[string]string{inProject: "slack", older: "mattermost", inGroup: "slack"}[place]
		one := place + "/" + slug
		expect(t, owner.Send("GET", one, ""), 404, `{"message":"404 Integration Not Found"}`)
		expect(t, owner.Send("DELETE", one, ""), 404, `{"message":"404 Integration Not Found"}`)
		made := owner.JSON("PUT", one, slackBody)
		got := read[shownIntegration](t, made, 200)
		if !got.Active || got.Inherited || got.Slug != slug || !got.Push || !got.Issues || got.Hidden || got.Pipeline ||
			got.Properties["channel"] != "#builds" || got.Properties["branches_to_be_notified"] != "default" ||
			got.Properties["notify_only_broken_pipelines"] != true {
			t.Errorf("%s: %s", one, made.Body)
		}
		changed := read[shownIntegration](t, owner.JSON("PUT", one,
			`{"webhook":"https://ci.example.com/x","push_events":false,"pipeline_events":true,"channel":"","push_channel":"#p",`+
				`"notify_only_default_branch":false}`), 200)
		if changed.ID != got.ID || changed.Push || !changed.Pipeline || !changed.Issues || changed.Properties["channel"] != nil ||
			changed.Properties["push_channel"] != "#p" || changed.Properties["username"] != "svc" ||
			changed.Properties["branches_to_be_notified"] != "all" {
			t.Errorf("%s: %+v", one, changed)
		}
		shown, listed := owner.Send("GET", one, ""), owner.Send("GET", place, "")
		for _, answer := range []harness.Answer{made, shown, listed} {
			if strings.Contains(answer.Body, "s3cret") || strings.Contains(answer.Body, "ci.example.com") {
				t.Error("a secret is returned:", answer.Body)
			}
		}
		if rows := read[[]shownIntegration](t, listed, 200); len(rows) == 0 || rows[0].Properties != nil {
			t.Errorf("%s: %+v", place, rows)
		}
		expect(t, owner.Send("DELETE", one, ""), 204, "")
		if off := read[shownIntegration](t, owner.Send("GET", one, ""), 200); off.Active || off.Push || len(off.Properties) != 0 {
			t.Errorf("%+v", off)
		}
		expect(t, owner.Send("GET", place, ""), 200, `[]`)
		again := read[shownIntegration](t, owner.JSON("PUT", one, `{"webhook":"https://ci.example.com/x"}`), 200)
		if !again.Active || !again.Push || again.Properties["push_channel"] != nil {
			t.Errorf("%+v", again)
		}
		expect(t, owner.Send("DELETE", one, ""), 204, "")
	}
	if got := owner.Send("GET", older, ""); got.Header.Get("Deprecation") == "" {
		t.Error("the older path is not called deprecated")
	}
	// Integrations are no hooks.
	expect(t, owner.Send("GET", strings.Replace(inProject, "integrations", "hooks", 1), ""), 200, `[]`)
}

func TestEveryIntegrationHasItsSettings(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, _, _, _ := integrationPlaces(h)
	const links = `{"project_url":"https://t.example.com/p","issues_url":"https://t.example.com/:id"`
	const tracker = links + `,"new_issue_url":"https://t.example.com/new"}`
	for _, c := range []struct{ slug, body, missing string }{
		{"slack", slackBody, "webhook"},
		{"mattermost", slackBody, "webhook"},
		{"discord", slackBody, "webhook"},
		{"microsoft-teams", slackBody, "webhook"},
		{"hangouts-chat", slackBody, "webhook"},
		{"webex-teams", slackBody, "webhook"},
		{"telegram", `{"token":"123:abc","room":"-1","thread":3,"hostname":"https://ci.example.com"}`, "token"},
		{"matrix", `{"token":"abc","room":"!r:example.com","hostname":"https://ci.example.com"}`, "token"},
		{"emails-on-push", `{"recipients":"a@example.com\nb@example.com","disable_diffs":true}`, "recipients"},
		{"pipelines-email", `{"recipients":"a@example.com","add_pusher":true}`, "recipients"},
		{"external-wiki", `{"external_wiki_url":"https://wiki.example.com"}`, "external_wiki_url"},
		{"custom-issue-tracker", tracker, "project_url"},
		{"redmine", tracker, "project_url"},
		{"bugzilla", tracker, "project_url"},
		{"ewm", tracker, "project_url"},
		{"youtrack", links + "}", "project_url"},
		{"clickup", links + "}", "project_url"},
	} {
		one := inProject + "/" + c.slug
		expect(t, h.Root().JSON("PUT", one, `{}`), 400, fmt.Sprintf(`{"error":"%s is missing"}`, c.missing))
		h.Golden("updateProjectIntegration/"+c.slug, h.Root().JSON("PUT", one, c.body).Body)
	}
	if rows := read[[]shownIntegration](t, h.Root().Send("GET", inProject, ""), 200); len(rows) != 17 {
		t.Error(len(rows), "integrations")
	}
}

func TestOnlyThoseWhoManageAPlaceManageItsIntegrations(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, older, inGroup, g := integrationPlaces(h)
	for role, want := range map[model.Access][2]int{
		model.Guest: {403, 403}, model.Reporter: {403, 403}, model.Developer: {403, 403}, model.Maintainer: {200, 403},
		model.Owner: {200, 200},
	} {
		caller := h.Member(g, role)
		for place, status := range map[string]int{inProject: want[0], older: want[0], inGroup: want[1]} {
			expect(t, caller.Send("GET", place, ""), status, "")
			expect(t, caller.JSON("PUT", place+"/slack", slackBody), status, "")
			expect(t, caller.Send("GET", place+"/slack", ""), status, "")
			expect(t, caller.Send("DELETE", place+"/slack", ""), map[int]int{200: 204, 403: 403}[status], "")
		}
	}
	for _, place := range []string{inProject, older, inGroup} {
		expect(t, h.NewUser().Send("GET", place, ""), 404, "")
		expect(t, h.NewUser().JSON("PUT", place+"/slack", slackBody), 404, "")
		expect(t, h.NewUser().Send("GET", place+"/nonsense", ""), 404, "")
		expect(t, h.NewUser().Send("DELETE", place+"/slack", ""), 404, "")
		expect(t, h.Anonymous().Send("GET", place+"/slack", ""), 401, "")
	}
}

func TestIntegrationsRefuseBadInput(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	inProject, older, inGroup, _ := integrationPlaces(h)
	root := h.Root()
	for _, place := range []string{inProject, older, inGroup} {
		for _, method := range []string{"GET", "PUT", "DELETE"} {
			expect(t, root.JSON(method, place+"/nonsense", `{}`), 400, `{"error":"slug does not have a valid value"}`)
			for _, slug := range []string{"jira", "jenkins", "prometheus", "github"} {
				got := root.JSON(method, place+"/"+slug, `{"url":"https://ci.example.com"}`)
				expect(t, got, 400, fmt.Sprintf(`{"error":"the integration %s is not offered here"}`, slug))
				if code := got.Header.Get("X-Error-Code"); code != "not_offered" {
					t.Error(code)
				}
			}
		}
	}
	const badWebhook = `{"message":"400 Bad Request - webhook is not an address that can be used"}`
	long := strings.Repeat("a", 3000)
	many := strings.Repeat("a@example.com ", 101)
	const bad = `{"message":"400 Bad Request - `
	const webhook = `"webhook":"https://ci.example.com"`
	const notALink = bad + `external_wiki_url is not a link with http or https"}`
	const badBranches = `{"error":"branches_to_be_notified does not have a valid value"}`
	const neverFrom = `{"error":"send_from_committer_email is not offered here"}`
	const noneAbove = bad + `no group above has this integration, so there are no settings to inherit"}`
	for request, want := range map[string]string{
		`slack {"webhook":"http://10.0.0.1/"}`:                                badWebhook,
		`slack {"webhook":"http://169.254.169.254/latest/meta-data"}`:         badWebhook,
		`slack {"webhook":"http://[::1]/"}`:                                   badWebhook,
		`slack {"webhook":"http://no-such-host.invalid/"}`:                    badWebhook,
		`slack {"webhook":"ftp://ci.example.com/"}`:                           badWebhook,
		`slack {"webhook":"https://ci.example.com/\nHost: x"}`:                badWebhook,
		`slack {"webhook":""}`:                                                `{"error":"webhook is missing"}`,
		`slack {"webhook":"https://ci.example.com/` + long + `"}`:             "",
		`slack {` + webhook + `,"channel":"#a,#b"}`:                           bad + `channel must be one channel"}`,
		`slack {` + webhook + `,"branches_to_be_notified":"x"}`:               badBranches,
		`slack {` + webhook + `,"alert_events":true}`:                         `{"error":"alert_events is not offered here"}`,
		`slack {` + webhook + `,"job_events":true}`:                           `{"error":"job_events is not offered here"}`,
		`slack {` + webhook + `,"push_events":"maybe"}`:                       "",
		`discord {` + webhook + `,"push_channel":"http://10.1/"}`:             bad + `push_channel is not an address that can be used"}`,
		`telegram {"token":"a b","room":"1"}`:                                 bad + `token is not a token"}`,
		`telegram {"token":"a","room":"1","hostname":"http://127.1.invalid"}`: bad + `hostname is not an address that can be used"}`,
		`matrix {"token":"a\r\nX: y","room":"1"}`:                             bad + `token is not a token"}`,
		`emails-on-push {"recipients":"a@example.com,not an address"}`:        bad + `recipients has a text that is not a mail address"}`,
		`emails-on-push {"recipients":"` + many + `"}`:                        bad + `recipients has more than 100 addresses"}`,
		`emails-on-push {"recipients":" , "}`:                                 `{"error":"recipients is missing"}`,

		`emails-on-push {"recipients":"a@b.example","send_from_committer_email":true}`: neverFrom,
		`external-wiki {"external_wiki_url":"javascript:alert(1)"}`:                    notALink,

		`youtrack {"project_url":"https://t.example","issues_url":"https://t.example"}`: bad + `issues_url does not contain :id"}`,
		`slack {"use_inherited_settings":true}`:                                         noneAbove,
	} {
		slug, body, _ := strings.Cut(request, " ")
		expect(t, root.JSON("PUT", inProject+"/"+slug, body), 400, want)
	}
	expect(t, root.Send("GET", inProject, ""), 200, `[]`)
}

func TestIntegrationsOfGroupsAreInherited(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	top := h.Group()
	sub := h.Group(func(g *model.Namespace) { g.ParentID = &top.ID })
	p := h.Project(sub.ID, called("web", model.Private))
	project, above, near := fmt.Sprintf("/projects/%d/integrations", p.ID), fmt.Sprintf("/groups/%d/integrations", top.ID),
		fmt.Sprintf("/groups/%d/integrations", sub.ID)
	root := h.Root()
	channel := func(place string) string {
		t.Helper()
		got := read[shownIntegration](t, root.Send("GET", place+"/slack", ""), 200)
		return fmt.Sprint(got.Properties["channel"], " ", got.Inherited, " ", got.Active)
	}
	set := func(place, channel string) {
		t.Helper()
		expect(t, root.JSON("PUT", place+"/slack", fmt.Sprintf(`{"webhook":"https://ci.example.com","channel":%q}`, channel)), 200, "")
	}
	check := func(want string) {
		t.Helper()
		if got := channel(project); got != want {
			t.Errorf("the project uses %s, want %s", got, want)
		}
	}
	set(above, "top")
	check("top true true")
	set(near, "near")
	check("near true true")
	set(project, "own")
	check("own false true")
	if rows := read[[]shownIntegration](t, root.Send("GET", project, ""), 200); len(rows) != 1 || rows[0].Inherited {
		t.Errorf("%+v", rows)
	}
	inherit := read[shownIntegration](t, root.JSON("PUT", project+"/slack", `{"use_inherited_settings":true}`), 200)
	if !inherit.Inherited || inherit.Properties["channel"] != "near" {
		t.Errorf("%+v", inherit)
	}
	check("near true true")
	expect(t, root.JSON("PUT", near+"/slack", `{"use_inherited_settings":true}`), 200, "")
	check("top true true")
	expect(t, root.Send("DELETE", project+"/slack", ""), 204, "")
	check("<nil> false false")
	if got := channel(near); got != "top true true" {
		t.Error("the group uses", got)
	}
	expect(t, root.Send("GET", project, ""), 200, `[]`)
	expect(t, root.JSON("PUT", project+"/slack", `{"use_inherited_settings":true}`), 200, "")
	check("top true true")
	expect(t, root.Send("DELETE", above+"/slack", ""), 204, "")
	if rows := read[[]shownIntegration](t, root.Send("GET", project, ""), 200); len(rows) != 0 {
		t.Errorf("%+v", rows)
	}
}
