package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/store/model"
	"svc/tests/harness"
)

func TestATokenIsRotated(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u, other := h.Root(), h.NewUser(), h.NewUser()
	old := h.WithToken(u.User, "api read_user", func(p *model.PersonalAccessToken) { p.Name = "laptop" })
	path := tokenPath(t, h, old) + "/rotate"
	expect(t, other.JSON("POST", path, ""), 401, unauthorized)
	for body, want := range map[string]string{
		`{"expires_at":"` + inDays(-1) + `"}`:  `{"message":"400 Bad request - Expires at must be in the future"}`,
		`{"expires_at":"` + inDays(0) + `"}`:   `{"message":"400 Bad request - Expires at must be in the future"}`,
		`{"expires_at":"` + inDays(366) + `"}`: `{"message":"400 Bad request - Expires at must not be after ` + inDays(365) + `"}`,
		`{"expires_at":"2026-02-30"}`:          `{"error":"expires_at is invalid"}`,
		`{"expires_at":"soon"}`:                `{"error":"expires_at is invalid"}`,
		`{"expires_at":7}`:                     ``,
	} {
		expect(t, u.JSON("POST", path, body), 400, want)
	}
	expect(t, old.Send("GET", "/user", ""), 200, "") // the refused requests changed nothing
	rotated := read[newToken](t, u.JSON("POST", path, `{"expires_at":"`+inDays(30)+`"}`), 200)
	if rotated.Name != "laptop" || rotated.UserID != u.User.ID || rotated.ExpiresAt != inDays(30) ||
		strings.Join(rotated.Scopes, " ") != "api read_user" {
		t.Errorf("%+v", rotated)
	}
	expect(t, old.Send("GET", "/user", ""), 401, wasRevoked)
	next := h.WithHeaders("PRIVATE-TOKEN", rotated.Token)
	expect(t, next.Send("GET", "/user", ""), 200, "")
	again := read[newToken](t, next.Form("POST", personalTokens+"/self/rotate", "expires_at="+inDays(365)), 200)
	if again.ExpiresAt != inDays(365) {
		t.Errorf("%+v", again)
	}
	expect(t, next.Send("GET", "/user", ""), 401, wasRevoked)
	byRoot := read[newToken](t, root.JSON("POST", fmt.Sprintf("%s/%d/rotate", personalTokens, again.ID), `{"expires_at":null}`), 200)
	if byRoot.UserID != u.User.ID || byRoot.Token == "" {
		t.Errorf("%+v", byRoot)
	}
	if strings.Contains(h.Logs.String(), byRoot.Token) {
		t.Error("the token is in the log")
	}
	expect(t, root.JSON("POST", personalTokens+"/999999/rotate", ""), 404, notFound)
	expect(t, u.JSON("POST", personalTokens+"/999999/rotate", ""), 401, unauthorized)
	expect(t, h.WithToken(u.User, "read_api").JSON("POST", personalTokens+"/self/rotate", ""), 403, "")
	yesterday := time.Now().AddDate(0, 0, -1)
	expired := h.WithToken(u.User, "api", func(p *model.PersonalAccessToken) { p.ExpiresAt = &yesterday })
	expect(t, u.JSON("POST", tokenPath(t, h, expired)+"/rotate", ""), 401, `{"message":"401 Unauthorized - token already expired"}`)
}

func TestOnlyPersonalAccessTokensAreRotated(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxTokenLifetime = 3 })
	u := h.NewUser()
	as := h.WithToken(u.User, "api", func(p *model.PersonalAccessToken) { p.Impersonation = true })
	const not = `{"message":"405 Method Not Allowed"}`
	expect(t, as.JSON("POST", personalTokens+"/self/rotate", ""), 405, not)
	expect(t, h.Root().JSON("POST", tokenPath(t, h, as)+"/rotate", ""), 405, not)
	expect(t, u.JSON("POST", tokenPath(t, h, as)+"/rotate", ""), 401, unauthorized)
	cookie, csrf := session(t, h, u.User, time.Now().Add(time.Hour))
	expect(t, h.WithHeaders("Cookie", cookie, "X-CSRF-Token", csrf).JSON("POST", personalTokens+"/self/rotate", ""), 405, not)
	if got := read[newToken](t, u.JSON("POST", personalTokens+"/self/rotate", ""), 200); got.ExpiresAt != inDays(3) {
		t.Errorf("a week is longer than the lifetime, but %+v", got)
	}
}

func TestRotatingARevokedTokenRevokesItsFamily(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u, other := h.NewUser(), h.NewUser()
	// Rotated by id, with another token of the owner.
	old := h.WithToken(u.User, "api")
	path := tokenPath(t, h, old) + "/rotate"
	first := read[newToken](t, old.JSON("POST", personalTokens+"/self/rotate", `{"expires_at":"`+inDays(30)+`"}`), 200)
	next := h.WithHeaders("PRIVATE-TOKEN", first.Token)
	last := h.WithHeaders("PRIVATE-TOKEN", read[newToken](t, next.JSON("POST", personalTokens+"/self/rotate", ""), 200).Token)
	expect(t, other.JSON("POST", path, ""), 401, unauthorized) // a caller who may not rotate it revokes nothing
	expect(t, old.Send("GET", "/user", ""), 401, wasRevoked)   // nor does using the old token for something else
	expect(t, last.Send("GET", "/user", ""), 200, "")
	expect(t, u.JSON("POST", path, ""), 401, `{"message":"401 Unauthorized - token already revoked"}`)
	expect(t, last.Send("GET", "/user", ""), 401, wasRevoked)
	expect(t, u.Send("GET", "/user", ""), 200, "")
	// Rotated with the revoked token itself, as a thief would.
	stolen := h.WithToken(u.User, "api")
	heir := h.WithHeaders("PRIVATE-TOKEN", read[newToken](t, stolen.JSON("POST", personalTokens+"/self/rotate", ""), 200).Token)
	expect(t, heir.Send("GET", "/user", ""), 200, "")
	expect(t, stolen.JSON("POST", personalTokens+"/self/rotate", ""), 401, wasRevoked)
	expect(t, heir.Send("GET", "/user", ""), 401, wasRevoked)
	expect(t, h.WithHeaders("PRIVATE-TOKEN", "unknown").JSON("POST", personalTokens+"/self/rotate", ""), 401, unauthorized)
}

func TestOneOfTwoConcurrentRotationsSucceedsAndTheFamilyIsRevoked(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	for round := range 5 {
		old := h.WithToken(u.User, "api")
		paths := []string{tokenPath(t, h, old) + "/rotate", personalTokens + "/self/rotate"}
		callers := []*harness.Caller{u, old} // another token of the user, and the token itself
		if round%2 == 1 {
			callers[0], paths[0] = old, paths[1]
		}
		answers := make(chan harness.Answer)
		for i := range 2 {
			go func() { answers <- callers[i].JSON("POST", paths[i], "") }()
		}
		var winners []string
		for range 2 {
			switch got := <-answers; got.Status {
			case 200:
				winners = append(winners, got.Body)
			case 401:
			default:
				t.Errorf("answered %d %s", got.Status, got.Body)
			}
		}
		if len(winners) != 1 {
			t.Fatalf("%d of 2 rotations won", len(winners))
		}
		var won newToken
		if err := json.Unmarshal([]byte(winners[0]), &won); err != nil {
			t.Fatal(err)
		}
		expect(t, h.WithHeaders("PRIVATE-TOKEN", won.Token).Send("GET", "/user", ""), 401, wasRevoked)
	}
	expect(t, u.Send("GET", "/user", ""), 200, "")
}
