package harness

import (
	"net/http"
	"strings"
	"sync"

	"svc/server/cmd/svc/conformance/check"

	"github.com/getkin/kin-openapi/openapi3"
)

// Doc returns the OpenAPI document that the service publishes.
func Doc() *openapi3.T { return check.Doc() }

// Route is one operation of the OpenAPI document.
type Route = check.Route

// Routes returns all operations of the API in the OpenAPI document.
func Routes() []Route { return check.Routes() }

// ProtocolRoutes returns the operations of other protocols (x-protocol): git and the alerts of monitoring programs.
func ProtocolRoutes() []Route { return check.ProtocolRoutes() }

// called has the operations that answered a test with success, so that TestMain can check that every one was called.
var called sync.Map

// Called reports whether an operation answered a test of this process with success.
func Called(operationID string) bool {
	_, ok := called.Load(operationID)
	return ok
}

// match returns the operation that a request calls, or nil.
func match(req *http.Request) *Route { return check.Match(req.Method, req.URL.EscapedPath()) }

// Check compares a response with the OpenAPI document and returns the differences.
func Check(req *http.Request, res *http.Response, body []byte) []string {
	complaints := checkCommonHeaders(res)
	answer := check.Answer{Method: req.Method, Query: req.URL.Query(), Status: res.StatusCode, Header: res.Header, Body: body}
	route := match(req)
	if strings.TrimSuffix(req.URL.Path, "/") == "/api/graphql" {
		route = graphql(req.Method)
	}
	if route == nil {
		return append(complaints, texts(check.CompareUnknown(req.URL.Path, answer))...)
	}
	if res.StatusCode < 300 || (res.StatusCode == http.StatusFound && redirectsOnly(route.Op)) {
		called.Store(route.Op.OperationID, true)
	}
	return append(complaints, texts(route.Compare(answer))...)
}

// graphql returns the route of GraphQL, which is the only other protocol whose answers the document describes in full.
func graphql(method string) *Route {
	for _, r := range ProtocolRoutes() {
		if r.Path == "/api/graphql" && r.Method == method {
			return &r
		}
	}
	return nil
}

// CheckOperation compares a response with one operation and returns the differences.
func CheckOperation(route Route, req *http.Request, res *http.Response, body []byte) []string {
	return texts(route.Compare(check.Answer{
		Method: req.Method, Query: req.URL.Query(), Status: res.StatusCode, Header: res.Header, Body: body,
	}))
}

func texts(found []check.Difference) []string {
	var all []string
	for _, d := range found {
		all = append(all, d.Text)
	}
	return all
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

// redirectsOnly reports whether an operation has no 2xx response, so that a redirect is its success.
func redirectsOnly(op *openapi3.Operation) bool {
	for status := range op.Responses.Map() {
		if strings.HasPrefix(status, "2") {
			return false
		}
	}
	return true
}
