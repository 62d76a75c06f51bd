package api

import (
	"fmt"
	"strings"
	"testing"

	"svc/server/platform/access"
	"svc/server/platform/config"
	"svc/store/model"
	"svc/store/storetest"
	"svc/tests/harness"
)

func TestAdministratorsCreateTokensForUsers(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root, u := h.Root(), h.NewUser()
	path := fmt.Sprintf("/users/%d/personal_access_tokens", u.User.ID)
	for _, c := range []struct {
		name, body, scopes, expires string
		form                        bool
	}{
		{"a list", `{"name":"ci","scopes":["api","read_user"]}`, "api read_user", inDays(365), false},
		{"one text", `{"name":"ci","scopes":"api, read_user"}`, "api read_user", inDays(365), false},
		{"twice", `{"name":"ci","scopes":["api","api"]}`, "api", inDays(365), false},
		{"a day", `{"name":"ci","scopes":["api"],"expires_at":"` + inDays(1) + `"}`, "api", inDays(1), false},
		{"no day", `{"name":"ci","scopes":["api"],"expires_at":null,"description":"for CI"}`, "api", inDays(365), false},
		{"a form", "name=ci&scopes[]=api&scopes[]=k8s_proxy&expires_at=", "api k8s_proxy", inDays(365), true},
		{"a form with commas", "name=ci&scopes=api,k8s_proxy&expires_at=" + inDays(365), "api k8s_proxy", inDays(365), true},
	} {
		send := root.JSON
		if c.form {
			send = root.Form
		}
		got := read[newToken](t, send("POST", path, c.body), 201)
		if strings.Join(got.Scopes, " ") != c.scopes || got.ExpiresAt != c.expires || got.Name != "ci" || got.UserID != u.User.ID {
			t.Errorf("%s: %+v", c.name, got)
		}
		expect(t, h.WithHeaders("PRIVATE-TOKEN", got.Token).Send("GET", personalTokens+"/self", ""), 200, "")
		shown := root.Send("GET", fmt.Sprintf("%s/%d", personalTokens, got.ID), "")
		if strings.Contains(shown.Body, got.Token) || strings.Contains(h.Logs.String(), got.Token) {
			t.Errorf("%s: the secret is shown again", c.name)
		}
	}
	own := fmt.Sprintf("/users/%d/personal_access_tokens", root.User.ID)
	expect(t, root.JSON("POST", own, `{"name":"all","scopes":["sudo","admin_mode","read_service_ping"]}`), 201, "")
}

func TestInvalidTokensAreNotCreated(t *testing.T) {
	t.Parallel()
	h := harness.New(t, func(c *config.Config) { c.MaxTokenLifetime = 30 })
	root, u := h.Root(), h.NewUser()
	path := fmt.Sprintf("/users/%d/personal_access_tokens", u.User.ID)
	long := strings.Repeat("é", 256)
	for _, c := range []struct {
		body   string
		status int
		want   string
	}{
		{`{}`, 400, `{"error":"name is missing, scopes is missing"}`},
		{`{"scopes":["api"]}`, 400, `{"error":"name is missing"}`},
		{`{"name":"","scopes":["api"]}`, 400, `{"error":"name is empty"}`},
		{`{"name":"x","scopes":[]}`, 400, `{"error":"scopes is empty"}`},
		{`{"name":"x","scopes":"everything"}`, 400, `{"error":"scopes does not have a valid value"}`},
		{`{"name":"x","scopes":["api","openid"]}`, 400, `{"error":"scopes does not have a valid value"}`},
		{`{"name":"x","scopes":["api"],"expires_at":"soon"}`, 400, `{"error":"expires_at is invalid"}`},
		{`{"name":"x","scopes":["api"],"expires_at":"2030-02-30"}`, 400, `{"error":"expires_at is invalid"}`},
		{`{"name":" ","scopes":["api"]}`, 422, `{"message":"Name can't be blank"}`},
		{`{"name":"` + long + `","scopes":["api"]}`, 422, `{"message":"Name is too long (maximum is 255 characters)"}`},
		{
			`{"name":"x","scopes":["api"],"description":"` + long + `"}`, 422,
			`{"message":"Description is too long (maximum is 255 characters)"}`,
		},
		{`{"name":"x","scopes":["api","sudo"]}`, 422, `{"message":"Scopes can only contain available scopes"}`},
		{`{"name":"x","scopes":["admin_mode"]}`, 422, `{"message":"Scopes can only contain available scopes"}`},
		{`{"name":"x","scopes":["read_service_ping"]}`, 422, `{"message":"Scopes can only contain available scopes"}`},
		{`{"name":"x","scopes":["api"],"expires_at":"` + inDays(-1) + `"}`, 422, `{"message":"Expires at must be in the future"}`},
		{`{"name":"x","scopes":["api"],"expires_at":"` + inDays(-1) + `"}`, 422, `{"message":"Expires at must be in the future"}`},
		{
			`{"name":"x","scopes":["api"],"expires_at":"` + inDays(31) + `"}`, 422,
			`{"message":"Expires at must not be after ` + inDays(30) + `"}`,
		},
		{
			`{"name":" ","scopes":["sudo"],"expires_at":"1999-01-01"}`, 422,
			`{"message":"Name can't be blank, Scopes can only contain available scopes and Expires at must be in the future"}`,
		},
	} {
		expect(t, root.JSON("POST", path, c.body), c.status, c.want)
	}
	good := `{"name":"x","scopes":["api"]}`
	expect(t, u.JSON("POST", path, good), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().JSON("POST", path, good), 401, unauthorized)
	expect(t, root.JSON("POST", "/users/999999/personal_access_tokens", good), 404, `{"message":"404 User Not Found"}`)
	expect(t, root.JSON("POST", "/users/jane/personal_access_tokens", good), 404, `{"error":"404 Not Found"}`)
	bot := storetest.User(t, h.Store, func(u *model.User) { u.Kind = "project_bot" })
	expect(t, root.JSON("POST", fmt.Sprintf("/users/%d/personal_access_tokens", bot.ID), good), 422,
		`{"message":"Not permitted to create"}`)
	if got := read[[]newToken](t, u.Send("GET", personalTokens, ""), 200); len(got) != 1 {
		t.Errorf("there are %d tokens, want the first one only", len(got))
	}
	if got := read[newToken](t, root.JSON("POST", path, good), 201); got.ExpiresAt != inDays(30) {
		t.Errorf("it ends on %s", got.ExpiresAt)
	}
}

func TestUsersCreateOnlyClusterTokensThroughTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	const path = "/user/personal_access_tokens"
	got := read[newToken](t, u.JSON("POST", path, `{"name":"cluster","scopes":["k8s_proxy"]}`), 201)
	if got.ExpiresAt != inDays(1) || got.UserID != u.User.ID || got.Token == "" {
		t.Errorf("%+v", got)
	}
	expect(t, h.WithHeaders("PRIVATE-TOKEN", got.Token).Send("GET", "/user", ""), 403, "")
	expect(t, u.Form("POST", path, "name=x&scopes=k8s_proxy&expires_at="+inDays(365)), 201, "")
	for _, scopes := range []string{`["api"]`, `["k8s_proxy","api"]`, `"sudo"`} {
		expect(t, u.JSON("POST", path, `{"name":"x","scopes":`+scopes+`}`), 400, `{"error":"scopes does not have a valid value"}`)
		expect(t, h.Root().JSON("POST", path, `{"name":"x","scopes":`+scopes+`}`), 400, "")
	}
	expect(t, u.JSON("POST", path, `{"name":"x","scopes":["k8s_proxy"],"expires_at":"`+inDays(366)+`"}`), 422,
		`{"message":"Expires at must not be after `+inDays(365)+`"}`)
	expect(t, u.JSON("POST", path, `{"name":"x","scopes":["k8s_proxy"],"expires_at":"`+inDays(-1)+`"}`), 422,
		`{"message":"Expires at must be in the future"}`)
	expect(t, h.Anonymous().JSON("POST", path, `{"name":"x","scopes":["k8s_proxy"]}`), 401, unauthorized)
}

func TestTheDocumentNamesEveryScopeOfAToken(t *testing.T) {
	t.Parallel()
	var got []string
	for _, scope := range harness.Doc().Components.Schemas["TokenScope"].Value.Enum {
		got = append(got, fmt.Sprint(scope))
	}
	if strings.Join(got, " ") != strings.Join(access.Scopes, " ") {
		t.Errorf("the document has %v, tokens may carry %v", got, access.Scopes)
	}
}
