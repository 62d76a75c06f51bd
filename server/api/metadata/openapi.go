package metadata

import (
	"bytes"
	"context"
	"net/http"

	"svc/gen"
)

// GetOpenapiJSON serves the OpenAPI document as JSON.
// GET /openapi.json
func (m *Metadata) GetOpenapiJSON(context.Context, gen.GetOpenapiJSONRequestObject) (gen.GetOpenapiJSONResponseObject, error) {
	return document(gen.SpecJSON), nil
}

// GetOpenapiYAML serves the OpenAPI document as YAML.
// GET /openapi.yaml
func (m *Metadata) GetOpenapiYAML(context.Context, gen.GetOpenapiYAMLRequestObject) (gen.GetOpenapiYAMLResponseObject, error) {
	text := gen.SpecYAML()
	return gen.GetOpenapiYAML200ApplicationYamlResponse{Body: bytes.NewReader(text), ContentLength: int64(len(text))}, nil
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
