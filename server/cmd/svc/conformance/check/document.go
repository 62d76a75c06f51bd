package check

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	"svc/gen"

	"github.com/getkin/kin-openapi/openapi3"
)

// Doc returns the OpenAPI document that the service publishes.
var Doc = sync.OnceValue(func() *openapi3.T {
	doc, err := openapi3.NewLoader().LoadFromData(gen.SpecJSON)
	if err != nil {
		panic(err) // the document is a part of the program
	}
	return doc
})

// Route is one operation of the OpenAPI document.
type Route struct {
	Method, Path, Base string
	Item               *openapi3.PathItem
	Op                 *openapi3.Operation
}

// Routes returns all operations of the API in the OpenAPI document, in the order of their paths.
var Routes = sync.OnceValue(func() []Route { return routes(false) })

// ProtocolRoutes returns the operations of other protocols (x-protocol): git and the alerts of monitoring programs.
var ProtocolRoutes = sync.OnceValue(func() []Route { return routes(true) })

func routes(protocols bool) []Route {
	var routes []Route
	doc := Doc()
	for _, path := range doc.Paths.InMatchingOrder() {
		item := doc.Paths.Value(path)
		base := doc.Servers[0].URL
		if len(item.Servers) > 0 {
			base = item.Servers[0].URL
		}
		operations := item.Operations()
		for _, method := range slices.Sorted(maps.Keys(operations)) {
			op := operations[method]
			if _, other := op.Extensions["x-protocol"]; other == protocols {
				routes = append(routes, Route{method, path, strings.TrimSuffix(base, "/"), item, op})
			}
		}
	}
	return routes
}

// template is the path of an operation, split at its slashes.
type template struct {
	Route
	segments []string
	rest     bool // the last parameter can contain slashes
}

// templates returns the paths of all operations by method, those with the fewest parameters first.
var templates = sync.OnceValue(func() map[string][]template {
	byMethod := map[string][]template{}
	for _, r := range Routes() {
		rest, _ := r.Op.Extensions["x-rest"].(bool)
		byMethod[r.Method] = append(byMethod[r.Method], template{r, strings.Split(r.Base+r.Path, "/"), rest})
	}
	for _, all := range byMethod {
		slices.SortStableFunc(all, func(a, b template) int {
			return strings.Count(a.Path, "{") - strings.Count(b.Path, "{")
		})
	}
	return byMethod
})

// Match returns the operation that a request calls, or nil. The path is escaped, and relative to the URL of the
// installation. A path that matches literally wins over one with parameters.
func Match(method, path string) *Route {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if strings.HasPrefix(path, "/api/v4/") {
		path = strings.TrimSuffix(path, "/") // the service ignores it
	}
	segments := strings.Split(path, "/")
	for i := range templates()[method] {
		if t := &templates()[method][i]; t.fits(segments) {
			return &t.Route
		}
	}
	return nil
}

func (t *template) fits(segments []string) bool {
	if len(t.segments) != len(segments) && (!t.rest || len(t.segments) > len(segments)) {
		return false
	}
	for i, want := range t.segments {
		before, _, open := strings.Cut(want, "{")
		if want != segments[i] && (!open || len(segments[i]) <= len(before) || !strings.HasPrefix(segments[i], before)) {
			return false
		}
	}
	return true
}

// Parameters returns the parameters of an operation, including those of its path.
func (r *Route) Parameters() []*openapi3.Parameter {
	var all []*openapi3.Parameter
	for _, list := range []openapi3.Parameters{r.Item.Parameters, r.Op.Parameters} {
		for _, p := range list {
			all = append(all, p.Value)
		}
	}
	return all
}

// Scopes returns the scopes of tokens that the operation accepts, each of which suffices. None means any token.
// Secured is false if the operation takes no token of a user, and open is true if it also works without one.
func (r *Route) Scopes() (scopes []string, secured, open bool) {
	if r.Op.Security == nil {
		return nil, false, true
	}
	for _, alternative := range *r.Op.Security {
		listed, has := alternative["oauth"]
		secured = secured || has
		open = open || len(alternative) == 0
		scopes = append(scopes, listed...)
	}
	return scopes, secured, open
}
