package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/server/platform/config"
	"svc/tests/harness"
)

const variables = "/admin/ci/variables"

// expect compares the status of a response and, unless body is empty, the body. It does not compare the member hint:
// harness.Answer keeps that apart, and tests of hints look at Hint.
func expect(t *testing.T, got harness.Answer, status int, body string) {
	t.Helper()
	if got.Status != status || (body != "" && got.Body != body) {
		t.Errorf("answered %d %s\nwant     %d %s", got.Status, got.Body, status, body)
	}
}

func TestInstanceVariablesAreCreatedReadChangedAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	created := root.JSON("POST", variables,
		`{"key":"REGION","value":"eu","description":"where","variable_type":"file","protected":true,"raw":true}`)
	expect(t, created, 201, "")
	h.Golden("createAdminCiVariable/all_fields", created.Body)
	expect(t, root.Send("GET", variables+"/REGION", ""), 200, created.Body)
	changed := root.JSON("PUT", variables+"/REGION", `{"value":"us","description":null}`)
	expect(t, changed, 200,
		`{"key":"REGION","description":null,"variable_type":"file","value":"us","protected":true,"masked":false,"raw":true}`)
	expect(t, root.Send("GET", variables+"/REGION", ""), 200, changed.Body)
	expect(t, root.Send("DELETE", variables+"/REGION", ""), 204, "")
	expect(t, root.Send("GET", variables+"/REGION", ""), 404, `{"message":"404 InstanceVariable Not Found"}`)
	expect(t, root.Send("DELETE", variables+"/REGION", ""), 404, `{"message":"404 InstanceVariable Not Found"}`)
	expect(t, root.JSON("PUT", variables+"/REGION", `{"value":"us"}`), 404, `{"message":"404 InstanceVariable Not Found"}`)
}

func TestInstanceVariableRules(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	expect(t, root.JSON("POST", variables, `{"key":"TAKEN","value":"x"}`), 201, "")
	for _, c := range []struct{ name, body, want string }{
		{"taken", `{"key":"TAKEN","value":"y"}`, `{"message":{"key":["(TAKEN) has already been taken"]}}`},
		{"key format", `{"key":"a-b","value":"y"}`, `{"message":{"key":["can contain only letters, digits and '_'."]}}`},
		{
			"key too long", `{"key":"` + strings.Repeat("k", 256) + `","value":"y"}`,
			`{"message":{"key":["is too long (maximum is 255 characters)"]}}`,
		},
		{"key newline", `{"key":"a\n","value":"y"}`, `{"message":{"key":["can contain only letters, digits and '_'."]}}`},
		{
			"value too long", `{"key":"A","value":"` + strings.Repeat("é", 10001) + `"}`,
			`{"message":{"value":["The value of the provided variable exceeds the 10000 character limit"]}}`,
		},
		{"masked too short", `{"key":"A","value":"short","masked":true}`, `{"message":{"value":["is invalid"]}}`},
		{"masked two lines", `{"key":"A","value":"longenough\nlongenough","masked":true}`, `{"message":{"value":["is invalid"]}}`},
		{"masked expansion", `{"key":"A","value":"longenough$OTHER","masked":true}`, `{"message":{"value":["is invalid"]}}`},
		{"type", `{"key":"A","value":"y","variable_type":"secret"}`, `{"error":"variable_type does not have a valid value"}`},
		{"no value", `{"key":"A"}`, `{"error":"value is missing"}`},
		{"nothing", `{}`, `{"error":"key is missing, value is missing"}`},
		{"null value", `{"key":"A","value":null}`, `{"error":"value is empty"}`},
		{"list for a text", `{"key":["A"],"value":"x"}`, `{"error":"key is invalid"}`},
		{"wrong boolean", `{"key":"A","value":"x","raw":"maybe"}`, `{"error":"raw is invalid"}`},
		{"several", `{"value":1,"raw":"maybe","masked":[]}`, `{"error":"key is missing, masked is invalid, raw is invalid"}`},
	} {
		t.Run(c.name, func(t *testing.T) { expect(t, root.JSON("POST", variables, c.body), 400, c.want) })
	}
	expect(t, root.JSON("POST", variables, `{"key":"`+strings.Repeat("k", 255)+`","value":"`+strings.Repeat("é", 10000)+`"}`), 201, "")
	expect(t, root.JSON("POST", variables, `{"key":"MASKED","value":"abc+/=@:.~-_9","masked":true}`), 201, "")
}

func TestChangingAMaskedVariableKeepsItMaskable(t *testing.T) {
	t.Parallel()
	root := harness.New(t).Root()
	expect(t, root.JSON("POST", variables, `{"key":"M","value":"longenough","masked":true}`), 201, "")
	expect(t, root.JSON("PUT", variables+"/M", `{"value":"short"}`), 400, `{"message":{"value":["is invalid"]}}`)
	expect(t, root.JSON("PUT", variables+"/M", `{"value":"short","masked":false}`), 200, "")
	expect(t, root.JSON("PUT", variables+"/M", `{"value":"short","masked":true}`), 400, `{"message":{"value":["is invalid"]}}`)
	expect(t, root.JSON("PUT", variables+"/M", `{"masked":true}`), 400, `{"error":"value is missing"}`)
	expect(t, root.JSON("PUT", variables+"/NONE", `{"value":"short","masked":true}`), 404, `{"message":"404 InstanceVariable Not Found"}`)
	expect(t, root.JSON("PUT", variables+"/a%2Fb", `{"value":"x"}`), 404, `{"message":"404 InstanceVariable Not Found"}`)
}

func TestTheNumberOfInstanceVariablesIsLimited(t *testing.T) {
	t.Parallel()
	root := harness.New(t, func(c *config.Config) { c.MaxInstanceVariables = 2 }).Root()
	expect(t, root.JSON("POST", variables, `{"key":"A","value":"x"}`), 201, "")
	expect(t, root.JSON("POST", variables, `{"key":"B","value":"x"}`), 201, "")
	expect(t, root.JSON("POST", variables, `{"key":"C","value":"x"}`), 400,
		`{"message":{"base":["Maximum number of ci instance level variables (2) exceeded"]}}`)
	expect(t, root.JSON("POST", variables, `{"key":"A","value":"x"}`), 400, `{"message":{"key":["(A) has already been taken"]}}`)
}

func TestOnlyAdministratorsManageInstanceVariables(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	user := h.NewUser()
	for _, c := range []struct{ method, path, body string }{
		{"GET", variables, ""},
		{"POST", variables, `{"key":"A","value":"x"}`},
		{"GET", variables + "/A", ""},
		{"PUT", variables + "/A", `{"value":"x"}`},
		{"DELETE", variables + "/A", ""},
	} {
		expect(t, user.JSON(c.method, c.path, c.body), 403, `{"message":"403 Forbidden"}`)
		expect(t, h.Anonymous().JSON(c.method, c.path, c.body), 401, `{"message":"401 Unauthorized"}`)
	}
	expect(t, user.JSON("POST", variables, `{}`), 400, `{"error":"key is missing, value is missing"}`)
}

func TestInstanceVariablesArePaginated(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	for i := range 5 {
		expect(t, root.JSON("POST", variables, fmt.Sprintf(`{"key":"V%d","value":"x"}`, i)), 201, "")
	}
	page := root.Send("GET", variables+"?per_page=2&page=2&private_token="+root.Token, "")
	token := "&private_token=" + root.Token
	expect(t, page, 200, "")
	if !strings.Contains(page.Body, `"V2"`) || !strings.Contains(page.Body, `"V3"`) || strings.Contains(page.Body, `"V4"`) {
		t.Errorf("page 2 is %s", page.Body)
	}
	u := h.URL + "/api/v4" + variables
	for name, want := range map[string]string{
		"X-Page": "2", "X-Per-Page": "2", "X-Next-Page": "3", "X-Prev-Page": "1", "X-Total": "5", "X-Total-Pages": "3",
		"Link": "<" + u + `?page=1&per_page=2` + token + `>; rel="prev", <` + u + `?page=3&per_page=2` + token + `>; rel="next", <` + u +
			`?page=1&per_page=2` + token + `>; rel="first", <` + u + `?page=3&per_page=2` + token + `>; rel="last"`,
	} {
		if got := page.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	past := root.Send("GET", variables+"?page=9", "")
	expect(t, past, 200, "[]")
	if past.Header.Get("X-Total") != "5" || past.Header.Get("X-Next-Page") != "" {
		t.Errorf("past the end: %v", past.Header)
	}
	if got := root.Send("GET", variables+"?per_page=500", "").Header.Get("X-Per-Page"); got != "100" {
		t.Errorf("per_page=500 gives %s", got)
	}
	for query, want := range map[string]string{
		"per_page=0":                `{"error":"per_page has a value not allowed"}`,
		"per_page=-1":               `{"error":"per_page does not have a valid value"}`,
		"page=0":                    `{"error":"page does not have a valid value"}`,
		"page=x":                    `{"error":"page is invalid"}`,
		"page=1.5":                  `{"error":"page is invalid"}`,
		"page=99999999999999999999": `{"error":"page is invalid"}`,
		"page[]=2":                  `{"error":"page is invalid"}`,
		"pagination=cursor":         `{"error":"pagination does not have a valid value"}`,
	} {
		expect(t, root.Send("GET", variables+"?"+query, ""), 400, want)
	}
	expect(t, root.Send("GET", variables+"?pagination=keyset", ""), 405,
		`{"error":"Keyset pagination is not yet available for this type of request"}`)
	// Only the lists of projects, groups and users have a maximum offset.
	expect(t, root.Send("GET", variables+"?page=2501", ""), 200, "[]")
}

func TestAListTakesTheSameNumberOfStatementsWhateverItsLength(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	root := h.Root()
	count := func() int64 {
		before := h.Store.Statements()
		expect(t, root.Send("GET", variables+"?per_page=100", ""), 200, "")
		return h.Store.Statements() - before
	}
	empty := count()
	for i := range 20 {
		expect(t, root.JSON("POST", variables, fmt.Sprintf(`{"key":"V%d","value":"x"}`, i)), 201, "")
	}
	if full := count(); full != empty || full > 2 {
		t.Errorf("a list of 20 takes %d statements, an empty one %d", full, empty)
	}
}

func TestADeleteCanDependOnTheLastChange(t *testing.T) {
	t.Parallel()
	root := harness.New(t).Root()
	expect(t, root.JSON("POST", variables, `{"key":"A","value":"x"}`), 201, "")
	before := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
	now := time.Now().Add(time.Second).UTC().Format(http.TimeFormat)
	expect(t, root.Send("DELETE", variables+"/A", "", "If-Unmodified-Since", before), 412, `{"message":"412 Precondition Failed"}`)
	expect(t, root.Send("GET", variables+"/A", ""), 200, "")
	expect(t, root.Send("DELETE", variables+"/A", "", "If-Unmodified-Since", now), 204, "")
	expect(t, root.JSON("POST", variables, `{"key":"A","value":"x"}`), 201, "")
	expect(t, root.Send("DELETE", variables+"/A", "", "If-Unmodified-Since", "soon"), 204, "")
}
