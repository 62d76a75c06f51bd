package harness

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
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
		panic(err)
	}
	return doc
})

// Route is one operation of the OpenAPI document.
type Route struct {
	Method, Path, Base string
	Item               *openapi3.PathItem
	Op                 *openapi3.Operation
}

// Routes returns all operations of the API in the OpenAPI document.
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
		for method, op := range item.Operations() {
			if _, other := op.Extensions["x-protocol"]; other == protocols {
				routes = append(routes, Route{method, path, strings.TrimSuffix(base, "/"), item, op})
			}
		}
	}
	return routes
}

// called has the operations that answered a test with success, so that TestMain can check that every one was called.
var called sync.Map

// Called reports whether an operation answered a test of this process with success.
func Called(operationID string) bool {
	_, ok := called.Load(operationID)
	return ok
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

// match returns the operation of a request. A path that matches literally wins over one with parameters.
func match(req *http.Request) *Route {
	method := req.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	path := req.URL.EscapedPath()
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

// paginationHeaders has the headers that every page of an offset-paginated list must have.
var paginationHeaders = map[string]bool{"Link": true, "X-Next-Page": true, "X-Page": true, "X-Per-Page": true, "X-Prev-Page": true}

// Check compares a response with the OpenAPI document and returns the differences.
func Check(req *http.Request, res *http.Response, body []byte) []string {
	complaints := checkCommonHeaders(res)
	route := match(req)
	if route == nil {
		if strings.HasPrefix(req.URL.Path, "/api/") && res.StatusCode >= 400 && res.StatusCode != http.StatusTooManyRequests {
			complaints = append(complaints, value(Doc().Components.Schemas["Error"].Value, body)...)
			if err := Doc().Components.Headers["XErrorCode"].Value.Schema.Value.VisitJSON(res.Header.Get("X-Error-Code")); err != nil {
				complaints = append(complaints, "header X-Error-Code: "+err.Error())
			}
		}
		return complaints
	}
	if res.StatusCode < 300 || (res.StatusCode == http.StatusFound && redirectsOnly(route.Op)) {
		called.Store(route.Op.OperationID, true)
	}
	return append(complaints, route.Check(req, res, body)...)
}

// Check compares a response with an operation, and returns the differences.
func (r *Route) Check(req *http.Request, res *http.Response, body []byte) []string {
	declared := r.Op.Responses.Status(res.StatusCode)
	if declared == nil {
		return []string{"this status is not declared for " + r.Op.OperationID}
	}
	complaints := checkDeclaredHeaders(declared.Value, req, res)
	if req.Method == http.MethodHead {
		return complaints
	}
	return append(complaints, content(declared.Value, res, body)...)
}

// checkCommonHeaders returns complaints about headers that every response must have.
func checkCommonHeaders(res *http.Response) []string {
	var complaints []string
	for _, name := range []string{"X-Request-Id", "X-Content-Type-Options", "X-Frame-Options", "X-Runtime"} {
		if res.Header.Get(name) == "" {
			complaints = append(complaints, "header "+name+" is missing")
		}
	}
	return complaints
}

// checkDeclaredHeaders returns complaints about headers that the document declares for the response.
func checkDeclaredHeaders(declared *openapi3.Response, req *http.Request, res *http.Response) []string {
	var complaints []string
	paginated := declared.Headers["X-Page"] != nil && req.URL.Query().Get("pagination") != "keyset"
	for name, header := range declared.Headers {
		got, present := res.Header[http.CanonicalHeaderKey(name)]
		switch {
		case !present && (header.Value.Required || (paginated && paginationHeaders[name])):
			complaints = append(complaints, "header "+name+" is missing")
		case present && header.Value.Schema.Value.Type.Is("string"):
			if err := header.Value.Schema.Value.VisitJSON(got[0]); err != nil {
				complaints = append(complaints, "header "+name+": "+err.Error())
			}
		}
	}
	return complaints
}

func content(declared *openapi3.Response, res *http.Response, body []byte) []string {
	if len(declared.Content) == 0 {
		if len(body) > 0 {
			return []string{"a body is not declared"}
		}
		return nil
	}
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		return []string{"Content-Type: " + err.Error()}
	}
	kind := declared.Content.Get(media)
	if kind == nil {
		return []string{"Content-Type " + media + " is not declared"}
	}
	if media != "application/json" && !strings.HasSuffix(media, "+json") {
		return nil
	}
	return value(kind.Schema.Value, body)
}

// formats checks the formats that the service itself reads as plain texts.
var formats = map[string]openapi3.StringFormatValidator{
	"uri": openapi3.NewCallbackValidator(func(text string) error {
		if u, err := url.Parse(text); err != nil || !u.IsAbs() {
			return fmt.Errorf("%q is not an absolute URI", text)
		}
		return nil
	}),
	"byte": openapi3.NewCallbackValidator(func(text string) error { // faster than a regular expression for large files
		_, err := base64.StdEncoding.DecodeString(text)
		return err
	}),
	"email": openapi3.NewRegexpFormatValidator(openapi3.FormatOfStringForEmail),
}

func value(schema *openapi3.Schema, body []byte) []string {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return []string{"not JSON: " + err.Error()}
	}
	var complaints []string
	if err := schema.VisitJSON(v, openapi3.VisitAsResponse(), openapi3.MultiErrors(), openapi3.EnableFormatValidation(),
		openapi3.WithStringFormatValidators(formats)); err != nil {
		complaints = append(complaints, err.Error())
	}
	return append(complaints, undeclared(schema, v, "")...)
}

// undeclared finds members that the document does not name: a validator accepts them, but clients do not expect them.
func undeclared(schema *openapi3.Schema, v any, at string) []string {
	var complaints []string
	switch v := v.(type) {
	case []any:
		if schema.Items != nil {
			for i, item := range v {
				complaints = append(complaints, undeclared(schema.Items.Value, item, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		props, open := members(schema)
		for name, member := range v {
			switch p := props[name]; {
			case p != nil:
				complaints = append(complaints, undeclared(p, member, at+"."+name)...)
			case !open:
				complaints = append(complaints, "member "+at+"."+name+" is not declared")
			}
		}
	}
	return complaints
}

// members returns the members that an object may have, through every composition; open means that any member is
// allowed.
func members(schema *openapi3.Schema) (props map[string]*openapi3.Schema, open bool) {
	props = map[string]*openapi3.Schema{}
	open = schema.AdditionalProperties.Schema != nil || (schema.AdditionalProperties.Has != nil && *schema.AdditionalProperties.Has)
	for name, p := range schema.Properties {
		props[name] = p.Value
	}
	for _, parts := range []openapi3.SchemaRefs{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for _, part := range parts {
			more, partOpen := members(part.Value)
			for name, p := range more {
				props[name] = p
			}
			open = open || partOpen
		}
	}
	return props, open
}

// redirectsOnly reports whether an operation has no 2xx response, so that a redirect is its success.
func redirectsOnly(op *openapi3.Operation) bool {
	for status := range op.Responses.Map() {
		if strings.HasPrefix(status, "2") {
			return false
		}
	}
	return true
}
