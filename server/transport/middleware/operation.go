// Package middleware holds the steps that a request goes through before and after its operation.
//
//	operation.go   the operations of the OpenAPI document and their properties
//	chain.go       joins steps into one
//	suffix.go      Suffix: paths with .json or a slash at the end
//	requestid.go   Begin: the id of the request and the address of the client
//	log.go         Log: one line per request
//	metrics.go     Metrics: counters and times by operation; the metrics page
//	costs.go       metrics: statements, git processes and waits by operation
//	trace.go       Trace: a span per request; Slow: one line per slow request
//	recover.go     Recover: panics become errors
//	secure.go      Secure: headers of every response
//	cors.go        CORS: calls of the API from pages of other origins
//	cors_oauth.go  CORSForOAuth: the same for the OAuth provider
//	exact.go       Exact: no unencoded slash in the last parameter
//	size.go        Size: limits of URLs and bodies
//	throttle.go    Throttles and OperationLimit: rate limits
//	auth.go        Authenticate: the caller
//	credential.go  where a request carries credentials
//	sudo.go        Sudo: acting as another user, and the scopes of tokens
//	params.go      Fold: input of all forms becomes one JSON shape
//	validate.go    Validate: input is checked against the document
//	deprecation.go Deprecation: headers of what is deprecated
//	compress.go    Compress: smaller bodies for clients that accept them
//	etag.go        ETag: 304 for unchanged responses
//	errors.go      WriteError: errors become responses
//	hints.go       hints in error responses
//	rules.go       hints: what the schema of a parameter allows
//	paths.go       hints: the nearest path or method of the document
//	unoffered.go   hints: paths that GitLab has and this service does not
//	slip.go        hints: misspelt names
package middleware

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"svc/server/transport/middleware/limit"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/labstack/echo/v4"
)

// Operation holds what the steps need to know about one operation of the document. It is computed once.
type Operation struct {
	ID        string
	Anonymous bool     // also allowed without a credential
	Accepted  []string // any of these scopes suffices; empty means any scope
	JobToken  bool
	Basic     bool // accepts a token as the password of HTTP Basic
	Rotation  bool // rotates a token: a revoked token that is used here revokes its whole family
	Runner    bool // for runners; the operation itself reads the credentials
	Raw       bool // the operation itself reads credentials and input, and writes its own errors
	Rest      bool // the last parameter is the rest of the path and may contain slashes
	Project   bool // the path begins with a project
	Group     bool // the path begins with a group
	Limit     limit.Rule
	MaxBody   int64
	path      []parameter
	query     []parameter
	list      bool             // responds with pages
	keyset    bool             // offers keyset pagination
	body      *openapi3.Schema // nil for an operation without a body
	stream    bool             // the body is not JSON; the operation reads it as a stream

	page            string       // path of the operation in the reference
	deprecated      *deprecation // nil unless the operation is deprecated
	deprecatedInput []deprecatedInput
}

type parameter struct {
	name     string // as declared: scope[]
	plain    string // as in error messages: scope
	schema   *openapi3.Schema
	required bool
	array    bool
	object   bool // name[key]=value
}

// Operations finds an operation by the method and the route that Echo has matched.
type Operations struct {
	byRoute map[routeKey]*lazyOperation
	base    map[string]string // document path → base path
	help    func() *help      // computed when it is first needed
}

// help is what the service compares a wrong path with.
type help struct {
	templates templates
	unoffered []unofferedPath
}

type routeKey struct{ method, path string }

// lazyOperation is an operation in the text of the document. It is parsed when it is first needed, so that the start does not
// wait for hundreds of operations.
type lazyOperation struct {
	ID   string
	read func() (*Operation, error) // runs once
}

// operation returns the parsed operation. It panics on a mistake in the document; the tests find these with Check.
func (w *lazyOperation) operation() *Operation {
	op, err := w.read()
	if err != nil {
		panic(err)
	}
	return op
}

// DefaultMaxBody is the largest size of a body unless the operation sets x-max-body.
const DefaultMaxBody = 1 << 20

// LoadOperations reads a document without references: gen.Requests.
func LoadOperations(requests []byte) (*Operations, error) {
	var doc struct {
		Servers []base
		Paths   map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(requests, &doc); err != nil {
		return nil, fmt.Errorf("load the OpenAPI document: %w", err)
	}
	ops := &Operations{byRoute: map[routeKey]*lazyOperation{}, base: map[string]string{}}
	ops.help = sync.OnceValue(func() *help { return &help{newTemplates(ops.byRoute), unofferedPaths()} })
	for path, item := range doc.Paths {
		if err := ops.addPath(path, item, doc.Servers); err != nil {
			return nil, fmt.Errorf("load the OpenAPI document: %s: %w", path, err)
		}
	}
	return ops, nil
}

type base struct{ URL string }

func (o *Operations) addPath(path string, item map[string]json.RawMessage, servers []base) error {
	shared := item["parameters"]
	if own := item["servers"]; own != nil {
		servers = nil // so that the document's own list is not overwritten
		if err := json.Unmarshal(own, &servers); err != nil {
			return err
		}
	}
	route, at := echoPath(path), strings.TrimSuffix(servers[0].URL, "/")
	o.base[route] = at
	delete(item, "parameters")
	delete(item, "servers")
	for key, text := range item {
		var name struct{ OperationID string }
		if err := json.Unmarshal(text, &name); err != nil {
			return err
		}
		method := strings.ToUpper(key)
		w := &lazyOperation{ID: name.OperationID, read: sync.OnceValues(func() (*Operation, error) {
			op, err := readOperation(shared, text)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			op.Project, op.Group = strings.HasPrefix(path, "/projects/{id}"), strings.HasPrefix(path, "/groups/{id}")
			return op, nil
		})}
		o.byRoute[routeKey{method, at + route}] = w
		if method == "GET" && item["head"] == nil {
			o.byRoute[routeKey{"HEAD", at + route}] = w
		}
	}
	return nil
}

// Check parses every operation and returns the mistakes of the document.
func (o *Operations) Check() error {
	var errs []error
	for _, w := range o.byRoute {
		_, err := w.read()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Of returns the operation of a request, or nil.
func (o *Operations) Of(c echo.Context) *Operation {
	req := info(c)
	if op, ok := req.Matched.(*Operation); ok {
		return op
	}
	found := o.byRoute[routeKey{c.Request().Method, c.Path()}]
	if found == nil {
		return nil
	}
	op := found.operation()
	req.Matched = op // cached, because every step asks for it
	return op
}

// Base returns the base path of a route: /api/v4 unless its path item names other servers.
func (o *Operations) Base(route string) string { return o.base[route] }

// IDs returns the names of all operations.
func (o *Operations) IDs() []string {
	ids := make([]string, 0, len(o.byRoute))
	for _, op := range o.byRoute {
		ids = append(ids, op.ID)
	}
	return ids
}

var pathParameter = regexp.MustCompile(`\{([^}]+)\}`)

func echoPath(path string) string { return pathParameter.ReplaceAllString(path, ":$1") }

func readOperation(shared, text []byte) (*Operation, error) {
	var item openapi3.Parameters
	if shared != nil {
		if err := json.Unmarshal(shared, &item); err != nil {
			return nil, err
		}
	}
	var op openapi3.Operation
	if err := json.Unmarshal(text, &op); err != nil {
		return nil, err
	}
	return newOperation(item, &op)
}

func newOperation(shared openapi3.Parameters, op *openapi3.Operation) (*Operation, error) {
	o := &Operation{ID: op.OperationID, MaxBody: DefaultMaxBody}
	if n, ok := op.Extensions["x-max-body"].(float64); ok {
		o.MaxBody = int64(n)
	}
	o.Rotation, _ = op.Extensions["x-rotation"].(bool)
	o.Runner, _ = op.Extensions["x-runner"].(bool)
	o.Rest, _ = op.Extensions["x-rest"].(bool)
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
		o.Accepted = append(o.Accepted, alternative["oauth"]...) // the document has an alternative for each scope
		if _, ok := alternative["jobToken"]; ok {
			o.JobToken = true
		}
		if _, ok := alternative["basic"]; ok {
			o.Basic = true
		}
	}
	for _, params := range []openapi3.Parameters{shared, op.Parameters} {
		for _, p := range params {
			if err := o.addParameter(p.Value); err != nil {
				return nil, err
			}
		}
	}
	if op.RequestBody != nil {
		o.addBody(op.RequestBody.Value)
	}
	return o, o.addDeprecations(op)
}

func (o *Operation) addParameter(p *openapi3.Parameter) error {
	param := parameter{name: p.Name, plain: strings.TrimSuffix(p.Name, "[]"), schema: p.Schema.Value, required: p.Required}
	param.array = param.schema.Type.Is("array")
	param.object = p.Style == "deepObject"
	switch p.In {
	case "path":
		o.path = append(o.path, param)
	case "query":
		o.query = append(o.query, param)
		o.list = o.list || p.Name == "page"
		o.keyset = o.keyset || p.Name == "cursor" || p.Name == "page_token" || p.Name == "id_after"
		if p.Deprecated {
			return o.addDeprecatedQuery(p)
		}
	}
	return nil
}

func (o *Operation) addBody(b *openapi3.RequestBody) {
	if media := b.Content["application/json"]; media != nil && media.Schema != nil {
		o.body = media.Schema.Value
		return
	}
	o.stream = true
}
