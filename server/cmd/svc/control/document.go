package control

import (
	"context"
	"errors"
	"net/http"

	contract "svc/openapi/control"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// document is the OpenAPI document of the control plane.
type document struct {
	json   []byte
	router routers.Router
}

// loadDocument reads the document and checks that it is valid.
func loadDocument() (*document, error) {
	spec, err := openapi3.NewLoader().LoadFromData(contract.Document)
	if err != nil {
		return nil, err
	}
	if err := spec.Validate(context.Background()); err != nil {
		return nil, err
	}
	text, err := spec.MarshalJSON()
	if err != nil {
		return nil, err
	}
	router, err := legacy.NewRouter(spec)
	return &document{json: text, router: router}, err
}

// check returns what is wrong with a request, and the status to answer with. The status is 0 if the document allows the
// request.
func (d *document) check(r *http.Request) (status int, message string) {
	route, path, err := d.router.FindRoute(r)
	if err != nil && err.Error() == routers.ErrMethodNotAllowed.Error() { // the router returns a copy
		return http.StatusMethodNotAllowed, "this path has no method " + r.Method
	}
	if err != nil {
		return http.StatusNotFound, "the control plane has no path " + r.URL.Path + "; see /openapi.yaml"
	}
	err = openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
		Request: r, PathParams: path, Route: route,
	})
	if err == nil {
		return 0, ""
	}
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		message = schema.Reason
		if at := schema.JSONPointer(); len(at) > 0 {
			message = at[len(at)-1] + ": " + message
		}
		return http.StatusBadRequest, message
	}
	return http.StatusBadRequest, err.Error()
}
