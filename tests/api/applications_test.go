package api

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"svc/tests/harness"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func TestApplicationsAreListedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	expect(t, root.Send("GET", "/applications", ""), 200, `[]`)
	a, other := newApp(h), newApp(h)
	if len(a.UID) != 64 || !strings.HasPrefix(a.Secret, "svcoas-") {
		t.Errorf("%+v", a)
	}
	list := root.Send("GET", "/applications", "")
	if strings.Contains(list.Body, "secret") || !strings.Contains(list.Body, a.UID) ||
		!strings.Contains(list.Body, other.UID) {
		t.Errorf("%s", list.Body)
	}
	var rows []map[string]any
	if err := json.Unmarshal([]byte(list.Body), &rows); err != nil || len(rows) != 2 {
		t.Fatalf("%s", list.Body)
	}
	if got := root.Send("GET", "/applications?per_page=1", ""); got.Header.Get("X-Total") != "2" || got.Header.Get("X-Next-Page") != "2" {
		t.Errorf("%v", got.Header)
	}
	expect(t, root.Send("DELETE", "/applications/"+itoa(a.ID), ""), 204, "")
	expect(t, root.Send("DELETE", "/applications/"+itoa(a.ID), ""), 404, `{"message":"404 Application Not Found"}`)
	expect(t, root.Send("POST", "/applications/"+itoa(a.ID)+"/renew-secret", ""), 404,
		`{"message":"404 Application Not Found"}`)
	expect(t, h.NewUser().Send("GET", "/applications", ""), 403, `{"message":"403 Forbidden"}`)
	expect(t, h.Anonymous().Send("GET", "/applications", ""), 401, `{"message":"401 Unauthorized"}`)
}

// A new secret replaces the old one at once. Existing tokens stay valid.
func TestTheSecretOfAnApplicationIsRenewed(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p, a := newPerson(h), newApp(h)
	pair := tokens(t, a.redeem(p.code(t, a)))
	renewed := h.Root().Send("POST", "/applications/"+itoa(a.ID)+"/renew-secret", "")
	secret, _ := member(t, renewed, "secret").(string)
	if renewed.Status != 201 || secret == a.Secret || member(t, renewed, "application_id") != a.UID {
		t.Fatalf("%d %s", renewed.Status, renewed.Body)
	}
	expectOAuthError(t, a.refresh(pair.RefreshToken), 401, "invalid_client")
	a.Secret = secret
	if !tokenIsValid(h, pair.AccessToken) || !tokenIsValid(h, tokens(t, a.refresh(pair.RefreshToken)).AccessToken) {
		t.Error("the tokens have ended with the secret")
	}
}

func TestInvalidApplicationsAreRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	make := func(name, uri, scopes string) harness.Answer {
		body, err := json.Marshal(map[string]string{"name": name, "redirect_uri": uri, "scopes": scopes})
		if err != nil {
			t.Fatal(err)
		}
		return root.JSON("POST", "/applications", string(body))
	}
	expect(t, root.JSON("POST", "/applications", `{}`), 400, `{"error":"name is missing, redirect_uri is missing, scopes is missing"}`)
	expect(t, make("x", callback, ""), 400, `{"error":"scopes is empty"}`)
	expect(t, make("x", callback, " "), 400, `{"message":{"scopes":["can't be blank"]}}`)
	expect(t, make(" ", callback, "api"), 400, `{"message":{"name":["can't be blank"]}}`)
	expect(t, make(strings.Repeat("x", 256), callback, "api"), 400, `{"message":{"name":["is too long (maximum is 255 characters)"]}}`)
	expect(t, make("x", callback, "api unknown"), 400, `{"message":{"scopes":["doesn't match configured on the server."]}}`)
	expect(t, make("x", "/cb", "api"), 400, `{"message":{"redirect_uri":["must be an absolute URI."]}}`)
	expect(t, make("x", callback+"#x", "api"), 400, `{"message":{"redirect_uri":["cannot contain a fragment."]}}`)
	expect(t, make("x", "javascript:alert(1)", "api"), 400, `{"message":{"redirect_uri":["is forbidden by the server."]}}`)
	expect(t, make("x", "https:///cb", "api"), 400, `{"message":{"redirect_uri":["must be a valid URI."]}}`)
	expect(t, make("x", callback+"\njavascript:x", "api"), 400, `{"message":{"redirect_uri":["is forbidden by the server."]}}`)
	expect(t, make("x", callback+"/"+strings.Repeat("x", 4096), "api"), 400,
		`{"message":{"redirect_uri":["is too long (maximum is 4096 characters)"]}}`)
	if got := root.Form("POST", "/applications", "name=x&redirect_uri="+callback+
		"%0Ahttp://localhost:3000/cb&scopes=api+openid&confidential=false"); got.Status != 201 ||
		member(t, got, "confidential") != false || member(t, got, "callback_url") != callback+"\nhttp://localhost:3000/cb" {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}
