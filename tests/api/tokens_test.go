package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

const (
	personalTokens = "/personal_access_tokens"
	unauthorized   = `{"message":"401 Unauthorized"}`
	notFound       = `{"message":"404 Not Found"}`
	wasRevoked     = `{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize from ` +
		`the user.","message":"401 Unauthorized"}`
)

// tokenID returns the id of a caller's token.
func tokenID(t *testing.T, h *harness.H, c *harness.Caller) int64 {
	t.Helper()
	use, err := h.Store.Tokens.FindByDigest(t.Context(), secret.Digest(c.Token), nil)
	if err != nil {
		t.Fatal(err)
	}
	return use.ID
}

func tokenPath(t *testing.T, h *harness.H, c *harness.Caller) string {
	t.Helper()
	return fmt.Sprintf("%s/%d", personalTokens, tokenID(t, h, c))
}

// inDays returns the date n days from now.
func inDays(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format(time.DateOnly) }

// newToken is a new token in a response.
type newToken struct {
	ID            int64    `json:"id"`
	Name          string   `json:"name"`
	Scopes        []string `json:"scopes"`
	UserID        int64    `json:"user_id"`
	ExpiresAt     string   `json:"expires_at"`
	Token         string   `json:"token"`
	Impersonation bool     `json:"impersonation"`
}

func read[T any](t *testing.T, got harness.Answer, status int) T {
	t.Helper()
	expect(t, got, status, "")
	var out T
	if err := json.Unmarshal([]byte(got.Body), &out); err != nil {
		t.Fatalf("%v: %s", err, got.Body)
	}
	return out
}

func TestATokenShowsAndRevokesItself(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	other := h.WithToken(u.User, "read_user", func(p *model.PersonalAccessToken) { p.Name = "laptop" })
	h.Golden("getPersonalAccessTokenSelf/active", other.Send("GET", "/personal_access_tokens/self", "").Body)
	expect(t, other.Send("DELETE", "/personal_access_tokens/self", ""), 204, "")
	expect(t, other.Send("GET", "/personal_access_tokens/self", ""), 401,
		`{"error":"invalid_token","error_description":"Token was revoked. You have to re-authorize from the user.",`+
			`"message":"401 Unauthorized"}`)
	expect(t, u.Send("GET", "/user", ""), 200, "")
	expect(t, h.Anonymous().Send("GET", "/personal_access_tokens/self", ""), 401, "")
	expect(t, h.Anonymous().Send("DELETE", "/personal_access_tokens/self", ""), 401, "")
}

func TestUsersListTheirTokensAndAdministratorsAll(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u, other := h.Root(), h.NewUser(), h.NewUser()
	h.WithToken(u.User, "read_user", func(p *model.PersonalAccessToken) { p.Name, p.Revoked = "old laptop", true })
	h.WithToken(u.User, "api", func(p *model.PersonalAccessToken) { p.Name, p.Impersonation = "as", true })
	names := func(c *harness.Caller, query string) string {
		t.Helper()
		var out []string
		for _, row := range read[[]newToken](t, c.Send("GET", personalTokens+query, ""), 200) {
			out = append(out, row.Name)
		}
		return strings.Join(out, ", ")
	}
	for _, c := range []struct {
		caller      *harness.Caller
		query, want string
	}{
		{u, "", "test, old laptop"},
		{u, fmt.Sprintf("?user_id=%d", u.User.ID), "test, old laptop"},
		{u, "?state=active", "test"},
		{u, "?state=inactive", "old laptop"},
		{u, "?revoked=1", "old laptop"},
		{u, "?search=LAP", "old laptop"},
		{u, "?sort=name_asc", "old laptop, test"},
		{u, "?created_after=2020-01-01", "test, old laptop"},
		{u, "?created_before=2020-01-01T00:00:00Z", ""},
		{u, "?last_used_after=2020-01-01", ""},
		{u, "?last_used_before=2020-01-01", ""},
		{other, "", "test"},
		{root, "", "test, test, test, old laptop"},
		{root, fmt.Sprintf("?user_id=%d", u.User.ID), "test, old laptop"},
		{root, "?user_id=999999", ""},
	} {
		if got := names(c.caller, c.query); got != c.want {
			t.Errorf("%s%s: %s, want %s", c.caller.User.Username, c.query, got, c.want)
		}
	}
	for _, id := range []int64{other.User.ID, root.User.ID, 999999} {
		expect(t, u.Send("GET", fmt.Sprintf("%s?user_id=%d", personalTokens, id), ""), 401, unauthorized)
	}
	for query, want := range map[string]string{
		"state=dead":              "state does not have a valid value",
		"sort=id;DROP":            "sort does not have a valid value",
		"revoked=maybe":           "revoked is invalid",
		"user_id=me":              "user_id is invalid",
		"created_after=yesterday": "created_after is invalid",
	} {
		expect(t, u.Send("GET", personalTokens+"?"+query, ""), 400, `{"error":"`+want+`"}`)
	}
	expect(t, u.Send("GET", personalTokens+"?pagination=keyset", ""), 405, "")
	expect(t, h.Anonymous().Send("GET", personalTokens, ""), 401, unauthorized)
	page := root.Send("GET", personalTokens+"?per_page=2&page=2", "")
	if page.Header.Get("X-Total") != "4" || page.Header.Get("X-Prev-Page") != "1" {
		t.Errorf("headers %v", page.Header)
	}
	before := h.Store.Statements()
	expect(t, u.Send("GET", personalTokens, ""), 200, "")
	if n := h.Store.Statements() - before; n != 2 {
		t.Errorf("the list took %d statements, want 2", n)
	}
}

func TestATokenIsShownToItsOwnerAndAdministrators(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u, other := h.Root(), h.NewUser(), h.NewUser()
	path := tokenPath(t, h, u)
	shown := u.Send("GET", path, "")
	expect(t, shown, 200, u.Send("GET", personalTokens+"/self", "").Body)
	expect(t, root.Send("GET", path, ""), 200, shown.Body)
	expect(t, other.Send("GET", path, ""), 401, unauthorized)
	expect(t, u.Send("GET", personalTokens+"/999999", ""), 401, unauthorized)
	expect(t, root.Send("GET", personalTokens+"/999999", ""), 404, notFound)
	expect(t, u.Send("GET", personalTokens+"/other", ""), 404, `{"error":"404 Not Found"}`)
	as := tokenPath(t, h, h.WithToken(u.User, "api", func(p *model.PersonalAccessToken) { p.Impersonation = true }))
	expect(t, u.Send("GET", as, ""), 401, unauthorized)
	expect(t, root.Send("GET", as, ""), 404, notFound)
	expect(t, h.Anonymous().Send("GET", path, ""), 401, unauthorized)
	expect(t, h.WithToken(u.User, "read_api").Send("GET", path, ""), 200, "")
	expect(t, h.WithToken(u.User, "read_user").Send("GET", path, ""), 403, "")
}

func TestATokenIsRevokedByItsOwnerOrAnAdministrator(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u, other := h.Root(), h.NewUser(), h.NewUser()
	first, second := h.WithToken(u.User, "api"), h.WithToken(u.User, "api")
	path := tokenPath(t, h, first)
	expect(t, other.Send("DELETE", path, ""), 401, unauthorized)
	expect(t, h.Anonymous().Send("DELETE", path, ""), 401, unauthorized)
	expect(t, h.WithToken(u.User, "read_api").Send("DELETE", path, ""), 403, "")
	before := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	expect(t, u.Send("DELETE", path, "", "If-Unmodified-Since", before), 412, `{"message":"412 Precondition Failed"}`)
	expect(t, first.Send("GET", "/user", ""), 200, "")
	expect(t, u.Send("DELETE", path, ""), 204, "")
	expect(t, first.Send("GET", "/user", ""), 401, wasRevoked)
	expect(t, u.Send("DELETE", path, ""), 400, `{"message":"400 Bad request - token already revoked"}`)
	expect(t, root.Send("DELETE", tokenPath(t, h, second), ""), 204, "")
	expect(t, second.Send("GET", "/user", ""), 401, wasRevoked)
	expect(t, u.Send("DELETE", personalTokens+"/999999", ""), 401, unauthorized)
	expect(t, root.Send("DELETE", personalTokens+"/999999", ""), 404, notFound)
	expect(t, u.Send("DELETE", tokenPath(t, h, u), ""), 204, "")
	expect(t, u.Send("GET", "/user", ""), 401, wasRevoked)
}
