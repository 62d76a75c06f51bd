package fold

import "github.com/getkin/kin-openapi/openapi3"

// Property finds a property by name, also in allOf; nil if the schema does not declare it.
func Property(schema *openapi3.Schema, name string) *openapi3.Schema {
	if schema == nil {
		return nil
	}
	if ref := schema.Properties[name]; ref != nil && ref.Value != nil {
		return ref.Value
	}
	for _, ref := range schema.AllOf {
		if p := Property(ref.Value, name); p != nil {
			return p
		}
	}
	return nil
}

// Merge adds to body the members of query that the schema declares and the body lacks, and returns body. A member of
// the body wins as a whole: nested objects are not merged. The result is never nil, so that defaults can be set in it.
func Merge(body, query map[string]any, schema *openapi3.Schema) map[string]any {
	if body == nil {
		body = make(map[string]any, len(query))
	}
	for name, v := range query {
		if _, ok := body[name]; !ok && Property(schema, name) != nil {
			body[name] = v
		}
	}
	return body
}
