package metadata

import (
	"context"
	"net/http"
	"sync"

	"svc/gen"
	"svc/openapi/view"
	"svc/server/platform/respond"
)

// documents has the forms of the OpenAPI document, each made when it is first requested.
type documents struct {
	json, yaml         func() (document, error)
	leanJSON, leanYAML func() (document, error)
	v31                func() (document, error)
}

func newDocuments(baseURL string) documents {
	full, lean := form(baseURL, view.Instance), form(baseURL, view.Lean)
	return documents{json: full, yaml: inYAML(full), leanJSON: lean, leanYAML: inYAML(lean), v31: form(baseURL, view.V31)}
}

// form returns a function that makes a view of the document when it is first called.
func form(baseURL string, derive func(doc []byte, baseURL string) ([]byte, error)) func() (document, error) {
	return sync.OnceValues(func() (document, error) {
		text, err := derive(gen.SpecJSON, baseURL)
		if err != nil {
			return document{}, err
		}
		return compress(text)
	})
}

func inYAML(inJSON func() (document, error)) func() (document, error) {
	return sync.OnceValues(func() (document, error) {
		doc, err := inJSON()
		if err != nil {
			return document{}, err
		}
		text, err := doc.text()
		if err != nil {
			return document{}, err
		}
		if text, err = view.YAML(text); err != nil {
			return document{}, err
		}
		return compress(text)
	})
}

func isLean(v *gen.DocumentView) bool { return v != nil && *v == gen.DocumentViewSdk }

// GetOpenapiJSON serves the OpenAPI document as JSON.
// GET /openapi.json
func (m *Metadata) GetOpenapiJSON(ctx context.Context, req gen.GetOpenapiJSONRequestObject) (gen.GetOpenapiJSONResponseObject, error) {
	if isLean(req.Params.View) {
		return asJSON(ctx, m.documents.leanJSON)
	}
	return asJSON(ctx, m.documents.json)
}

// GetOpenapi31JSON serves the OpenAPI document as OpenAPI 3.1.
// GET /openapi-3.1.json
func (m *Metadata) GetOpenapi31JSON(ctx context.Context, _ gen.GetOpenapi31JSONRequestObject) (gen.GetOpenapi31JSONResponseObject, error) {
	return asJSON(ctx, m.documents.v31)
}

// GetOpenapiYAML serves the OpenAPI document as YAML.
// GET /openapi.yaml
func (m *Metadata) GetOpenapiYAML(_ context.Context, req gen.GetOpenapiYAMLRequestObject) (gen.GetOpenapiYAMLResponseObject, error) {
	made := m.documents.yaml
	if isLean(req.Params.View) {
		made = m.documents.leanYAML
	}
	doc, err := made()
	if err != nil {
		return nil, err
	}
	body, err := doc.open()
	return gen.GetOpenapiYAML200ApplicationYamlResponse{Body: body, ContentLength: int64(doc.size)}, err
}

func asJSON(ctx context.Context, made func() (document, error)) (jsonDocument, error) {
	doc, err := made()
	return jsonDocument{respond.Stream{
		Context: ctx, Type: "application/json", CacheControl: respond.Revalidate, ETag: doc.tag, Size: int64(doc.size), Write: doc.writeTo,
	}}, err
}

// jsonDocument is a response with a document in JSON.
type jsonDocument struct{ respond.Stream }

// VisitGetOpenapiJSONResponse writes the document.
func (d jsonDocument) VisitGetOpenapiJSONResponse(w http.ResponseWriter) error { return d.Send(w) }

// VisitGetOpenapi31JSONResponse writes the document.
func (d jsonDocument) VisitGetOpenapi31JSONResponse(w http.ResponseWriter) error { return d.Send(w) }
