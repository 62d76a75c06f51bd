package contract

import (
	"strings"
	"testing"

	"svc/gen"
	"svc/openapi/view"
	"svc/tests/harness"

	"github.com/getkin/kin-openapi/openapi3"
)

// Every operation of the published document shows a request and a success, and each example is right by its schema.
// make golden writes the examples of new operations.
func TestEveryOperationHasATrueExample(t *testing.T) {
	data, err := view.Instance(gen.SpecJSON, "https://svc.example.com")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context(), openapi3.DisableExamplesValidation()); err != nil {
		t.Error(err)
	}
	for _, r := range harness.Routes() {
		op := doc.Paths.Value(r.Path).GetOperation(r.Method)
		if isPage(op) || r.Op.Tags[0] == "metadata" && strings.Contains(r.Path, "/openapi") {
			continue // for browsers; or the document itself
		}
		if body := op.RequestBody; body != nil {
			checkBody(t, op.OperationID+": the request", body.Value.Content)
			for _, media := range body.Value.Content {
				if unknown := harness.UnknownMembers(media.Schema.Value, media.Example); unknown != nil {
					t.Errorf("%s: the request has the unknown members %v", op.OperationID, unknown)
				}
			}
		}
		for status, response := range op.Responses.Map() {
			checkBody(t, op.OperationID+": the answer "+status, response.Value.Content)
		}
		if body := op.RequestBody; body != nil && !hasExample(body.Value.Content) {
			t.Errorf("%s has no example of a request", op.OperationID)
		}
		if !showsSuccess(op) {
			t.Errorf("%s has no example of a success", op.OperationID)
		}
	}
}

// checkBody checks the examples of a body.
func checkBody(t *testing.T, name string, content openapi3.Content) {
	t.Helper()
	for kind, media := range content {
		if media.Example == nil {
			continue
		}
		if err := media.Schema.Value.VisitJSON(media.Example, openapi3.MultiErrors()); err != nil {
			t.Errorf("%s has a wrong example of %s: %.300v", name, kind, err)
		}
	}
}

// Every member of an object says what it is.
func TestEveryMemberHasADescription(t *testing.T) {
	for name, schema := range harness.Doc().Components.Schemas {
		checkMembers(t, name, schema.Value)
	}
}

func checkMembers(t *testing.T, name string, schema *openapi3.Schema) {
	t.Helper()
	for member, property := range schema.Properties {
		if property.Value.Description == "" && property.Ref == "" && len(property.Value.AllOf) == 0 {
			t.Errorf("%s.%s has no description", name, member)
		}
		if property.Ref == "" {
			checkMembers(t, name+"."+member, property.Value)
		}
	}
	if schema.Items != nil && schema.Items.Ref == "" {
		checkMembers(t, name+"[]", schema.Items.Value)
	}
	for _, parts := range []openapi3.SchemaRefs{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for _, part := range parts {
			if part.Ref == "" {
				checkMembers(t, name, part.Value)
			}
		}
	}
}

// isPage reports whether an operation shows a page or redirects a browser.
func isPage(op *openapi3.Operation) bool {
	ok := op.Responses.Status(200)
	return ok == nil && op.Responses.Status(302) != nil || ok != nil && ok.Value.Content["text/html"] != nil
}

// showsSuccess reports whether one of the successes has an example, or none has a body.
func showsSuccess(op *openapi3.Operation) bool {
	bodies := 0
	for status, response := range op.Responses.Map() {
		if !strings.HasPrefix(status, "2") || len(response.Value.Content) == 0 {
			continue
		}
		bodies++
		if hasExample(response.Value.Content) {
			return true
		}
	}
	return bodies == 0
}

// hasExample reports whether a body has an example. A body without content, or of bytes only, needs none.
func hasExample(content openapi3.Content) bool {
	readable := false
	for _, media := range content {
		if media.Example != nil {
			return true
		}
		readable = readable || media.Schema == nil || media.Schema.Value.Format != "binary"
	}
	return !readable
}
