package graphql

import (
	"net/url"
	"strings"
	"testing"

	"svc/store/model"
	"svc/tests/harness"
)

func TestARequestComesInManyForms(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	want := `{"data":{"currentUser":{"username":"` + u.User.Username + `"}}}`
	const query = `query Me($with: Boolean!) { currentUser { username @include(if: $with) } }`
	form := url.Values{"query": {query}, "variables": {`{"with":true}`}}.Encode()
	for name, got := range map[string]harness.Answer{
		"JSON":            u.JSON("POST", "/api/graphql", body(query, vars{"with": true})),
		"a slash":         u.JSON("POST", "/api/graphql/", body(query, vars{"with": true})),
		"variables":       u.JSON("POST", "/api/graphql", `{"query":"`+query+`","variables":"{\"with\":true}","operationName":"Me"}`),
		"no content type": u.Send("POST", "/api/graphql", body(query, vars{"with": true})),
		"a form":          u.Form("POST", "/api/graphql", form),
		"the URL":         u.Send("GET", "/api/graphql?"+form, ""),
		"a Bearer token":  h.WithHeaders("Authorization", "Bearer "+u.Token).JSON("POST", "/api/graphql", body(query, vars{"with": true})),
		"a parameter":     h.Anonymous().JSON("POST", "/api/graphql?private_token="+u.Token, body(query, vars{"with": true})),
		"read_api":        h.WithToken(u.User, "read_api").JSON("POST", "/api/graphql", body(query, vars{"with": true})),
	} {
		if got.Status != 200 || got.Body != want {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	got := u.JSON("POST", "/api/graphql", "["+body(query, vars{"with": true})+","+body("{ nothing }", nil)+"]")
	if got.Status != 200 || !strings.HasPrefix(got.Body, "["+want+`,{"errors":[{"message":"Field 'nothing' doesn't exist on type `+
		`'Query'"`) {
		t.Errorf("a batch: %d %s", got.Status, got.Body)
	}
}

func TestACredentialThatIsRefusedIsExplained(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	blocked := h.NewUser(func(u *model.User) { u.State = model.UserBlocked })
	query := body("{ currentUser { username } }", nil)
	for name, c := range map[string]struct {
		caller *harness.Caller
		status int
		text   string
	}{
		"a wrong token":  {h.WithHeaders("PRIVATE-TOKEN", "wrong"), 401, "Invalid token"},
		"a job token":    {h.WithHeaders("JOB-TOKEN", "any"), 401, "Invalid token"},
		"a blocked user": {blocked, 403, "API not accessible for user"},
		"another scope": {
			h.WithToken(h.NewUser().User, "read_user"), 403, "The request requires higher privileges than provided by the access token.",
		},
		"a wrong session": {h.WithHeaders("Cookie", "_svc_session=wrong"), 401, "Invalid token"},
	} {
		got := c.caller.JSON("POST", "/api/graphql", query)
		if got.Status != c.status || got.Body != `{"errors":[{"message":"`+c.text+`"}]}` {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
}

func TestARequestThatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	long := `{"query":"{ echo(text: \"` + strings.Repeat("a", 10_000) + `\") }"}`
	batch := "[" + strings.Repeat(`{"query":"{ __typename }"},`, 10) + `{"query":"{ __typename }"}]`
	for sent, want := range map[string]string{
		`{`:           "The request body is not JSON",
		`7`:           "The request body must be an object or a list of objects",
		`[]`:          "The batch is empty",
		batch:         "The batch has too many operations",
		`{}`:          "No query string was present",
		`{"query":7}`: "'query' must be a text",
		`{"query":"{ __typename }","variables":[1]}`: "'variables' must be an object",
		`{"query":"{ __typename }","variables":"["}`: "'variables' is not JSON",
		long:                          "Query too large",
		strings.Repeat("[", 100_000):  "The JSON is nested too deeply",
		`{"query":"{ a }\u0000"}`:     "The query is not text",
		`{"query":"","variables":{}}`: "No query string was present",
	} {
		got := u.JSON("POST", "/api/graphql", sent)
		if got.Status != 422 || got.Body != `{"errors":[{"message":"`+want+`"}]}` {
			t.Errorf("%.40s: %d %s", sent, got.Status, got.Body)
		}
	}
	if got := u.JSON("POST", "/api/graphql", strings.Repeat(" ", 1<<20+1)); got.Status != 413 {
		t.Errorf("a large body: %d", got.Status)
	}
}

func TestErrorsOfAQueryHaveTheTextsThatClientsKnow(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	for query, want := range map[string]string{
		"query GetProject { project(fullPath: \"a/b\") { x } }": `{"errors":[{"message":"Field 'x' doesn't exist on type 'Project'",` +
			`"locations":` +
			`[{"line":1,"column":47}],"path":["query GetProject","project","x"],"extensions":{"code":"undefinedField","fieldName":"x",` +
			`"typeName":"Project"}}]}`,
		"{ project(full: 1) { id } }": `"extensions":{"argumentName":"full","code":"argumentNotAccepted","name":"project",` +
			`"typeName":"Field"}}`,
		"{ currentUser }":    "must have a selection of subfields",
		"{ echo }":           "argument \\\"text\\\" of type",
		"{":                  "Expected Name",
		"subscription { x }": "Schema is not configured for subscriptions",
		"query A { echo(text: \"a\") } query B { echo(text: \"b\") }": "An operation name is required",
		"query ($x: ID!) { project(fullPath: $x) { id } }":            "Variable $x of type ID! was provided invalid value",
		"query ($x: Int!) { project(fullPath: $x) { id } }":           "Type mismatch on variable $x and argument (Int! / ID!)",
		"{ echo(text: \"\\u0000\") }":                                 "has an invalid value",
		"{ projects(first: 99999999999999999999) { count } }":         "cannot represent",
		"{ projects(first: -1) { count } }":                           "cannot be negative",
		"{ projects(after: \"?\") { count } }":                        "The cursor of 'after' is not valid",
		"{ projects(first: 1, last: 1) { count } }":                   "Use either 'first' or 'last'",
		"{ projects(ids: [\"gid://gitlab/Group/1\"]) { count } }":     "does not represent an instance of Project",
		"{ projects(sort: \"color\") { count } }":                     "The sort order is not known",
		"{ user { id } }": "Provide either 'id' or 'username'",
	} {
		if got := ask(t, u, query, nil); !strings.Contains(got, want) || !strings.Contains(got, `"errors"`) {
			t.Errorf("%s: %s", query, got)
		}
	}
}
