package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"svc/server/cmd/svc/conformance/check"

	"github.com/getkin/kin-openapi/openapi3"
)

// mayWrite has the beginnings of paths below which generated requests may write. Everything there belongs to the user,
// the group or the project of the fuzzer.
var mayWrite = []string{
	"/projects/{id}/", "/groups/{id}/", "/user/", "/snippets", "/notification_settings", "/todos", "/markdown", "/ci/lint",
}

// mayUpdate has operations on the project and the group themselves.
var mayUpdate = []string{"updateProject", "updateGroup"}

// neverFuzz has operations that would end the round or reach beyond it: they move or freeze the project or the group,
// join it to others, or create what the suite would not find again.
var neverFuzz = []string{
	"archiveProject", "unarchiveProject", "transferProject", "transferProjectToGroup", "transferGroup", "exportGroup", "forkProject",
	"createProjectForkRelation", "createCurrentUserRunner", "createProjectRunner", "createProjectRepositoryStorageMove",
	"createGroupRepositoryStorageMove", "createSnippetRepositoryStorageMove",
}

// mayFuzz reports whether generated requests may call an operation.
func mayFuzz(r check.Route) bool {
	_, secured, _ := r.Scopes()
	_, raw := r.Op.Extensions["x-raw"]
	if _, runner := r.Op.Extensions["x-runner"]; runner || raw || !secured || slices.Contains(neverFuzz, r.Op.OperationID) ||
		r.Base != "/api/v4" {
		return false
	}
	if r.Method == http.MethodGet {
		return true
	}
	if b := r.Op.RequestBody; b != nil && b.Value.Content["application/json"] == nil {
		return false
	}
	return slices.Contains(mayUpdate, r.Op.OperationID) ||
		slices.ContainsFunc(mayWrite, func(prefix string) bool { return strings.HasPrefix(r.Path, prefix) })
}

// generated is a generated request, in parts, so that it can be made smaller.
type generated struct {
	route   check.Route
	path    string // below /api/v4
	query   url.Values
	body    map[string]any
	refuse  string // what is wrong, if the service must refuse it
	hasBody bool
}

// generate makes a request for an operation.
func (z *fuzzer) generate(r check.Route) generated {
	g := generated{route: r, path: z.fillPath(r), query: url.Values{}}
	for _, p := range r.Parameters() {
		if p.In == "query" && p.Name != "sudo" && (p.Required || z.source.Chance(20)) {
			z.addQuery(g.query, p)
		}
	}
	schema := bodySchema(r)
	if schema == nil {
		return g
	}
	g.hasBody = true
	g.body = z.validBody(r, schema)
	switch mode := z.source.IntN(10); {
	case mode < 2 && !hasNotValidated(r):
		g.body, g.refuse = z.source.Wrong(schema, g.body)
	case mode < 5:
		g.body = z.source.Strange(schema, g.body)
	}
	return g
}

// bodySchema returns the schema of the JSON body of an operation, or nil.
func bodySchema(r check.Route) *openapi3.Schema {
	if r.Op.RequestBody == nil || r.Op.RequestBody.Value.Content["application/json"] == nil {
		return nil
	}
	return r.Op.RequestBody.Value.Content["application/json"].Schema.Value
}

// hasNotValidated reports whether the service checks keywords of the body with texts and statuses of its own.
func hasNotValidated(r check.Route) bool {
	_, has := r.Op.Extensions["x-not-validated"]
	return has
}

// validBody returns a body that follows the schema: the example of the document, or a new one.
func (z *fuzzer) validBody(r check.Route, schema *openapi3.Schema) map[string]any {
	media := r.Op.RequestBody.Value.Content["application/json"]
	example, ok := media.Example.(map[string]any)
	if !ok {
		example, ok = schema.Example.(map[string]any)
	}
	if ok && z.source.Chance(40) {
		body := maps.Clone(example)
		for _, name := range slices.Sorted(maps.Keys(body)) {
			p := schema.Properties[name]
			if p == nil {
				delete(body, name)
				continue
			}
			if value, fixed := z.override(name, p.Value); fixed {
				body[name] = value
			}
		}
		return body
	}
	body, _ := z.source.Value(schema).(map[string]any)
	return body
}

func (z *fuzzer) addQuery(query url.Values, p *openapi3.Parameter) {
	value := z.source.Named(p.Name, p.Schema.Value)
	if _, fixed := z.override(p.Name, p.Schema.Value); !fixed && z.source.Chance(10) {
		value = z.source.Value(&openapi3.Schema{Type: &openapi3.Types{"string"}})
	}
	if list, ok := value.([]any); ok {
		for _, element := range list {
			query.Add(strings.TrimSuffix(p.Name, "[]")+"[]", plainText(element))
		}
		return
	}
	if value != nil {
		query.Set(p.Name, plainText(value))
	}
}

func plainText(value any) string {
	switch value := value.(type) {
	case map[string]any, []any:
		data, _ := json.Marshal(value) // generated values always marshal
		return string(data)
	default:
		return fmt.Sprint(value)
	}
}

// fillPath fills the parameters of a path: with things of this fuzzer, or with something that names nothing.
func (z *fuzzer) fillPath(r check.Route) string {
	segments := strings.Split(r.Path, "/")
	for i, segment := range segments {
		before, parameter, open := strings.Cut(segment, "{")
		if !open {
			continue
		}
		parameter = strings.TrimSuffix(parameter, "}")
		segments[i] = before + url.PathEscape(z.pathValue(strings.Join(strings.Split(r.Path, "/")[:i+1], "/"), parameter))
	}
	return strings.Join(segments, "/")
}

func (z *fuzzer) pathValue(item, parameter string) string {
	known := z.pool[item]
	switch {
	case len(known) > 0 && z.source.Chance(93):
		return known[z.source.IntN(len(known))]
	case z.source.Chance(50):
		return noSuchID
	}
	if strings.HasSuffix(parameter, "id") {
		return []string{"0", "-1", "9223372036854775807", "9223372036854775808", "x"}[z.source.IntN(5)]
	}
	return []string{"conformance-nothing", "ключ", "a\u0000b", "..", "%", "conformance nothing"}[z.source.IntN(6)]
}

// override keeps generated values from naming things of others: IDs, users, addresses and namespaces.
func (z *fuzzer) override(name string, schema *openapi3.Schema) (any, bool) {
	name = strings.TrimSuffix(strings.ToLower(name), "[]")
	switch {
	case name == "sudo":
		return nil, true
	case name == "id", strings.HasSuffix(name, "_id"):
		return z.ownID(name), true
	case name == "ids", strings.HasSuffix(name, "_ids"):
		return []any{z.ownID(strings.TrimSuffix(name, "s"))}, true
	case strings.Contains(name, "username"):
		if schema.Type.Is("array") {
			return []any{"conformance-nobody"}, true
		}
		return "conformance-nobody", true
	case strings.Contains(name, "email") && schema.Type.Is("string"):
		return "someone@fuzz.invalid", true
	case strings.HasSuffix(name, "url") && schema.Type.Is("string"):
		return "https://fuzz.invalid/" + fmt.Sprint(z.source.IntN(1000)), true
	case strings.Contains(name, "namespace"), name == "start_project", name == "full_path":
		return "conformance-nothing", true
	}
	return nil, false
}

// ownID returns the ID of a thing of this fuzzer that a member with this name may stand for, or one that names nothing.
func (z *fuzzer) ownID(name string) any {
	item := ""
	for _, kind := range []struct{ words, item string }{
		{"project", "/projects/{id}"},
		{"group namespace parent", "/groups/{id}"},
		{"user assignee reviewer author", "/users/{id}"},
		{"milestone", "/projects/{id}/milestones/{milestone_id}"},
	} {
		if slices.ContainsFunc(strings.Fields(kind.words), func(word string) bool { return strings.Contains(name, word) }) {
			item = kind.item
			break
		}
	}
	known, id := z.pool[item], int64(0)
	if len(known) == 0 || z.source.Chance(20) {
		known = []string{noSuchID}
	}
	_, _ = fmt.Sscan(known[z.source.IntN(len(known))], &id) // an ID is a number; 0 names nothing
	return id
}

// request makes the HTTP request.
func (g generated) request() Request {
	r := Request{Method: g.route.Method, Path: "/api/v4" + g.path, Header: http.Header{}, As: fuzzUser}
	if len(g.query) > 0 {
		r.Path += "?" + g.query.Encode()
	}
	if g.hasBody {
		r.Body, _ = json.Marshal(g.body) // generated values always marshal
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}
