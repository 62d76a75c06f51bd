package api

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/secret"
	"svc/store/storetest"
	"svc/tests/harness"
)

func TestATokenIsAcceptedInEveryHeaderAndParameter(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	for _, c := range []struct{ name, header, value, query string }{
		{"header", "PRIVATE-TOKEN", u.Token, ""},
		{"bearer", "Authorization", "Bearer " + u.Token, ""},
		{"bearer in small letters", "Authorization", "bearer " + u.Token, ""},
		{"private_token", "", "", "?private_token=" + u.Token},
		{"access_token", "", "", "?access_token=" + u.Token},
	} {
		caller := h.Anonymous()
		if c.header != "" {
			caller = h.WithHeaders(c.header, c.value)
		}
		if got := caller.Send("GET", "/user"+c.query, ""); got.Status != 200 || !strings.Contains(got.Body, u.User.Username) {
			t.Errorf("%s: %d %s", c.name, got.Status, got.Body)
		}
	}
	if strings.Contains(h.Logs.String(), u.Token) {
		t.Error("the token is in the log")
	}
	if !strings.Contains(h.Logs.String(), "private_token=[MASKED]") {
		t.Error("the log does not show that a token was masked")
	}
}

func TestAWrongCredentialIsRefusedEverywhere(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	const unknown = `Bearer realm="The API", error="invalid_token", error_description="The token is unknown or not accepted here."`
	reason := func(description string) string {
		return `Bearer realm="The API", error="invalid_token", error_description="` + description + `"`
	}
	for caller, challenge := range map[*harness.Caller]string{
		h.WithHeaders("PRIVATE-TOKEN", "wrong"):        unknown,
		h.WithHeaders("Authorization", "Bearer wrong"): unknown,
		h.WithHeaders("JOB-TOKEN", "wrong"):            reason("This operation does not accept job tokens."),
		h.WithHeaders("Cookie", "_svc_session=wrong"): reason(
			"The session is unknown or has ended, or X-CSRF-Token is missing or wrong."),
	} {
		for _, path := range []string{"/user", "/openapi.json", "/-/liveness"} {
			got := caller.Send("GET", path, "")
			expect(t, got, 401, `{"message":"401 Unauthorized"}`)
			if got.Header.Get("WWW-Authenticate") != challenge {
				t.Errorf("WWW-Authenticate is %q", got.Header.Get("WWW-Authenticate"))
			}
		}
	}
	expect(t, h.Anonymous().Send("GET", "/user", ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, h.Anonymous().Send("GET", "/user?job_token=wrong", ""), 401, `{"message":"401 Unauthorized"}`)
}

func TestInvalidTokensAreRefusedWithTheReason(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Impersonation = false })
	u := storetest.User(t, h.Store)
	yesterday := time.Now().AddDate(0, 0, -1)
	for _, c := range []struct {
		name string
		edit func(*model.PersonalAccessToken)
		want string
	}{
		{
			"expired", func(p *model.PersonalAccessToken) { p.ExpiresAt = &yesterday },
			`{"error":"invalid_token","error_description":"Token is expired. You can either do re-authorization or ` +
				`token refresh.","message":"401 Unauthorized"}`,
		},
		{
			"revoked", func(p *model.PersonalAccessToken) { p.Revoked = true },
			`{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize from the ` +
				`user.","message":"401 Unauthorized"}`,
		},
		{
			"impersonation off", func(p *model.PersonalAccessToken) { p.Impersonation = true },
			`{"error":"invalid_token","error_description":"Token is an impersonation token but impersonation was ` +
				`disabled.","message":"401 Unauthorized"}`,
		},
	} {
		got := h.WithToken(u, "api", c.edit).Send("GET", "/user", "")
		expect(t, got, 401, c.want)
		if !strings.Contains(got.Header.Get("WWW-Authenticate"), `error="invalid_token"`) {
			t.Errorf("%s: WWW-Authenticate is %q", c.name, got.Header.Get("WWW-Authenticate"))
		}
	}
	on := harness.New(t)
	impersonated := on.WithToken(storetest.User(t, on.Store), "api", func(p *model.PersonalAccessToken) { p.Impersonation = true })
	expect(t, impersonated.Send("GET", "/user", ""), 200, "")
}

func TestBlockedAndUnapprovedAccountsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for state, want := range map[model.UserState]string{
		model.UserBlocked: `{"message":"403 Forbidden - Your account has been blocked."}`,
		model.UserBanned:  `{"message":"403 Forbidden - Your account has been blocked."}`,
		model.UserDeactivated: `{"message":"403 Forbidden - Your account has been deactivated by your ` +
			`administrator. Please log back in to reactivate your account."}`,
		model.UserPendingApproval: "",
	} {
		expect(t, h.NewUser(func(u *model.User) { u.State = state }).Send("GET", "/user", ""), 403, want)
	}
}

func TestScopesComeFromTheDocument(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := storetest.User(t, h.Store, storetest.Admin)
	const told = "The request requires higher privileges than provided by the access token."
	for _, c := range []struct {
		scopes, method, path string
		status               int
		want                 string
	}{
		{"read_user", "GET", "/user", 200, ""},
		{"read_api", "GET", "/user", 200, ""},
		{"api", "GET", "/user", 200, ""},
		{
			"read_repository", "GET", "/user", 403,
			`{"error":"insufficient_scope","error_description":"` + told + `","scope":"api read_api read_user"}`,
		},
		{"read_user", "GET", variables, 403, `{"error":"insufficient_scope","error_description":"` + told + `","scope":"api read_api"}`},
		{"read_api", "GET", variables, 200, ""},
		{"read_api", "DELETE", variables + "/A", 403, `{"error":"insufficient_scope","error_description":"` + told + `","scope":"api"}`},
		{"read_repository", "GET", "/personal_access_tokens/self", 200, ""},
	} {
		expect(t, h.WithToken(u, c.scopes).Send(c.method, c.path, ""), c.status, c.want)
	}
}

func TestSudoHasExactlyFourAnswers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	u := h.NewUser(func(u *model.User) { u.Username = "Alice" })
	for _, as := range []string{"alice", "ALICE"} {
		got := root.Send("GET", "/user?sudo="+as, "")
		if got.Status != 200 || !strings.Contains(got.Body, `"username":"Alice"`) || strings.Contains(got.Body, "is_admin") {
			t.Errorf("sudo=%s answered %d %s", as, got.Status, got.Body)
		}
	}
	expect(t, root.Send("GET", "/user", "", "Sudo", "Alice"), 200, "")
	expect(t, root.Send("GET", variables, "", "Sudo", "Alice"), 403, `{"message":"403 Forbidden"}`)
	expect(t, u.Send("GET", "/user?sudo=root", ""), 403, `{"message":"403 Forbidden - Must be admin to use sudo"}`)
	expect(t, h.WithToken(root.User, "api").Send("GET", "/user?sudo=Alice", ""), 403,
		`{"error":"insufficient_scope","error_description":"The request requires higher privileges than provided by `+
			`the access token.","scope":"sudo"}`)
	expect(t, root.Send("GET", "/user?sudo=nobody", ""), 404, `{"message":"404 User with ID or username 'nobody' Not Found"}`)
	expect(t, root.Send("GET", "/user?sudo=999999", ""), 404, `{"message":"404 User with ID or username '999999' Not Found"}`)
	expect(t, h.Anonymous().Send("GET", "/user?sudo=Alice", ""), 401, `{"message":"401 Unauthorized"}`)
	expect(t, root.Send("GET", "/user?sudo=%00", ""), 400, "")
	only := h.WithToken(root.User, "sudo")
	expect(t, only.Send("GET", "/user?sudo=Alice", ""), 403, "") // the scope sudo does not replace other scopes
	if log := h.Logs.String(); !strings.Contains(log, "user=Alice sudo_by=root") {
		t.Error("the log does not name the real actor")
	}
}

func TestSudoIsRefusedForUsersWhoMayNotUseTheService(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	for _, state := range []model.UserState{model.UserBlocked, model.UserDeactivated, model.UserPendingApproval, model.UserBanned} {
		u := h.NewUser(func(u *model.User) { u.State = state }).User
		expect(
			t,
			h.Root().JSON("POST", "/user/emails?sudo="+u.Username, `{"email":"`+u.Username+`@example.org"}`),
			403,
			`{"message":"403 Forbidden - The user given in sudo cannot use the service: the account is blocked, `+
				`deactivated or not approved yet"}`,
		)
	}
}

// A sudo parameter that the service does not read must not be dropped silently: the write would run as the
// administrator.
func TestSudoOutsideOfQueryAndHeaderIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, alice := h.Root(), h.NewUser(func(u *model.User) { u.Username = "Alice" })
	p := h.Project(*alice.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	const refused = `{"error":"sudo is invalid in the body; send it in the query string or in the header Sudo"}`
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	expect(t, root.JSON("POST", "/user/emails", `{"email":"a@example.org","sudo":"Alice"}`), 400, refused)
	expect(t, root.JSON("POST", "/user/emails", `{"email":"a@example.org","sudo":["Alice"]}`), 400, refused)
	expect(t, root.Send("POST", "/user/emails", "email=a@example.org&sudo=Alice", form...), 400, refused)
	expect(t, root.Send("POST", "/user/emails", "email=a@example.org&sudo[]=Alice", form...), 400, refused)
	expect(t, root.JSON("POST", "/user/emails?sudo[]=Alice", `{"email":"a@example.org"}`), 400, `{"error":"sudo is invalid"}`)
	star := "/projects/" + strconv.FormatInt(p.ID, 10) + "/star" // the operation has no request body
	expect(t, root.JSON("POST", star, `{"sudo":"Alice"}`), 400, refused)
	expect(t, root.Send("POST", star, "sudo=Alice", form...), 400, refused)
	if got := root.Send("GET", "/user/emails", ""); got.Body != "[]" {
		t.Errorf("the administrator got %s", got.Body)
	}
	expect(t, root.Send("POST", star, `{}`, "Sudo", "Alice", "Content-Type", "application/json"), 201, "")
}

func session(t *testing.T, h *harness.H, u model.User, ends time.Time) (cookie, csrf string) {
	t.Helper()
	cookie, csrf = secret.Random(), secret.Random()
	row := model.Session{
		UserID:     u.ID,
		Digest:     secret.Digest(cookie),
		CSRFDigest: secret.Digest(csrf),
		CreatedAt:  time.Now().UTC(),
		ExpiresAt:  ends.UTC(),
	}
	if err := h.Store.Sessions.Create(t.Context(), &row); err != nil {
		t.Fatal(err)
	}
	return "_svc_session=" + cookie, csrf
}

func TestASessionWritesOnlyWithItsCSRFToken(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	admin := storetest.User(t, h.Store, storetest.Admin)
	cookie, csrf := session(t, h, admin, time.Now().Add(time.Hour))
	browser := h.WithHeaders("Cookie", cookie)
	expect(t, browser.Send("GET", "/user", ""), 200, "")
	expect(t, browser.JSON("POST", variables, `{"key":"A","value":"x"}`), 401, `{"message":"401 Unauthorized"}`)
	expect(t, h.WithHeaders("Cookie", cookie, "X-CSRF-Token", "wrong").JSON("POST", variables, `{"key":"A","value":"x"}`), 401, "")
	expect(t, h.WithHeaders("Cookie", cookie, "X-CSRF-Token", csrf).JSON("POST", variables, `{"key":"A","value":"x"}`), 201, "")
	expect(t, browser.Send("GET", "/user?sudo=root", ""), 403,
		`{"message":"403 Forbidden - Must be authenticated using an OAuth or personal access token to use sudo"}`)
	expect(t, browser.Send("GET", "/personal_access_tokens/self", ""), 400,
		`{"message":"400 Bad request - This endpoint requires token type to be a personal access token"}`)
	old, _ := session(t, h, admin, time.Now().Add(-time.Second))
	expect(t, h.WithHeaders("Cookie", old).Send("GET", "/user", ""), 401, "")
}

func TestTheLastUseOfATokenIsStoredWithoutAWritePerRequest(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	before := h.Store.Statements()
	for range 10 {
		expect(t, u.Send("GET", "/user", ""), 200, "")
	}
	if n := h.Store.Statements() - before; n != 20 {
		t.Errorf("10 requests took %d statements, want two reads each", n)
	}
	if err := h.Server.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := u.Send("GET", "/personal_access_tokens/self", ""); strings.Contains(got.Body, `"last_used_at":null`) {
		t.Errorf("last_used_at was not noted: %s", got.Body)
	}
	today := time.Now().UTC().Format(time.DateOnly)
	if got := u.Send("GET", "/user", ""); !strings.Contains(got.Body, `"last_activity_on":"`+today+`"`) {
		t.Errorf("last_activity_on was not noted: %s", got.Body)
	}
}

func TestSecretsAreStoredOnlyAsHashes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	row, err := h.Store.Tokens.FindByDigest(t.Context(), secret.Digest(u.Token), nil)
	if err != nil || strings.Contains(string(row.Digest), u.Token) || len(row.Digest) != 32 {
		t.Errorf("stored %q, %v", row.Digest, err)
	}
}

func TestThrottlesAnswerWithTheirHeaders(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) {
		c.ThrottleUnauthenticated, c.ThrottleAuthenticated, c.ThrottlePeriod = 2, 3, 24*time.Hour
	})
	u := h.NewUser()
	over := func(caller *harness.Caller, path string, most int) {
		t.Helper()
		for range most {
			if got := caller.Send("GET", path, ""); got.Status == http.StatusTooManyRequests {
				t.Fatalf("throttled too early: %v", got.Header)
			}
		}
		got := caller.Send("GET", path, "")
		expect(t, got, 429, "Retry later")
		for _, name := range []string{
			"RateLimit-Limit", "RateLimit-Name", "RateLimit-Observed", "RateLimit-Remaining", "RateLimit-Reset",
			"RateLimit-ResetTime", "Retry-After",
		} {
			if got.Header.Get(name) == "" {
				t.Errorf("%s is missing", name)
			}
		}
	}
	over(u, "/user", 3)
	over(h.Anonymous(), "/openapi.json", 2)
	// Requests with a wrong token count, too.
	expect(t, h.WithHeaders("PRIVATE-TOKEN", "guess").Send("GET", "/user", ""), 429, "Retry later")
	expect(t, h.NewUser().Send("GET", "/user", ""), 200, "")
}
