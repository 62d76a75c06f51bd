package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/store/model"
	"svc/tests/harness"
)

func TestAGroupHasAccessTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	low := h.Group(at("low"), in(group))
	h.Project(low.ID, called("web", model.Private))
	owner, maintainer := h.Member(group, model.Owner), h.Member(group, model.Maintainer)
	const path = "/groups/acme/access_tokens"
	created := owner.JSON("POST", path, `{"name":"ci","scopes":["api","read_observability"],"access_level":50}`)
	got := read[resourceToken](t, created, 201)
	h.Golden("createGroupAccessToken/owner", withoutVolatile(created.Body, got))
	one := fmt.Sprintf("%s/%d", path, got.ID)
	shown := owner.Send("GET", one, "")
	h.Golden("getGroupAccessToken/owner", withoutVolatile(shown.Body, got))
	expect(t, owner.Send("GET", path, ""), 200, "["+shown.Body+"]")
	expect(t, maintainer.Send("GET", path, ""), 403, "")
	expect(t, owner.JSON("POST", path, `{"name":"ci","scopes":["read_user"]}`), 400, `{"error":"scopes does not have a valid value"}`)
	expect(t, owner.Send("GET", path+"/999999", ""), 404,
		`{"message":"404 Could not find group access token with token_id: 999999 Not Found"}`)

	ci := h.WithHeaders("PRIVATE-TOKEN", got.Token)
	me := ci.Send("GET", "/user", "")
	if name := fmt.Sprint(member(t, me, "username")); !strings.HasPrefix(name, fmt.Sprintf("group_%d_bot_", group.ID)) {
		t.Error(name)
	}
	expect(t, ci.JSON("PUT", "/projects/acme%2Flow%2Fweb", `{"description":"by a bot"}`), 200, "")
	expect(t, ci.JSON("POST", "/projects", fmt.Sprintf(`{"name":"fresh","namespace_id":%d}`, low.ID)), 201, "")
	expect(t, ci.JSON("POST", "/groups", fmt.Sprintf(`{"name":"new","path":"sub","parent_id":%d}`, group.ID)), 201, "")
	expect(t, ci.JSON("POST", path, `{"name":"more","scopes":["api"]}`), 403, "")
	expect(t, ci.JSON("POST", "/projects/acme%2Flow%2Fweb/access_tokens", `{"name":"more","scopes":["api"]}`), 403, "")

	listed := owner.Send("GET", "/groups/acme/members", "")
	if !strings.Contains(listed.Body, fmt.Sprintf(`"username":"group_%d_bot_`, group.ID)) ||
		!strings.Contains(listed.Body, `"expires_at":"`+inDays(365)+`"`) {
		t.Errorf("the bot is no member until its token ends: %s", listed.Body)
	}
	// A bot does not count as an owner of the group.
	expect(t, owner.Send("DELETE", fmt.Sprintf("/groups/acme/members/%d", owner.User.ID), ""), 403, "")
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("/users/%d", owner.User.ID), ""), 409, "")
	rotated := read[resourceToken](t, owner.JSON("POST", one+"/rotate", `{"expires_at":"`+inDays(9)+`"}`), 200)
	if rotated.UserID != got.UserID || *rotated.AccessLevel != 50 || rotated.ExpiresAt != inDays(9) || rotated.Name != "ci" {
		t.Errorf("%+v", rotated)
	}
	if listed := owner.Send("GET", fmt.Sprintf("/groups/acme/members/%d", got.UserID), ""); member(t, listed, "expires_at") != inDays(9) {
		t.Errorf("the role does not end with the new token: %s", listed.Body)
	}
	expect(t, ci.Send("GET", "/user", ""), 401, wasRevoked)
	self := h.WithHeaders("PRIVATE-TOKEN",
		read[resourceToken](t, h.WithHeaders("PRIVATE-TOKEN", rotated.Token).JSON("POST", path+"/self/rotate",
			`{"expires_at":"`+inDays(8)+`"}`), 200).Token)
	expect(t, self.Send("GET", "/groups/acme", ""), 200, "")
	expect(t, self.Send("DELETE", personalTokens+"/self", ""), 204, "")
	expect(t, self.Send("GET", "/groups/acme", ""), 401, unauthorized)
	if _, err := h.Store.Users.Get(t.Context(), got.UserID); err == nil {
		t.Error("the bot is still there")
	}
	next := read[resourceToken](t, owner.JSON("POST", path, `{"name":"x","scopes":["api"]}`), 201)
	expect(t, owner.Send("DELETE", fmt.Sprintf("%s/%d", path, next.ID), ""), 204, "")
	expect(t, ci.Send("GET", "/groups/acme", ""), 401, unauthorized) // the bot is deleted
}

func TestABotRotatesOnlyItself(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	h.Project(group.ID, called("web", model.Private))
	h.Project(group.ID, called("open", model.Private))
	owner := h.Member(group, model.Owner)
	guest, _ := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"guest","scopes":["api"],"access_level":10}`)
	keeper, kept := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"keeper","scopes":["api"]}`)
	other, _ := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"other","scopes":["api"]}`)
	of, _ := bot(t, h, owner, "/groups/acme", `{"name":"of the group","scopes":["api"]}`)
	const self = "/projects/acme%2Fweb/access_tokens/self/rotate"
	one := fmt.Sprintf("/projects/acme%%2Fweb/access_tokens/%d", kept.ID)
	expect(t, other.JSON("POST", one+"/rotate", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, guest.JSON("POST", one+"/rotate", ""), 403, "")
	expect(t, owner.JSON("POST", self, ""), 405, `{"message":"405 Method Not Allowed"}`)
	expect(t, of.JSON("POST", self, ""), 401, unauthorized)
	expect(t, guest.JSON("POST", "/projects/acme%2Fopen/access_tokens/self/rotate", ""), 404, "")
	expect(t, guest.JSON("POST", self, `{"expires_at":"`+inDays(-1)+`"}`), 400,
		`{"message":"400 Bad request - Expires at must be in the future"}`)
	// With sudo the token is the administrator's, not the bot's.
	expect(t, h.Root().Send("POST", self, "", "Sudo", fmt.Sprint(kept.UserID)), 401, unauthorized)
	cookie, csrf := session(t, h, owner.User, time.Now().Add(time.Hour))
	expect(t, h.WithHeaders("Cookie", cookie, "X-CSRF-Token", csrf).JSON("POST", self, ""), 405, "")
	next := read[resourceToken](t, guest.JSON("POST", self, `{"expires_at":"`+inDays(8)+`"}`), 200)
	if *next.AccessLevel != 10 || next.ExpiresAt != inDays(8) {
		t.Errorf("%+v", next)
	}
	heir := h.WithHeaders("PRIVATE-TOKEN", next.Token)
	expect(t, heir.Send("GET", "/projects/acme%2Fweb", ""), 200, "")
	// Rotating the old token again revokes the whole family.
	expect(t, guest.JSON("POST", self, ""), 401, wasRevoked)
	expect(t, heir.Send("GET", "/projects/acme%2Fweb", ""), 401, wasRevoked)
	expect(t, keeper.JSON("POST", one+"/rotate", `{"expires_at":"`+inDays(8)+`"}`), 200, "") // a bot may rotate its own token by id
	expect(t, owner.JSON("POST", one+"/rotate", ""), 401, `{"message":"401 Unauthorized - token already revoked"}`)
	expect(t, owner.Send("DELETE", one, ""), 400, `{"message":"400 Bad request - token already revoked"}`)
	late, row := bot(t, h, owner, "/projects/acme%2Fweb", `{"name":"late","scopes":["api"]}`)
	past := "UPDATE personal_access_tokens SET expires_at = '" + inDays(-1) + "T00:00:00Z' WHERE id = " + fmt.Sprint(row.ID)
	if _, err := h.Store.SQL().ExecContext(t.Context(), past); err != nil {
		t.Fatal(err)
	}
	expect(t, late.Send("GET", "/user", ""), 401,
		`{"error":"invalid_token","error_description":"Token is expired. You can either do re-authorization or token `+
			`refresh.","message":"401 Unauthorized"}`)
	expect(t, owner.JSON("POST", fmt.Sprintf("/projects/acme%%2Fweb/access_tokens/%d/rotate", row.ID), ""), 401,
		`{"message":"401 Unauthorized - token already expired"}`)
}

func TestABotManagesItsTokenAsAPersonalAccessToken(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner := h.Member(h.Group(at("acme")), model.Owner)
	ci, row := bot(t, h, owner, "/groups/acme", `{"name":"ci","scopes":["api"]}`)
	one := fmt.Sprintf("%s/%d", personalTokens, row.ID)
	expect(t, ci.Send("GET", one, ""), 200, ci.Send("GET", personalTokens+"/self", "").Body)
	if got := read[[]newToken](t, ci.Send("GET", personalTokens, ""), 200); len(got) != 1 || got[0].UserID != row.UserID {
		t.Errorf("%+v", got)
	}
	expect(t, owner.Send("GET", one, ""), 401, unauthorized) // the token is managed through the group only
	expect(t, owner.Send("DELETE", one, ""), 401, unauthorized)
	next := read[newToken](t, ci.JSON("POST", one+"/rotate", ""), 200)
	ci = h.WithHeaders("PRIVATE-TOKEN", next.Token)
	expect(t, ci.Send("DELETE", fmt.Sprintf("%s/%d", personalTokens, next.ID), ""), 204, "")
	expect(t, ci.Send("GET", "/user", ""), 401, unauthorized)
	expect(t, owner.Send("GET", "/groups/acme/access_tokens", ""), 200, "[]")
	_, row = bot(t, h, owner, "/groups/acme", `{"name":"ci","scopes":["api"]}`)
	expect(t, h.Root().Send("DELETE", fmt.Sprintf("%s/%d", personalTokens, row.ID), ""), 204, "")
	if _, err := h.Store.Users.Get(t.Context(), row.UserID); err == nil {
		t.Error("the bot is still there")
	}
}

func TestTokensAreDeletedWithTheirGroupOrProject(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	low := h.Group(at("low"), in(group))
	h.Project(low.ID, called("web", model.Private))
	h.Project(group.ID, called("alone", model.Private))
	owner := h.Member(group, model.Owner)
	ann := h.NewUser(named("ann"))
	expect(t, ann.JSON("POST", "/projects", `{"name":"own"}`), 201, "")
	tokens := map[string]*harness.Caller{}
	for _, path := range []string{
		"/groups/acme", "/groups/acme%2Flow", "/projects/acme%2Flow%2Fweb", "/projects/acme%2Falone",
		"/projects/ann%2Fown",
	} {
		maker := owner
		if strings.Contains(path, "ann") {
			maker = ann
		}
		tokens[path], _ = bot(t, h, maker, path, `{"name":"ci","scopes":["api"]}`)
		expect(t, maker.JSON("POST", path+"/deploy_tokens", `{"name":"d","scopes":["read_repository"]}`), 201, "")
	}
	good := func(want ...string) {
		t.Helper()
		for path, c := range tokens {
			status := 401
			for _, w := range want {
				if w == path {
					status = 200
				}
			}
			if got := c.Send("GET", "/user", ""); got.Status != status {
				t.Errorf("%s: answered %d %s, want %d", path, got.Status, got.Body, status)
			}
		}
		if got := h.Root().Send("GET", "/deploy_tokens", "").Header.Get("X-Total"); got != fmt.Sprint(len(want)) {
			t.Errorf("%s deploy tokens are left, want %d", got, len(want))
		}
	}
	good("/groups/acme", "/groups/acme%2Flow", "/projects/acme%2Flow%2Fweb", "/projects/acme%2Falone", "/projects/ann%2Fown")
	expect(t, owner.Send("DELETE", "/projects/acme%2Falone", ""), 202, "")
	good("/groups/acme", "/groups/acme%2Flow", "/projects/acme%2Flow%2Fweb", "/projects/ann%2Fown")
	expect(t, owner.Send("DELETE", "/groups/acme%2Flow", ""), 202, "")
	good("/groups/acme", "/projects/ann%2Fown")
	if err := h.Store.Users.Remove(t.Context(), ann.User.ID); err != nil {
		t.Fatal(err)
	}
	good("/groups/acme")
	expect(t, owner.Send("DELETE", "/groups/acme", ""), 202, "")
	good()
	if got := h.Root().Send("GET", "/users", ""); strings.Contains(got.Body, "_bot_") {
		t.Errorf("a bot was left over: %s", got.Body)
	}
}
