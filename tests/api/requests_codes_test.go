package api

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"svc/server/platform/apierr"
	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"
	"svc/tests/harness"
)

// expectCode compares the status and the code of a response.
func expectCode(t *testing.T, got harness.Answer, status int, code apierr.Code) {
	t.Helper()
	if got.Status != status || got.Header.Get("X-Error-Code") != string(code) {
		t.Errorf("the answer is %d %s with the code %q, want %d %q", got.Status, got.Body, got.Header.Get("X-Error-Code"), status, code)
	}
}

func TestEachWayInIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := storetest.User(t, h.Store)
	yesterday := time.Now().AddDate(0, 0, -1)
	const realm = `Bearer realm="The API"`
	invalid := func(description string) string {
		return realm + `, error="invalid_token", error_description="` + description + `"`
	}
	unknown := invalid("The token is unknown or not accepted here.")
	for name, c := range map[string]struct {
		caller    *harness.Caller
		status    int
		code      apierr.Code
		challenge string
		hint      string
	}{
		"nothing": {h.Anonymous(), 401, apierr.TokenMissing, realm, ""},
		"malformed": {
			h.WithHeaders("Authorization", "token x"), 401, apierr.TokenMissing,
			realm + `, error="invalid_request", error_description="The Authorization header must have the form Bearer TOKEN."`,
			apierr.HintCredential,
		},
		"unknown":        {h.WithHeaders("PRIVATE-TOKEN", "wrong"), 401, apierr.TokenInvalid, unknown, ""},
		"unknown bearer": {h.WithHeaders("Authorization", "Bearer wrong"), 401, apierr.TokenInvalid, unknown, ""},
		"expired": {
			h.WithToken(u, "api", func(p *model.PersonalAccessToken) { p.ExpiresAt = &yesterday }), 401, apierr.TokenExpired,
			invalid("Token is expired. You can either do re-authorization or token refresh."), "",
		},
		"revoked": {
			h.WithToken(u, "api", func(p *model.PersonalAccessToken) { p.Revoked = true }), 401, apierr.TokenRevoked,
			invalid("Token was revoked. You have to re-authorize from the user."), "",
		},
		"job token": {
			h.WithHeaders("JOB-TOKEN", "wrong"), 401, apierr.TokenInvalid,
			invalid("This operation does not accept job tokens."), apierr.HintJobToken,
		},
		"deploy token": {
			h.WithHeaders("PRIVATE-TOKEN", secret.NewDeployToken()), 401, apierr.TokenInvalid, unknown, apierr.HintDeployToken,
		},
		"session": {
			h.WithHeaders("Cookie", "_svc_session=wrong"), 401, apierr.TokenInvalid,
			invalid("The session is unknown or has ended, or X-CSRF-Token is missing or wrong."), apierr.HintSession,
		},
		"scope": {
			h.WithToken(u, "read_repository"), 403, apierr.ScopeInsufficient,
			realm + `, error="insufficient_scope", error_description="The request requires higher privileges than provided by ` +
				`the access token.", scope="api read_api read_user"`, "",
		},
		"blocked": {
			h.NewUser(func(u *model.User) { u.State = model.UserBlocked }), 403, apierr.AccountInactive, "", "",
		},
	} {
		got := c.caller.Send("GET", "/user", "")
		expectCode(t, got, c.status, c.code)
		if got.Header.Get("WWW-Authenticate") != c.challenge || got.Hint != c.hint {
			t.Errorf("%s: the challenge is %q and the hint %q", name, got.Header.Get("WWW-Authenticate"), got.Hint)
		}
	}
}

func TestAKnownCallerWhoIsRefusedWith401IsForbidden(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	g := h.Group(func(g *model.Namespace) { g.Visibility = model.Public })
	p := h.Project(g.ID, func(p *model.Project) { p.Visibility = model.Public })
	path := fmt.Sprintf("/projects/%d/issues", p.ID)
	expectCode(t, h.Anonymous().JSON("POST", path, `{"title":"a"}`), 401, apierr.TokenMissing)
	namespace := fmt.Sprintf("/personal_access_tokens/%d", 999999)
	expectCode(t, h.NewUser().Send("GET", namespace, ""), 401, apierr.NotPermitted)
}

func TestWhatIsNotOfferedIsDistinctFromASlip(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	for _, caller := range []*harness.Caller{u, h.Anonymous(), h.WithHeaders("PRIVATE-TOKEN", "wrong")} {
		for _, path := range []string{
			"/projects/1/debian_distributions", "/projects/acme%2Fweb/releases/v1/evidence", "/groups/acme/ldap_group_links",
			"/groups/acme/saml_group_links?search=x",
			"/projects/1/packages/nuget/index.json", "/license", "/geo_nodes/status",
		} {
			got := caller.Send("GET", path, "")
			expectHint(t, got, 404, `{"error":"404 Not Found"}`, apierr.HintNotOffered)
			expectCode(t, got, 404, apierr.NotOffered)
		}
		for path, meant := range map[string]string{
			"/project/1": "/api/v4/projects/{id}", "/projects/1/isues": "/api/v4/projects/{id}/issues",
			"/user/1": "/api/v4/users/{id}",
		} {
			got := caller.Send("GET", path, "")
			expectHint(t, got, 404, `{"error":"404 Not Found"}`, "Did you mean "+meant+"? /api/v4/openapi.json lists the paths of the API.")
			expectCode(t, got, 404, apierr.PathUnknown)
		}
		expectCode(t, caller.Send("GET", "/nothing/at/all", ""), 404, apierr.PathUnknown)
	}
	expectCode(t, u.Send("GET", "/api/v3/projects", ""), 410, apierr.NotOffered)
	got := u.JSON("POST", "/projects/1/merge_requests/1/approvals", `{}`)
	expectCode(t, got, 405, apierr.NotOffered)
	expectHint(t, got, 405, `{"error":"405 Not Allowed"}`, apierr.HintNotOffered)
	wrong := u.Send("GET", "/projects/1/issues/first", "")
	expectHint(t, wrong, 404, `{"error":"404 Not Found"}`, "issue_iid must be a whole number.")
	expectCode(t, wrong, 404, apierr.PathUnknown)
	expectCode(t, u.Send("GET", "/projects/999999", ""), 404, apierr.Missing)
}

// The page for people shows hints as they really are.
func TestTheHintsOfThePageAreReal(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	page, err := os.ReadFile("../../docs/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	for row, got := range map[string]harness.Answer{
		"`GET /projects?per_page=0` | 400":                     u.Send("GET", "/projects?per_page=0", ""),
		"`GET /projects/1/isues` | 404 `path_unknown`":         u.Send("GET", "/projects/1/isues", ""),
		"`GET /groups/1/ldap_group_links` | 404 `not_offered`": u.Send("GET", "/groups/1/ldap_group_links", ""),
		"`POST /projects/1` | 405":                             u.JSON("POST", "/projects/1", `{}`),
		"`POST /projects` with `visibilty=secret` only | 400":  u.Form("POST", "/projects", "visibilty=secret"),
		"`GET /user` with the header `JOB-TOKEN` | 401":        h.WithHeaders("JOB-TOKEN", "x").Send("GET", "/user", ""),
		"a URL of 20 KB | 414":                                 u.Send("GET", "/projects?search="+strings.Repeat("x", 20000), ""),
	} {
		if got.Hint == "" || !strings.Contains(string(page), "| "+row+" | "+got.Hint+" |\n") {
			t.Errorf("docs/errors.md does not have the row | %s | %s |\n%d %s", row, got.Hint, got.Status, got.Body)
		}
		if !strings.Contains(row, fmt.Sprint(got.Status)) {
			t.Errorf("%s answered %d %s", row, got.Status, got.Body)
		}
	}
}

func TestLimitsAreNamedInTheHint(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.LimitUsers = 1 })
	harness.WaitForMinute(time.Second)
	u := h.NewUser()
	large := u.JSON("POST", "/projects", `{"name":"`+strings.Repeat("x", 1<<20)+`"}`)
	expectHint(t, large, 413, `{"message":"413 Request Entity Too Large"}`, "The body may have at most 1048576 bytes.")
	expectCode(t, large, 413, apierr.BodyTooLarge)
	u.Send("GET", "/users/1", "")
	over := u.Send("GET", "/users/1", "")
	expectHint(t, over, 429, "", "The limit is 1 requests per 10 minutes. An administrator can change it with the setting limit-users.")
	expectCode(t, over, 429, apierr.RateLimited)

	throttled := harness.New(t, func(c *config.Config) { c.ThrottleUnauthenticated = 1 })
	throttled.Anonymous().Send("GET", "/version", "")
	expectCode(t, throttled.Anonymous().Send("GET", "/version", ""), 429, apierr.RateLimited)
}

func TestPagesOfOtherOriginsReadTheCode(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for _, got := range []harness.Answer{
		h.Anonymous().Send("GET", "/user", "", "Origin", "https://elsewhere.example.com"),
		h.Anonymous().Send("GET", "/oauth/userinfo", "", "Origin", "https://elsewhere.example.com"),
	} {
		if !strings.Contains(got.Header.Get("Access-Control-Expose-Headers"), "X-Error-Code") || got.Header.Get("X-Error-Code") == "" {
			t.Errorf("%d: %v", got.Status, got.Header)
		}
	}
}

func TestOAuthErrorsHaveACode(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	anyone := h.Anonymous()
	for form, code := range map[string]apierr.Code{
		"":                   apierr.ParameterMissing,
		"grant_type=nothing": apierr.ParameterInvalid,
		"grant_type=refresh_token&refresh_token=x&client_id=none": apierr.ClientInvalid,
	} {
		got := anyone.Form("POST", "/oauth/token", form)
		if got.Status < 400 || got.Header.Get("X-Error-Code") != string(code) {
			t.Errorf("%q: %d %s %s", form, got.Status, got.Header.Get("X-Error-Code"), got.Body)
		}
	}
	wrong := h.WithHeaders("Authorization", "Bearer wrong")
	expectCode(t, wrong.Send("GET", "/oauth/token/info", ""), 400, apierr.TokenInvalid)
	expectCode(t, wrong.Send("GET", "/oauth/userinfo", ""), 401, apierr.TokenInvalid)
}
