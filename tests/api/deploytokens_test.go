package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"svc/store"
	"svc/store/model"
	"svc/store/secret"
	"svc/tests/harness"
)

// deployToken is a deploy token in a response.
type deployToken struct {
	ID       int64  `json:"id"`
	Name     string `json:"name"`
	Username string `json:"username"`
	Token    string `json:"token"`
	Expired  bool   `json:"expired"`
}

func TestDeployTokensAreCreatedReadAndDeleted(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	h.Project(group.ID, called("web", model.Private))
	owner := h.Member(group, model.Owner)
	for _, c := range []struct{ path, operation string }{
		{"/projects/acme%2Fweb/deploy_tokens", "createProjectDeployToken"},
		{"/groups/acme/deploy_tokens", "createGroupDeployToken"},
	} {
		created := owner.JSON("POST", c.path,
			`{"name":"cluster","username":"k8s+1","expires_at":"2040-01-02T03:04:05Z","scopes":["read_repository",`+
				`"write_package_registry","read_repository"]}`)
		got := read[deployToken](t, created, 201)
		h.Golden(c.operation+"/all_fields", strings.ReplaceAll(created.Body, got.Token, "svcdt-secret"))
		usual := owner.Form("POST", c.path, "name=usual&scopes=read_registry,write_registry,read_package_registry&username=&expires_at=")
		row := read[deployToken](t, usual, 201)
		h.Golden(c.operation+"/fewest_fields", strings.ReplaceAll(usual.Body, row.Token, "svcdt-secret"))
		if row.Username != fmt.Sprintf("svc+deploy-token-%d", row.ID) || !strings.HasPrefix(row.Token, "svcdt-") {
			t.Errorf("%+v", row)
		}
		one := fmt.Sprintf("%s/%d", c.path, got.ID)
		shown := owner.Send("GET", one, "")
		if shown.Status != 200 || strings.Contains(shown.Body, got.Token) || strings.Contains(h.Logs.String(), got.Token) {
			t.Errorf("shown: %d %s", shown.Status, shown.Body)
		}
		listed := owner.Send("GET", c.path, "")
		if !strings.HasPrefix(listed.Body, "["+shown.Body+",") || listed.Header.Get("X-Total") != "2" {
			t.Errorf("listed: %s", listed.Body)
		}
		before := time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)
		expect(t, owner.Send("DELETE", one, "", "If-Unmodified-Since", before), 412, "")
		expect(t, owner.Send("DELETE", one, ""), 204, "")
		expect(t, owner.Send("GET", one, ""), 404, `{"message":"404 Not found"}`)
		expect(t, owner.Send("DELETE", one, ""), 404, `{"message":"404 Not found"}`)
	}
	// The project does not have the deploy tokens of its group.
	rows := read[[]deployToken](t, owner.Send("GET", "/groups/acme/deploy_tokens", ""), 200)
	expect(t, owner.Send("GET", fmt.Sprintf("/projects/acme%%2Fweb/deploy_tokens/%d", rows[0].ID), ""), 404, "")
	expect(t, owner.Send("DELETE", fmt.Sprintf("/projects/acme%%2Fweb/deploy_tokens/%d", rows[0].ID), ""), 404, "")
}

func TestInvalidDeployTokensAreNotCreated(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	p := h.Project(h.Group(at("acme")).ID, called("web", model.Private))
	maintainer, developer := h.ProjectMember(p, model.Maintainer), h.ProjectMember(p, model.Developer)
	const path = "/projects/acme%2Fweb/deploy_tokens"
	long := strings.Repeat("a", 256)
	for body, want := range map[string]string{
		`{}`:                                         `{"error":"name is missing, scopes is missing"}`,
		`{"name":"","scopes":["read_registry"]}`:     `{"error":"name is empty"}`,
		`{"name":"x","scopes":[]}`:                   `{"error":"scopes is empty"}`,
		`{"name":"x","scopes":["api"]}`:              `{"error":"scopes does not have a valid value"}`,
		`{"name":"x","scopes":["write_repository"]}`: `{"error":"scopes does not have a valid value"}`,
		`{"name":" ","scopes":["read_registry"]}`:    `{"message":{"name":["can't be blank"]}}`,
		`{"name":"` + long + `","scopes":["read_registry"],"username":"` + long +
			`"}`: `{"message":{"name":["is too long (maximum is 255 characters)"],"username":["is too long (maximum is 255 characters)"]}}`,
		`{"name":"x","scopes":["read_registry"],"username":"a b"}`: `{"message":` +
			`{"username":["can contain only letters, digits, '_', '-', '+', and '.'"]}}`,
		`{"name":"x","scopes":["read_registry"],"expires_at":"soon"}`:                       `{"error":"expires_at is invalid"}`,
		`{"name":"x","scopes":["read_registry"],"expires_at":"2020-01-01","username":"\n"}`: ``,
	} {
		expect(t, maintainer.JSON("POST", path, body), 400, want)
	}
	expect(t, maintainer.Send("GET", path, ""), 200, "[]")
	past := maintainer.JSON("POST", path, `{"name":"x","scopes":["read_repository"],"expires_at":"2020-01-01T00:00:00Z"}`)
	if expired, _ := member(t, past, "expired").(bool); past.Status != 201 || !expired {
		t.Errorf("one that has ended already: %d %s", past.Status, past.Body)
	}
	good := `{"name":"x","scopes":["read_registry"]}`
	expect(t, developer.JSON("POST", path, good), 403, "")
	expect(t, developer.Send("GET", path, ""), 403, "")
	expect(t, h.NewUser().JSON("POST", path, good), 404, "")
	expect(t, maintainer.Send("GET", path+"?pagination=keyset", ""), 405, "")
	expect(t, maintainer.JSON("POST", path, good), 201, "")
}

func TestAdministratorsListAllDeployTokens(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"))
	p := h.Project(group.ID, called("web", model.Private))
	past, future := time.Now().Add(-time.Minute).UTC(), time.Now().Add(time.Hour).UTC()
	for i, row := range []model.DeployToken{
		{Name: "good", SourceType: model.SourceGroup, SourceID: group.ID},
		{Name: "ends", SourceType: model.SourceProject, SourceID: p.ID, ExpiresAt: &future},
		{Name: "ended", SourceType: model.SourceProject, SourceID: p.ID, ExpiresAt: &past},
		{Name: "revoked", SourceType: model.SourceGroup, SourceID: group.ID, Revoked: true},
	} {
		row.Digest, row.Scopes = []byte{byte(i)}, "read_repository"
		if err := h.Store.DeployTokens.Create(t.Context(), &row); err != nil {
			t.Fatal(err)
		}
	}
	root, owner := h.Root(), h.Member(group, model.Owner)
	for _, c := range []struct {
		caller     *harness.Caller
		path, want string
	}{
		{root, "/deploy_tokens", "good ends ended revoked"},
		{root, "/deploy_tokens?active=true", "good ends"},
		{root, "/deploy_tokens?active=false", "ended revoked"},
		{root, "/deploy_tokens?per_page=1&page=3", "ended"},
		{owner, "/projects/acme%2Fweb/deploy_tokens", "ends ended"},
		{owner, "/projects/acme%2Fweb/deploy_tokens?active=true", "ends"},
		{owner, "/groups/acme/deploy_tokens?active=false", "revoked"},
	} {
		var names []string
		for _, row := range read[[]deployToken](t, c.caller.Send("GET", c.path, ""), 200) {
			names = append(names, row.Name)
			if row.Expired != (row.Name == "ended") {
				t.Errorf("%+v", row)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.path, got, c.want)
		}
	}
	expect(t, owner.Send("GET", "/deploy_tokens", ""), 403, "")
	expect(t, h.Anonymous().Send("GET", "/deploy_tokens", ""), 401, unauthorized)
	expect(t, root.Send("GET", "/deploy_tokens?active=maybe", ""), 400, `{"error":"active is invalid"}`)
}

func TestADeployTokenIsNotAcceptedByTheAPI(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(at("acme"), seen(model.Public))
	p := h.Project(group.ID, called("web", model.Public))
	owner := h.Member(group, model.Owner)
	got := read[deployToken](t,
		owner.JSON("POST", "/projects/acme%2Fweb/deploy_tokens", `{"name":"d","username":"d","scopes":["read_repository"]}`), 201)
	for _, token := range []string{got.Token, "unknown"} { // both get exactly the same response
		for _, path := range []string{"/projects/acme%2Fweb", "/user", "/version", personalTokens + "/self"} {
			for _, c := range []*harness.Caller{
				h.WithHeaders("PRIVATE-TOKEN", token), h.WithHeaders("Authorization", "Bearer "+token), h.WithHeaders("JOB-TOKEN", token),
			} {
				expect(t, c.Send("GET", path, ""), 401, unauthorized)
			}
			for _, name := range []string{"private_token", "access_token", "job_token"} {
				expect(t, h.Anonymous().Send("GET", path+"?"+name+"="+token, ""), 401, unauthorized)
			}
		}
		expect(t, h.WithHeaders("PRIVATE-TOKEN", token).JSON("POST", personalTokens+"/self/rotate", ""), 401, unauthorized)
		expect(t, h.WithHeaders("Deploy-Token", token).Send("GET", "/user", ""), 401, unauthorized)
	}
	row, err := h.Store.DeployTokens.Authenticate(t.Context(), secret.Digest(got.Token), "d")
	if err != nil || row.SourceType != model.SourceProject || row.SourceID != p.ID {
		t.Errorf("%+v, %v", row, err)
	}
	if _, err := h.Store.DeployTokens.Authenticate(t.Context(), secret.Digest(got.Token), "other"); !store.IsNotFound(err) {
		t.Error(err)
	}
}
