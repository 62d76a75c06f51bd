package web

import (
	"encoding/json"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

// The explorer writes with the session of the signed-in user, and with a token that only our own pages can read.
func TestTheExplorerGetsTheCSRFTokenOfTheSession(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	read := func(b *harness.Browser) *string {
		t.Helper()
		var answer struct{ Token *string }
		page := b.Get("/-/docs/csrf.json")
		if err := json.Unmarshal([]byte(page.Body), &answer); err != nil || page.Status != 200 ||
			page.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %s %v", page.Status, page.Body, page.Header)
		}
		if page.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Error("other sites may read it")
		}
		return answer.Token
	}
	if token := read(h.Browser()); token != nil {
		t.Errorf("nobody gets %s", *token)
	}
	b := h.SignedIn(h.NewUserWithPassword().User)
	token := read(b)
	if token == nil {
		t.Fatal("there is no token")
	}
	write := func(token string) int {
		return h.WithHeaders("Cookie", "_svc_session="+b.Cookie("_svc_session"), "X-CSRF-Token", token).JSON(
			"POST", "/user/emails", `{"email":"x@example.org"}`,
		).Status
	}
	if status := write("wrong"); status != 401 {
		t.Errorf("a wrong token is answered %d", status)
	}
	if status := write(*token); status != 201 {
		t.Errorf("the token is answered %d", status)
	}
	if script := h.Browser().Get("/-/docs/start.js"); !strings.Contains(script.Body, "requestInterceptor: withCSRF") {
		t.Error("the explorer does not send it")
	}
}

// Pages offer only scopes that allow something.
func TestPagesOfferOnlyScopesThatAllowSomething(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.NewUserWithPassword(func(u *model.User) { u.Admin = true })
	for _, path := range []string{"/-/profile/personal_access_tokens", "/-/profile/applications"} {
		page := h.SignedIn(root.User).Get(path)
		for scope, want := range map[string]bool{
			"api": true, "read_repository": true, "sudo": path == "/-/profile/personal_access_tokens",
			"read_registry": false, "write_registry": false,
			"read_observability": false, "write_observability": false, "ai_features": false, "read_service_ping": false,
			"admin_mode": false,
		} {
			if got := strings.Contains(page.Body, `value="`+scope+`"`); got != want && (scope != "sudo" || want) {
				t.Errorf("%s offers %s: %v", path, scope, got)
			}
		}
	}
	// Programs may still ask for the others.
	if got := root.JSON(
		"POST", "/users/"+id(root.User)+"/personal_access_tokens", `{"name":"x","scopes":["read_registry"]}`,
	); got.Status != 201 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}
