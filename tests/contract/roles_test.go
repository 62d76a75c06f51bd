package contract

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"svc/server/platform/access"
	"svc/store/model"
	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// Every caller with less than the ability needs is refused, with input that is valid in every other way.
func TestEveryLesserRoleIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	anyone, user := h.Anonymous(), h.NewUser()
	for _, r := range harness.Routes() {
		name, _ := r.Op.Extensions["x-ability"].(string)
		need, known := access.Abilities[access.Instance][access.Ability(name)]
		if !known {
			continue // abilities in a group or project have their own tests below
		}
		var lesser []*harness.Caller
		if need.Role >= access.SignedIn {
			lesser = append(lesser, anyone)
		}
		if need.Role >= access.Administrator {
			lesser = append(lesser, user)
		}
		for _, caller := range lesser {
			got := sendExample(t, caller, r)
			if !slices.Contains([]int{401, 403, 404}, got.Status) {
				t.Errorf("%s needs %s, but %q got %d %s", r.Op.OperationID, name, caller.User.Username, got.Status, got.Body)
			}
		}
		if open := allowsAnonymous(r.Op); open != (need.Role == access.Anyone) {
			t.Errorf("%s: security says open to anyone: %v, the ability %s says %v",
				r.Op.OperationID, open, name, need.Role == access.Anyone)
		}
	}
}

// sendExample sends a request with the examples of the document. An operation that takes only a file gets one.
func sendExample(t *testing.T, by *harness.Caller, r harness.Route) harness.Answer {
	t.Helper()
	if b := r.Op.RequestBody; b != nil && b.Value.Content["application/json"] == nil && b.Value.Content["multipart/form-data"] != nil {
		return by.File(r.Method, example(t, r), nil, "file", "a.txt", "text/plain", "x")
	}
	return by.JSON(r.Method, example(t, r), body(t, r))
}

// In a private group every lesser role is refused. A caller who has no role, or may not enter, sees nothing at all.
func TestEveryLesserRoleInAGroupIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	outside := map[string]*harness.Caller{
		"another tenant": h.Member(h.Group(), model.Owner), "external": h.NewUser(harness.External),
		"nobody": h.NewUser(), "anonymous": h.Anonymous(),
	}
	blocked := h.Member(group, model.Owner)
	if err := h.Store.Users.Update(t.Context(), blocked.User.ID, map[string]any{"state": model.UserBlocked}); err != nil {
		t.Fatal(err)
	}
	roles := map[model.Access]*harness.Caller{}
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer} {
		roles[role] = h.Member(group, role)
	}
	for _, r := range harness.Routes() {
		name, _ := r.Op.Extensions["x-ability"].(string)
		need, inGroup := access.Abilities[access.Group][access.Ability(name)]
		if !inGroup || !strings.HasPrefix(r.Path, "/groups/{id}") {
			continue
		}
		for who, caller := range outside {
			if got := sendExample(t, caller, r); got.Status != 404 && (got.Status != 401 || who != "anonymous") {
				t.Errorf("%s: %s got %d %s", r.Op.OperationID, who, got.Status, got.Body)
			}
		}
		if got := sendExample(t, blocked, r); got.Status != 403 {
			t.Errorf("%s: a blocked owner got %d", r.Op.OperationID, got.Status)
		}
		for role, caller := range roles {
			if access.Role(role) >= need.Role {
				continue
			}
			if got := sendExample(t, caller, r); got.Status != 403 {
				t.Errorf("%s needs %s, but %s got %d %s", r.Op.OperationID, need.Role, role, got.Status, got.Body)
			}
		}
	}
}

// In a private project every lesser role is refused. A caller who has no role, or may not enter, sees nothing at all.
// An archived project is read-only, even for its owners.
func TestEveryLesserRoleInAProjectIsRefused(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	group := h.Group(func(g *model.Namespace) { g.Path = "acme" })
	project := h.Project(group.ID, func(p *model.Project) { p.Path = "web" })
	outside := map[string]*harness.Caller{
		"another tenant": h.Member(h.Group(), model.Owner), "external": h.NewUser(harness.External),
		"nobody": h.NewUser(), "anonymous": h.Anonymous(),
	}
	blocked := h.ProjectMember(project, model.Owner)
	if err := h.Store.Users.Update(t.Context(), blocked.User.ID, map[string]any{"state": model.UserBlocked}); err != nil {
		t.Fatal(err)
	}
	roles := map[model.Access]*harness.Caller{}
	for _, role := range []model.Access{model.Guest, model.Reporter, model.Developer, model.Maintainer} {
		roles[role] = h.ProjectMember(project, role)
	}
	for _, r := range projectRoutes() {
		name, _ := r.Op.Extensions["x-ability"].(string)
		need, known := access.Abilities[access.Project][access.Ability(name)]
		if !known {
			t.Errorf("%s has the ability %s, which is not one in a project", r.Op.OperationID, name)
			continue
		}
		for who, caller := range outside {
			if got := sendExample(t, caller, r); got.Status != 404 && (got.Status != 401 || who != "anonymous") {
				t.Errorf("%s: %s got %d %s", r.Op.OperationID, who, got.Status, got.Body)
			}
		}
		if got := sendExample(t, blocked, r); got.Status != 403 {
			t.Errorf("%s: a blocked owner got %d", r.Op.OperationID, got.Status)
		}
		for role, caller := range roles {
			if access.Role(role) >= need.Role {
				continue
			}
			if got := sendExample(t, caller, r); got.Status != 403 {
				t.Errorf("%s needs %s, but %s got %d %s", r.Op.OperationID, need.Role, role, got.Status, got.Body)
			}
		}
	}
	checkArchivedProject(t, h, project)
}

// checkArchivedProject checks that the owner of an archived project may do only what the table allows there.
func checkArchivedProject(t *testing.T, h *harness.H, project model.Project) {
	t.Helper()
	owner := h.ProjectMember(project, model.Owner)
	if err := h.Store.Projects.Update(t.Context(), project.ID, map[string]any{"archived": true}); err != nil {
		t.Fatal(err)
	}
	for _, r := range projectRoutes() {
		name, _ := r.Op.Extensions["x-ability"].(string)
		if access.Abilities[access.Project][access.Ability(name)].Archived {
			continue
		}
		if got := sendExample(t, owner, r); got.Status != 403 {
			t.Errorf("%s in an archived project: its owner got %d %s", r.Op.OperationID, got.Status, got.Body)
		}
	}
}

func projectRoutes() []harness.Route {
	var in []harness.Route
	for _, r := range harness.Routes() {
		if strings.HasPrefix(r.Path, "/projects/{id}") {
			in = append(in, r)
		}
	}
	return in
}

// Every operation refuses a token without any of its scopes.
func TestEveryOperationNeedsItsScope(t *testing.T) {
	t.Parallel()
	h := harness.New(t)
	weak := h.WithToken(h.Root().User, "k8s_proxy")
	for _, r := range harness.Routes() {
		scoped := false
		for _, alternative := range *r.Op.Security {
			scoped = scoped || len(alternative["oauth"]) > 0
		}
		if !scoped {
			continue
		}
		if got := sendExample(t, weak, r); got.Status != 403 || !strings.Contains(got.Body, "insufficient_scope") {
			t.Errorf("%s answered %d %s", r.Op.OperationID, got.Status, got.Body)
		}
	}
}

func allowsAnonymous(op *openapi3.Operation) bool {
	for _, alternative := range *op.Security {
		if len(alternative) == 0 {
			return true
		}
	}
	return false
}

// example returns the operation's URL with the example of each required parameter.
func example(t *testing.T, r harness.Route) string {
	t.Helper()
	path := r.Base + r.Path
	query := url.Values{}
	for _, p := range append(append(openapi3.Parameters{}, r.Item.Parameters...), r.Op.Parameters...) {
		if !p.Value.Required {
			continue
		}
		value := fmt.Sprint(p.Value.Example)
		if p.Value.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Value.Name+"}", url.PathEscape(value))
		} else {
			query.Set(p.Value.Name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path
}

func body(t *testing.T, r harness.Route) string {
	t.Helper()
	if r.Op.RequestBody == nil || r.Op.RequestBody.Value.Content["application/json"] == nil {
		return ""
	}
	data, err := json.Marshal(r.Op.RequestBody.Value.Content["application/json"].Schema.Value.Example)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
