package metadata

import (
	"bytes"
	"context"
	"net/http"
	"sync"

	"svc/gen"
	"svc/openapi/view"
)

// documents has the forms of the OpenAPI document, each made when it is first requested.
type documents struct {
	json, yaml         func() ([]byte, error)
	leanJSON, leanYAML func() ([]byte, error)
	v31                func() ([]byte, error)
}

func newDocuments(baseURL string) documents {
	full := sync.OnceValues(func() ([]byte, error) { return view.Instance(gen.SpecJSON, baseURL) })
	lean := sync.OnceValues(func() ([]byte, error) { return view.Lean(gen.SpecJSON, baseURL) })
	return documents{
		json: full, yaml: inYAML(full),
		leanJSON: lean, leanYAML: inYAML(lean),
		v31: sync.OnceValues(func() ([]byte, error) { return view.V31(gen.SpecJSON, baseURL) }),
	}
}

func inYAML(doc func() ([]byte, error)) func() ([]byte, error) {
	return sync.OnceValues(func() ([]byte, error) {
		data, err := doc()
		if err != nil {
			return nil, err
		}
		return view.YAML(data)
	})
}

func isLean(v *gen.DocumentView) bool { return v != nil && *v == gen.DocumentViewSdk }

// GetOpenapiJSON serves the OpenAPI document as JSON.
// GET /openapi.json
func (m *Metadata) GetOpenapiJSON(_ context.Context, req gen.GetOpenapiJSONRequestObject) (gen.GetOpenapiJSONResponseObject, error) {
	data, err := m.documents.json()
	if isLean(req.Params.View) {
		data, err = m.documents.leanJSON()
	}
	return document(data), err
}

// GetOpenapi31JSON serves the OpenAPI document as OpenAPI 3.1.
// GET /openapi-3.1.json
func (m *Metadata) GetOpenapi31JSON(context.Context, gen.GetOpenapi31JSONRequestObject) (gen.GetOpenapi31JSONResponseObject, error) {
	data, err := m.documents.v31()
	return document(data), err
}

// GetOpenapiYAML serves the OpenAPI document as YAML.
// GET /openapi.yaml
func (m *Metadata) GetOpenapiYAML(_ context.Context, req gen.GetOpenapiYAMLRequestObject) (gen.GetOpenapiYAMLResponseObject, error) {
	data, err := m.documents.yaml()
	if isLean(req.Params.View) {
		data, err = m.documents.leanYAML()
	}
	return gen.GetOpenapiYAML200ApplicationYamlResponse{Body: bytes.NewReader(data), ContentLength: int64(len(data))}, err
}

// document is a response body that is JSON already.
type document []byte

// VisitGetOpenapiJSONResponse writes the document unchanged.
func (d document) VisitGetOpenapiJSONResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(d)
	return err
}

// VisitGetOpenapi31JSONResponse writes the document unchanged.
func (d document) VisitGetOpenapi31JSONResponse(w http.ResponseWriter) error {
	return d.VisitGetOpenapiJSONResponse(w)
}
