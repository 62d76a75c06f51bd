package api

import (
	"fmt"
	"testing"

	"svc/server/platform/apierr"
	"svc/store/model"
	"svc/tests/harness"
)

// expectHint compares the status, body and hint of a response.
func expectHint(t *testing.T, got harness.Answer, status int, body, hint string) {
	t.Helper()
	expect(t, got, status, body)
	if got.Hint != hint {
		t.Errorf("the hint is %q, want %q\n%d %s", got.Hint, hint, got.Status, got.Body)
	}
}

func TestAnInvalidValueIsAnsweredWithAHintOfTheAllowedOnes(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	expectHint(t, u.Send("GET", "/projects?visibility=secret", ""), 400, `{"error":"visibility does not have a valid value"}`,
		"visibility must be one of: private, internal, public.")
	expectHint(t, u.Send("GET", "/projects?visibility=secret&sort=up", ""), 400,
		`{"error":"visibility does not have a valid value, sort does not have a valid value"}`,
		"visibility must be one of: private, internal, public. sort must be one of: asc, desc.")
	expectHint(t, u.JSON("POST", "/projects", `{"name":"a","visibility":"secret"}`), 400,
		`{"error":"visibility does not have a valid value"}`,
		"visibility must be one of: private, internal, public.")
	p := h.Project(*u.User.NamespaceID)
	for _, level := range []string{`"maintainer"`, "11"} {
		got := u.JSON("POST", fmt.Sprintf("/projects/%d/members", p.ID), `{"user_id":1,"access_level":`+level+`}`)
		expectHint(t, got, 400, "", "access_level must be one of: 5, 10, 20, 30, 40, 50.")
	}
	expectHint(t, u.Send("GET", "/projects?per_page=x", ""), 400, `{"error":"per_page is invalid"}`,
		"per_page must be a whole number of at least 1.")
	expectHint(t, u.JSON("POST", "/groups", `{"name":"a"}`), 400, `{"error":"path is missing"}`, "")
}

// The hint depends only on the shape of the URL: it is the same for projects that exist, that do not exist, and that
// the caller may not see.
func TestAPathWithUnencodedSlashesIsAnsweredWithAHint(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	owner, outsider := h.NewUser(), h.NewUser()
	g := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	h.Join(g, owner.User, model.Owner)
	h.Project(g.ID, func(p *model.Project) { p.Path = "web" })
	shown := h.Group(func(g *model.Namespace) { g.Path, g.Visibility = "shown", model.Public })
	h.Project(shown.ID, func(p *model.Project) { p.Path, p.Visibility = "web", model.Public })
	for _, caller := range []*harness.Caller{owner, outsider, h.Anonymous()} {
		for _, name := range []string{"acme/web", "shown/web", "acme/none", "none/none"} {
			for _, path := range []string{
				"projects/" + name, "projects/" + name + "/issues", "groups/" + name, "groups/" + name + "/members",
			} {
				expectHint(t, caller.Send("GET", "/"+path, ""), 404, `{"error":"404 Not Found"}`, apierr.HintSlash)
			}
			expectHint(t, caller.JSON("PUT", "/projects/"+name, `{}`), 404, `{"error":"404 Not Found"}`, apierr.HintSlash)
		}
	}
	for _, name := range []string{"acme", "none"} { // a project path needs a slash
		expectHint(t, outsider.Send("GET", "/projects/"+name+"/issues", ""), 404, `{"message":"404 Project Not Found"}`, apierr.HintSlash)
		expectHint(t, outsider.Send("GET", "/groups/"+name+"/members", ""), 404, `{"message":"404 Group Not Found"}`, "")
	}
	for _, path := range []string{"acme%2Fweb", "acme%2Fnone", "999999"} {
		expectHint(t, outsider.Send("GET", "/projects/"+path, ""), 404, `{"message":"404 Project Not Found"}`, "")
		expectHint(t, outsider.Send("GET", "/projects/"+path+"/issues", ""), 404, `{"message":"404 Project Not Found"}`, "")
		expectHint(t, outsider.Send("GET", "/projects/"+path+"/no/such", ""), 404, `{"error":"404 Not Found"}`, "")
	}
	expectHint(t, owner.Send("GET", "/projects/acme%2Fweb", ""), 200, "", "")
	expectHint(t, outsider.Send("GET", "/nothing/acme/web", ""), 404, `{"error":"404 Not Found"}`, "")
}

func TestJSONWithoutContentTypeIsAnsweredWithAHint(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	const body = `{"name":"a","path":"hint-json"}`
	expectHint(t, u.Send("POST", "/groups", body), 415, `{"error":"The provided content-type '' is not supported."}`, apierr.HintJSON)
	expectHint(t, u.Send("POST", "/groups", body, "Content-Type", "text/plain"), 415,
		`{"error":"The provided content-type 'text/plain' is not supported."}`, apierr.HintJSON)
	expectHint(t, u.Form("POST", "/groups", body), 400, `{"error":"name is missing, path is missing"}`, apierr.HintJSON)
	expectHint(t, u.Form("POST", "/groups", " \n["+body+"]"), 400, "", apierr.HintJSON)
	expectHint(t, u.Send("POST", "/groups", "name=a", "Content-Type", "text/plain"), 415, "", "")
	expectHint(t, u.Form("POST", "/groups", "name=a"), 400, `{"error":"path is missing"}`, "")
	expectHint(t, u.JSON("POST", "/groups", `{"name":"a"}`), 400, `{"error":"path is missing"}`, "")
	expectHint(t, u.JSON("POST", "/groups", `{"name":`), 400, "", "")
}

// A caller with an unreadable header is anonymous. A project that this caller may not see gets the same response and
// hint as one that does not exist.
func TestAnUnreadableTokenHeaderIsAnsweredWithAHint(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	u := h.NewUser()
	closed := h.Project(*u.User.NamespaceID)
	open := h.Project(*u.User.NamespaceID, func(p *model.Project) { p.Visibility = model.Public })
	const challenge = `Bearer realm="The API", error="invalid_request", ` +
		`error_description="The Authorization header must have the form Bearer TOKEN."`
	for _, header := range []string{u.Token, "token " + u.Token, "Basic " + u.Token, "wrong"} {
		caller := h.WithHeaders("Authorization", header)
		got := caller.Send("GET", "/user", "")
		expectHint(t, got, 401, `{"message":"401 Unauthorized"}`, apierr.HintCredential)
		if got.Header.Get("WWW-Authenticate") != challenge {
			t.Errorf("WWW-Authenticate is %q", got.Header.Get("WWW-Authenticate"))
		}
		for _, id := range []int64{closed.ID, 999999} {
			expectHint(t, caller.Send("GET", fmt.Sprintf("/projects/%d", id), ""), 404,
				`{"message":"404 Project Not Found"}`, apierr.HintCredential)
		}
		expectHint(t, caller.Send("GET", fmt.Sprintf("/projects/%d", open.ID), ""), 200, "", "")
	}
	expectHint(t, h.Anonymous().Send("GET", "/user", ""), 401, `{"message":"401 Unauthorized"}`, "")
	expectHint(t, h.WithHeaders("Authorization", "Bearer wrong").Send("GET", "/user", ""), 401, `{"message":"401 Unauthorized"}`, "")
	for _, caller := range []*harness.Caller{
		h.WithHeaders("Authorization", "Bearer "+u.Token), h.WithHeaders("Authorization", u.Token, "PRIVATE-TOKEN", u.Token),
	} {
		expectHint(t, caller.Send("GET", "/projects/999999", ""), 404, `{"message":"404 Project Not Found"}`, "")
	}
}
