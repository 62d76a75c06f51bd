package api

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

// resourceToken is an access token of a group or project in a response.
type resourceToken struct {
	newToken
	AccessLevel *int64 `json:"access_level"`
	Active      bool   `json:"active"`
	Revoked     bool   `json:"revoked"`
}

// bot creates an access token of a group or project and returns a caller that uses it.
func bot(t *testing.T, h *harness.H, maker *harness.Caller, path, body string) (*harness.Caller, resourceToken) {
	t.Helper()
	got := read[resourceToken](t, maker.JSON("POST", path+"/access_tokens", body), 201)
	return h.WithHeaders("PRIVATE-TOKEN", got.Token), got
}

// withoutVolatile replaces the parts of a response that differ in each run.
func withoutVolatile(body string, got resourceToken) string {
	return strings.NewReplacer(inDays(365), "2027-01-01", got.Token, "svcpat-secret").Replace(body)
}

func TestAProjectHasAccessTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	maintainer := h.ProjectMember(p, model.Maintainer)
	const path = "/projects/acme%2Fweb/access_tokens"
	created := maintainer.JSON("POST", path, `{"name":"ci","description":"for CI","scopes":["api","read_repository"],"access_level":30}`)
	got := read[resourceToken](t, created, 201)
	h.Golden("createProjectAccessToken/developer", withoutVolatile(created.Body, got))
	one := fmt.Sprintf("%s/%d", path, got.ID)
	shown := maintainer.Send("GET", one, "")
	h.Golden("getProjectAccessToken/developer", withoutVolatile(shown.Body, got))
	expect(t, maintainer.Send("GET", path, ""), 200, "["+shown.Body+"]")
	if strings.Contains(shown.Body, got.Token) || strings.Contains(h.Logs.String(), got.Token) {
		t.Error("the secret is shown again")
	}
	usual := read[resourceToken](t, maintainer.Form("POST", path, "name=usual&scopes=read_api,read_registry&expires_at="+inDays(3)), 201)
	if *usual.AccessLevel != 40 || usual.ExpiresAt != inDays(3) || strings.Join(usual.Scopes, " ") != "read_api read_registry" {
		t.Errorf("%+v", usual)
	}
	expect(t, maintainer.Send("GET", path+"/999999", ""), 404,
		`{"message":"404 Could not find project access token with token_id: 999999 Not Found"}`)
	expect(t, maintainer.Send("GET", path+"/self", ""), 404, "")
	personal := tokenID(t, h, maintainer) // a personal token, not one of the project
	expect(t, maintainer.Send("GET", fmt.Sprintf("%s/%d", path, personal), ""), 404, "")
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/%d", path, personal), ""), 404, "")
	expect(t, maintainer.JSON("POST", fmt.Sprintf("%s/%d/rotate", path, personal), ""), 404, "")

	before := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, maintainer.Send("DELETE", one, "", "If-Unmodified-Since", before), 412, "")
	expect(t, h.WithHeaders("PRIVATE-TOKEN", got.Token).Send("GET", "/projects/acme%2Fweb", ""), 200, "")
	expect(t, maintainer.Send("DELETE", one, ""), 204, "")
	expect(t, h.WithHeaders("PRIVATE-TOKEN", got.Token).Send("GET", "/projects/acme%2Fweb", ""), 401, unauthorized)
	expect(t, maintainer.Send("DELETE", one, ""), 404, "")
	if _, err := h.Store.Users.Get(t.Context(), got.UserID); err == nil {
		t.Error("the bot is still there")
	}
	expect(t, h.WithHeaders("PRIVATE-TOKEN", usual.Token).Send("GET", "/user", ""), 200, "")
}

func TestTokensOfAProjectAreFilteredInTwoStatements(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	h.Project(group.ID, called("web", model.Private))
	owner := h.Member(group, model.Owner)
	const path = "/projects/acme%2Fweb/access_tokens"
	old, oldRow := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"Old laptop","scopes":["api"]}`)
	bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"ci","scopes":["api"],"access_level":10}`)
	bot(t, h, owner, "/groups/acme", `{"name":"of the group","scopes":["api"]}`)
	expect(t, old.JSON("POST", personalTokens+"/self/rotate", ""), 200, "")
	for query, want := range map[string]string{
		"":                              "Old laptop, ci, Old laptop",
		"?state=active":                 "ci, Old laptop",
		"?state=inactive":               "Old laptop",
		"?revoked=true":                 "Old laptop",
		"?revoked=false&search=C":       "ci",
		"?search=LAP&sort=created_desc": "Old laptop, Old laptop",
		"?sort=name_desc&state=active":  "ci, Old laptop",
		"?created_before=2020-01-01":    "",
		"?created_after=2020-01-01":     "Old laptop, ci, Old laptop",
		"?last_used_after=2020-01-01":   "",
		"?per_page=1&page=2":            "ci",
	} {
		var names []string
		for _, row := range read[[]resourceToken](t, owner.Send("GET", path+query, ""), 200) {
			names = append(names, row.Name)
			if level := map[bool]int64{true: 40, false: 10}[row.UserID == oldRow.UserID]; *row.AccessLevel != level {
				t.Errorf("%+v", row)
			}
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if got := owner.Send("GET", path+"?per_page=1", ""); got.Header.Get("X-Total") != "3" {
		t.Errorf("headers %v", got.Header)
	}
	expect(t, owner.Send("GET", path+"?sort=id;DROP", ""), 400, `{"error":"sort does not have a valid value"}`)
	expect(t, owner.Send("GET", path+"?pagination=keyset", ""), 405, "")
	for path, want := range map[string]int64{
		path: 2, "/groups/acme/access_tokens": 3, "/projects/acme%2Fweb/deploy_tokens": 2,
		"/groups/acme/deploy_tokens": 3,
	} {
		least := int64(math.MaxInt64)
		for range 5 { // a request that is held up for long reads its group again
			before := h.Store.Statements()
			expect(t, owner.Send("GET", path, ""), 200, "")
			least = min(least, h.Store.Statements()-before)
		}
		if least != want {
			t.Errorf("%s took %d statements, want %d", path, least, want)
		}
	}
}

func TestATokenOfAProjectActsWithItsRoleThereAndNowhereElse(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	p := h.Project(group.ID, called("web", model.Private))
	h.Project(group.ID, called("other", model.Private))
	h.Project(h.Group(at("open"), seen(model.Internal)).ID, called("tool", model.Internal))
	owner := h.ProjectMember(p, model.Owner)
	guest, row := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"Reader","scopes":["api"],"access_level":10}`)
	maintainer, _ := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"Keeper","scopes":["api"]}`)
	top, _ := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"Top","scopes":["api"],"access_level":50}`)
	for _, c := range []*harness.Caller{guest, maintainer, top} {
		expect(t, c.Send("GET", "/projects/acme%2Fweb", ""), 200, "")
		expect(t, c.Send("GET", "/projects/acme%2Fother", ""), 404, "")
		expect(t, c.Send("GET", "/projects/open%2Ftool", ""), 200, "") // as any user may
		expect(t, c.JSON("PUT", "/projects/open%2Ftool", `{"description":"x"}`), 403, "")
		expect(t, c.JSON("POST", "/projects", `{"name":"mine"}`), 403, `{"message":"403 Forbidden"}`)
		expect(t, c.JSON("POST", "/groups", `{"name":"mine","path":"mine"}`), 403, `{"message":"403 Forbidden"}`)
		expect(t, c.JSON("POST", "/projects", fmt.Sprintf(`{"name":"mine","namespace_id":%d}`, group.ID)), 403, "")
		expect(t, c.JSON("POST", "/projects/acme%2Fweb/access_tokens", `{"name":"more","scopes":["api"],"access_level":10}`),
			403, `{"message":"403 Forbidden"}`)
		expect(t, c.JSON("POST", "/user/personal_access_tokens", `{"name":"more","scopes":["k8s_proxy"]}`), 422, "")
		expect(t, c.Send("GET", "/namespaces", ""), 200, "[]")
		expect(t, c.Send("GET", "/admin/ci/variables", ""), 403, "")
		expect(t, c.Send("GET", "/users", ""), 200, "")
	}
	expect(t, guest.JSON("PUT", "/projects/acme%2Fweb", `{"description":"x"}`), 403, "")
	expect(t, maintainer.JSON("PUT", "/projects/acme%2Fweb", `{"description":"x"}`), 200, "")
	expect(t, maintainer.Send("DELETE", "/projects/acme%2Fweb", ""), 403, "")

	me := guest.Send("GET", "/user", "")
	for name, want := range map[string]any{
		"name": "Reader", "can_create_group": false, "can_create_project": false, "projects_limit": 0.0, "bot": true,
		"external": false,
	} {
		if got := member(t, me, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	username, email := fmt.Sprint(member(t, me, "username")), fmt.Sprint(member(t, me, "email"))
	if !strings.HasPrefix(username, fmt.Sprintf("project_%d_bot_", p.ID)) || email != username+"@noreply.127.0.0.1" {
		t.Errorf("%s, %s", username, email)
	}
	root := h.Root()
	expect(t, root.Send("GET", fmt.Sprintf("/users/%d", row.UserID), ""), 200, "")
	expect(t, guest.Send("GET", "/users/"+username+"/projects", ""), 200, "[]")
	expect(t, root.JSON("PUT", fmt.Sprintf("/users/%d", row.UserID), `{"bio":"reads"}`), 200, "")
	expect(t, root.Send("GET", fmt.Sprintf("/users/%d/memberships", row.UserID), ""), 200, "")
	if got := root.Send("GET", "/users?without_project_bots=true", ""); strings.Contains(got.Body, "_bot_") {
		t.Error(got.Body)
	}
	if got := root.Send("GET", "/users?search=Reader", ""); !strings.Contains(got.Body, username) {
		t.Error(got.Body)
	}
	if got := root.Send("GET", "/user", "", "Sudo", username); member(t, got, "username") != username {
		t.Error(got.Body)
	}
	expect(t, root.JSON("POST", fmt.Sprintf("/users/%d/personal_access_tokens", row.UserID), `{"name":"x","scopes":["api"]}`), 422, "")
	// The scopes and the state of the bot count here, too.
	weak, _ := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"weak","scopes":["read_api"],"access_level":40}`)
	expect(t, weak.JSON("PUT", "/projects/acme%2Fweb", `{"description":"x"}`), 403, "")
	expect(t, root.Send("POST", fmt.Sprintf("/users/%d/block", row.UserID), ""), 201, "")
	expect(t, guest.Send("GET", "/projects/acme%2Fweb", ""), 403, `{"message":"403 Forbidden - Your account has been blocked."}`)
}

func TestNobodyCreatesAProjectTokenWithARoleAboveTheirOwn(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxTokenLifetime = 30 })
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	maintainer, owner := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Owner)
	const path = "/projects/acme%2Fweb/access_tokens"
	const bad = `{"message":"400 Bad request - `
	for _, c := range []struct{ body, want string }{
		{`{}`, `{"error":"name is missing, scopes is missing"}`},
		{`{"name":"","scopes":["api"]}`, `{"error":"name is empty"}`},
		{`{"name":"x","scopes":[]}`, `{"error":"scopes is empty"}`},
		{`{"name":"x","scopes":["sudo"]}`, `{"error":"scopes does not have a valid value"}`},
		{`{"name":"x","scopes":["admin_mode"]}`, `{"error":"scopes does not have a valid value"}`},
		{`{"name":"x","scopes":["api","read_user"]}`, `{"error":"scopes does not have a valid value"}`},
		{`{"name":"x","scopes":["read_service_ping"]}`, `{"error":"scopes does not have a valid value"}`},
		{`{"name":"x","scopes":["api"],"access_level":5}`, `{"error":"access_level does not have a valid value"}`},
		{`{"name":"x","scopes":["api"],"access_level":60}`, `{"error":"access_level does not have a valid value"}`},
		{`{"name":"x","scopes":["api"],"access_level":"owner"}`, `{"error":"access_level does not have a valid value"}`},
		{
			`{"name":"x","scopes":["api"],"access_level":50}`,
			bad + `Access level of the token can't be greater than the access level of the user who created the token"}`,
		},
		{`{"name":" ","scopes":["api"]}`, bad + `Name can't be blank"}`},
		{`{"name":"a\nb","scopes":["api"]}`, bad + `Name is invalid"}`},
		{`{"name":"` + strings.Repeat("é", 256) + `","scopes":["api"]}`, bad + `Name is too long (maximum is 255 characters)"}`},
		{`{"name":"x","scopes":["api"],"expires_at":"` + inDays(-1) + `"}`, bad + `Expires at must be in the future"}`},
		{`{"name":"x","scopes":["api"],"expires_at":"` + inDays(31) + `"}`, bad + `Expires at must not be after ` + inDays(30) + `"}`},
	} {
		expect(t, maintainer.JSON("POST", path, c.body), 400, c.want)
	}
	expect(t, maintainer.Send("GET", path, ""), 200, "[]")
	if got := h.Root().Send("GET", "/users", ""); strings.Contains(got.Body, "_bot_") {
		t.Error("a bot was left over")
	}
	_, top := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"top","scopes":["api"],"access_level":50}`)
	if top.ExpiresAt != inDays(30) {
		t.Errorf("%+v", top)
	}
	one := fmt.Sprintf("%s/%d", path, top.ID)
	expect(t, maintainer.JSON("POST", one+"/rotate", ""), 400, bad+`Not eligible to rotate token with access level higher than the user"}`)
	expect(t, owner.JSON("POST", one+"/rotate", ""), 200, "")
	rooted := read[resourceToken](t, h.Root().JSON("POST", path, `{"name":"by root","scopes":["api"],"access_level":50}`), 201)
	// Revoking a token gives the caller nothing.
	expect(t, maintainer.Send("DELETE", fmt.Sprintf("%s/%d", path, rooted.ID), ""), 204, "")
	if err := h.Store.Projects.Update(t.Context(), p.ID, map[string]any{"archived": true}); err != nil {
		t.Fatal(err)
	}
	last := read[[]resourceToken](t, owner.Send("GET", path+"?state=active", ""), 200)
	expect(t, owner.JSON("POST", path, `{"name":"x","scopes":["api"]}`), 403, "")
	// A leaked token must be revocable in an archived project.
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/%d", path, last[0].ID), ""), 204, "")
}
