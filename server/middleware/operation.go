// Package middleware is the steps of a request before and after its operation, one file each.
package middleware

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"svc/server/access"
	"svc/server/limit"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// Operation is what the steps need to know of one operation of the document, worked out once at start.
type Operation struct {
	ID        string
	Anonymous bool     // also without a credential
	Accepted  []string // scopes that suffice; none means any
	JobToken  bool
	Rotation  bool // replaces a token: a revoked one that comes here ends its family
	Raw       bool // reads credentials and input, and refuses, in its own way
	Limit     limit.Rule
	MaxBody   int64
	path      []parameter
	query     []parameter
	body      *openapi3.Schema // nil for an operation without one
	quickBody *quick
	stream    bool // the body is not JSON and goes to the operation as it comes
}

type parameter struct {
	name     string // as declared: scope[]
	plain    string // as errors call it: scope
	schema   *openapi3.Schema
	quick    *quick
	required bool
	array    bool
	object   bool // name[key]=value
}

// Operations finds an operation by Echo's own match: method and route.
type Operations struct {
	byRoute map[routeKey]*Operation
	base    map[string]string // document path → base path
}

type routeKey struct{ method, path string }

// DefaultMaxBody is the size of a body unless the operation says otherwise in x-max-body.
const DefaultMaxBody = 1 << 20

// LoadOperations reads the document that is served and validated by.
func LoadOperations(spec []byte) (*Operations, error) {
	doc, err := openapi3.NewLoader().LoadFromData(spec)
	if err != nil {
		return nil, fmt.Errorf("load the OpenAPI document: %w", err)
	}
	if err := doc.Validate(context.Background(), openapi3.DisableExamplesValidation()); err != nil {
		return nil, fmt.Errorf("check the OpenAPI document: %w", err)
	}
	ops := &Operations{byRoute: map[routeKey]*Operation{}, base: map[string]string{}}
	for path, item := range doc.Paths.Map() {
		base := strings.TrimSuffix(doc.Servers[0].URL, "/")
		if len(item.Servers) > 0 {
			base = strings.TrimSuffix(item.Servers[0].URL, "/")
		}
		route := echoPath(path)
		ops.base[route] = base
		for method, op := range item.Operations() {
			o, err := newOperation(method, item, op)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			ops.byRoute[routeKey{method, base + route}] = o
			if method == "GET" && item.Head == nil {
				ops.byRoute[routeKey{"HEAD", base + route}] = o
			}
		}
	}
	return ops, nil
}

// Of is the operation that a request was routed to, or nil.
func (o *Operations) Of(c echo.Context) *Operation {
	req := info(c)
	if op, ok := req.Matched.(*Operation); ok {
		return op
	}
	op := o.byRoute[routeKey{c.Request().Method, c.Path()}]
	if op != nil {
		req.Matched = op // every step asks
	}
	return op
}

// Base is where a route of the document hangs: /api/v4 unless its path item names other servers.
func (o *Operations) Base(route string) string { return o.base[route] }

// IDs are the names of all operations.
func (o *Operations) IDs() []string {
	ids := make([]string, 0, len(o.byRoute))
	for _, op := range o.byRoute {
		ids = append(ids, op.ID)
	}
	return ids
}

var pathParameter = regexp.MustCompile(`\{([^}]+)\}`)

func echoPath(path string) string { return pathParameter.ReplaceAllString(path, ":$1") }

func newOperation(method string, item *openapi3.PathItem, op *openapi3.Operation) (*Operation, error) {
	o := &Operation{ID: op.OperationID, MaxBody: DefaultMaxBody}
	if n, ok := op.Extensions["x-max-body"].(float64); ok {
		o.MaxBody = int64(n)
	}
	o.Rotation, _ = op.Extensions["x-rotation"].(bool)
	o.Raw, _ = op.Extensions["x-raw"].(bool)
	if name, ok := op.Extensions["x-limit"].(string); ok {
		rule, known := limit.Named[name]
		if !known {
			return nil, fmt.Errorf("x-limit %q is not one of the named limits", name)
		}
		rule.Name = name
		o.Limit = rule
	}
	if op.Security == nil {
		return nil, fmt.Errorf("security is missing")
	}
	for _, alternative := range *op.Security {
		if len(alternative) == 0 {
			o.Anonymous = true
		}
		if scopes, ok := alternative["oauth"]; ok {
			o.Accepted = access.Accepted(scopes, method == "GET" || method == "HEAD")
		}
		if _, ok := alternative["jobToken"]; ok {
			o.JobToken = true
		}
	}
	for _, params := range []openapi3.Parameters{item.Parameters, op.Parameters} {
		for _, p := range params {
			o.addParameter(p.Value)
		}
	}
	if op.RequestBody != nil {
		o.addBody(op.RequestBody.Value)
	}
	return o, nil
}

func (o *Operation) addParameter(p *openapi3.Parameter) {
	param := parameter{name: p.Name, plain: strings.TrimSuffix(p.Name, "[]"), schema: p.Schema.Value, quick: newQuick(p.Schema.Value), required: p.Required}
	param.array = param.schema.Type.Is("array")
	param.object = p.Style == "deepObject"
	switch p.In {
	case "path":
		o.path = append(o.path, param)
	case "query":
		o.query = append(o.query, param)
	}
}

func (o *Operation) addBody(b *openapi3.RequestBody) {
	if media := b.Content["application/json"]; media != nil && media.Schema != nil {
		o.body, o.quickBody = media.Schema.Value, newQuick(media.Schema.Value)
		return
	}
	o.stream = true
}
