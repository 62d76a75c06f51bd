package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

func TestAdministratorsActAsAUserWithAnImpersonationToken(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u := h.Root(), h.NewUser(func(u *model.User) { u.Username = "sidney" })
	path := fmt.Sprintf("/users/%d/impersonation_tokens", u.User.ID)
	got := read[newToken](t, root.JSON("POST", path, `{"name":"support","scopes":["api"]}`), 201)
	if !got.Impersonation || got.UserID != u.User.ID || got.ExpiresAt != inDays(365) || strings.Join(got.Scopes, " ") != "api" {
		t.Errorf("%+v", got)
	}
	one := fmt.Sprintf("%s/%d", path, got.ID)
	shown := root.Send("GET", one, "")
	h.Golden("getUserImpersonationToken/active", strings.ReplaceAll(shown.Body, got.ExpiresAt, "2027-01-02"))
	as := h.WithHeaders("PRIVATE-TOKEN", got.Token)
	if me := as.Send("GET", "/user", ""); me.Status != 200 || !strings.Contains(me.Body, `"username":"sidney"`) {
		t.Errorf("answered %d %s", me.Status, me.Body)
	}
	if !strings.Contains(h.Logs.String(), fmt.Sprintf("user=sidney impersonation_token=%d", got.ID)) ||
		strings.Contains(h.Logs.String(), got.Token) {
		t.Error("the log does not name the token, or tells its secret")
	}
	if list := u.Send("GET", personalTokens, ""); strings.Contains(list.Body, "support") {
		t.Errorf("the user sees %s", list.Body)
	}
	other := h.NewUser()
	for _, missing := range []string{
		fmt.Sprintf("%s/%d", path, tokenID(t, h, u)), path + "/999999",
		fmt.Sprintf("/users/%d/impersonation_tokens/%d", other.User.ID, got.ID),
	} {
		expect(t, root.Send("GET", missing, ""), 404, `{"message":"404 Impersonation Token Not Found"}`)
		expect(t, root.Send("DELETE", missing, ""), 404, `{"message":"404 Impersonation Token Not Found"}`)
	}
	for _, c := range []struct{ method, body string }{{"GET", ""}, {"POST", `{"name":"x","scopes":["api"]}`}} {
		expect(t, root.JSON(c.method, "/users/999999/impersonation_tokens", c.body), 404, `{"message":"404 User Not Found"}`)
		expect(t, u.JSON(c.method, path, c.body), 403, `{"message":"403 Forbidden"}`)
		expect(t, as.JSON(c.method, path, c.body), 403, `{"message":"403 Forbidden"}`)
	}
	expect(t, root.Send("GET", "/users/999999/impersonation_tokens/1", ""), 404, `{"message":"404 User Not Found"}`)
	before := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, root.Send("DELETE", one, "", "If-Unmodified-Since", before), 412, "")
	expect(t, u.Send("DELETE", one, ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, root.Send("DELETE", one, ""), 204, "")
	expect(t, as.Send("GET", "/user", ""), 401, wasRevoked)
	expect(t, root.Send("DELETE", one, ""), 204, "")
}

func TestImpersonationTokensAreListedByState(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u := h.Root(), h.NewUser()
	yesterday := time.Now().AddDate(0, 0, -1)
	for name, edit := range map[string]func(*model.PersonalAccessToken){
		"good":    func(*model.PersonalAccessToken) {},
		"expired": func(p *model.PersonalAccessToken) { p.ExpiresAt = &yesterday },
		"revoked": func(p *model.PersonalAccessToken) { p.Revoked = true },
	} {
		h.WithToken(u.User, "api", edit, func(p *model.PersonalAccessToken) { p.Name, p.Impersonation = name, true })
	}
	path := fmt.Sprintf("/users/%d/impersonation_tokens", u.User.ID)
	for query, want := range map[string]int{"": 3, "?state=all": 3, "?state=active": 1, "?state=inactive": 2, "?per_page=1": 1} {
		if got := read[[]newToken](t, root.Send("GET", path+query, ""), 200); len(got) != want || !got[0].Impersonation {
			t.Errorf("%q lists %v", query, got)
		}
	}
	if got := read[[]newToken](t, root.Send("GET", path+"?state=active", ""), 200); got[0].Name != "good" {
		t.Errorf("active is %v", got)
	}
	expect(t, root.Send("GET", path+"?state=dead", ""), 400, `{"error":"state does not have a valid value"}`)
	expect(t, root.Send("GET", path+"?pagination=keyset", ""), 405, "")
}

func TestImpersonationTokensFollowTheRulesOfTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u := h.Root(), h.NewUser()
	path := fmt.Sprintf("/users/%d/impersonation_tokens", u.User.ID)
	for _, c := range []struct{ body, want string }{
		{`{}`, `{"error":"name is missing, scopes is missing"}`},
		{`{"name":"x","scopes":["all"]}`, `{"error":"scopes does not have a valid value"}`},
		{`{"name":"x","scopes":["sudo"]}`, `{"message":{"scopes":["can only contain available scopes"]}}`},
		{`{"name":"x","scopes":["api"],"expires_at":"` + inDays(-1) + `"}`, `{"message":{"expires_at":["must be in the future"]}}`},
		{
			`{"name":" ","scopes":["api"],"expires_at":"9999-12-31"}`,
			`{"message":{"expires_at":["must not be after ` + inDays(365) + `"],"name":["can't be blank"]}}`,
		},
	} {
		expect(t, root.JSON("POST", path, c.body), 400, c.want)
	}
	bot := storetest.User(t, h.Store, func(u *model.User) { u.Kind = "project_bot" })
	expect(t, root.JSON("POST", fmt.Sprintf("/users/%d/impersonation_tokens", bot.ID), `{"name":"x","scopes":["api"]}`),
		422, `{"message":"Not permitted to create"}`)
	expect(t, root.Send("GET", path, ""), 200, `[]`)
}

func TestAnImpersonationTokenNeedsAUsableAccountAndTheSetting(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.Impersonation = false })
	root, blocked := h.Root(), storetest.User(t, h.Store, func(u *model.User) { u.State = model.UserBlocked })
	path := fmt.Sprintf("/users/%d/impersonation_tokens", blocked.ID)
	got := read[newToken](t, root.JSON("POST", path, `{"name":"x","scopes":"api,read_user"}`), 201)
	expect(t, h.WithHeaders("PRIVATE-TOKEN", got.Token).Send("GET", "/user", ""), 401,
		`{"error":"invalid_token","error_description":"Token is an impersonation token but impersonation was `+
			`disabled.","message":"401 Unauthorized"}`)
	on := harness.NewOnStore(t, h.Store)
	expect(t, on.WithHeaders("PRIVATE-TOKEN", got.Token).Send("GET", "/user", ""), 403,
		`{"message":"403 Forbidden - Your account has been blocked."}`)
}
