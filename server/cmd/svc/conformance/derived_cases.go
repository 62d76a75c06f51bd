package conformance

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"svc/server/cmd/svc/conformance/check"

	"github.com/getkin/kin-openapi/openapi3"
)

// everyOperation has checks of every operation of the document, which follow from its description: that it needs a token,
// that the token needs a scope, that what does not exist is 404, and that a broken body is 400. All of them name things
// that do not exist, so that an installation that wrongly accepts them changes nothing.
func everyOperation() Area {
	area := Area{Name: "every operation"}
	byTag := map[string]int{}
	for _, r := range check.Routes() {
		cases := derive(r)
		if len(cases) == 0 {
			continue
		}
		tag := r.Op.Tags[0]
		if _, ok := byTag[tag]; !ok {
			byTag[tag] = len(area.Scenarios)
			area.Scenarios = append(area.Scenarios, Scenario{Name: tag})
		}
		scenario := &area.Scenarios[byTag[tag]]
		scenario.Cases = append(scenario.Cases, cases...)
	}
	slices.SortFunc(area.Scenarios, func(a, b Scenario) int { return strings.Compare(a.Name, b.Name) })
	return area
}

// narrowScopes has scopes of which each operation refuses at least one.
var narrowScopes = []string{"read_user", "create_runner"}

// derive returns the cases of an operation.
func derive(r check.Route) []Case {
	if _, raw := r.Op.Extensions["x-raw"]; raw {
		return nil // the OAuth provider has cases of its own
	}
	send, id := r.Method+" "+samplePath(r), r.Op.OperationID
	scopes, secured, open := r.Scopes()
	reads := r.Method == http.MethodGet
	var cases []Case
	if secured && !open {
		cases = append(cases, Case{Promise: id + " needs a token.", As: Anonymous, Send: send, Status: 401, Reads: reads})
	}
	if narrow := narrowScope(scopes); secured && narrow != "" {
		cases = append(cases, Case{
			Promise: id + " refuses a token with the scope " + narrow + ".", As: Caller("only_" + narrow), Send: send, Status: 403,
			Has: `{"error":"insufficient_scope","error_description":"*","scope":"*"}`,
		})
	}
	if reads && secured && strings.Contains(r.Path, "{") && !needsQuery(r) && !asksForMissing[id] {
		cases = append(cases, Case{Promise: id + " does not find what does not exist.", Send: send, Status: 404, Reads: true})
	}
	if reads && secured && !needsQuery(r) {
		if there := pathOfExisting(r); there != "" {
			cases = append(cases, Case{
				Promise: id + " answers as the document says.", Send: "GET " + there, Reads: true, Then: noServerError,
			})
		}
	}
	if body := r.Op.RequestBody; body != nil && body.Value.Content["application/json"] != nil && secured {
		cases = append(cases, Case{Promise: id + " refuses a body that is not JSON.", Send: send, JSON: `{"broken":`, Status: 400})
	}
	return cases
}

// asksForMissing has operations that answer questions about what does not exist.
var asksForMissing = map[string]bool{"getNamespaceExists": true}

// narrowScope returns a scope that the operation does not accept, or "".
func narrowScope(accepted []string) string {
	if len(accepted) == 0 {
		return ""
	}
	for _, scope := range narrowScopes {
		if !slices.Contains(accepted, scope) {
			return scope
		}
	}
	return ""
}

// samplePath returns the path of an operation with parameters that name nothing.
func samplePath(r check.Route) string {
	path := r.Path
	for _, p := range r.Parameters() {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", missingParameter(p))
		}
	}
	if r.Base == "" {
		return path
	}
	return strings.TrimPrefix(r.Base+path, "/api/v4")
}

// missingParameter returns a valid value that names nothing.
func missingParameter(p *openapi3.Parameter) string {
	schema := p.Schema.Value
	switch {
	case len(schema.Enum) > 0:
		return fmt.Sprint(schema.Enum[0])
	case schema.Type.Is("integer"), len(schema.AnyOf) > 0:
		return "<missing>"
	case strings.Contains(p.Name, "sha"):
		return strings.Repeat("0", 39) + "1"
	}
	return "conformance-missing"
}

// needsQuery reports whether an operation has required parameters besides those of its path.
func needsQuery(r check.Route) bool {
	return slices.ContainsFunc(r.Parameters(), func(p *openapi3.Parameter) bool { return p.Required && p.In != "path" })
}

// pathOfExisting returns the path of an operation on things that exist, or "" if the suite knows none.
func pathOfExisting(r check.Route) string {
	path := strings.TrimPrefix(r.Base+r.Path, "/api/v4")
	for prefix, value := range map[string]string{"/projects/{id}": "/projects/<project>", "/groups/{id}": "/groups/<group>"} {
		if rest, ok := strings.CutPrefix(path, prefix); ok && (rest == "" || rest[0] == '/') {
			path = value + rest
		}
	}
	if strings.Contains(path, "{") {
		return ""
	}
	return path
}

// noServerError checks that the service has not failed.
func noServerError(_ context.Context, _ *Session, a *Answer) error {
	if a.Status >= 500 {
		return fmt.Errorf("the status is %d", a.Status)
	}
	return nil
}
