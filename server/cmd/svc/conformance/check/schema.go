package check

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"

	"github.com/getkin/kin-openapi/openapi3"
)

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

// CompareJSON compares a JSON text with a schema and returns the differences.
func CompareJSON(schema *openapi3.Schema, body []byte) []Difference {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		return []Difference{{Schema, "not JSON: " + err.Error()}}
	}
	var found []Difference
	if err := schema.VisitJSON(v, openapi3.VisitAsResponse(), openapi3.MultiErrors(), openapi3.EnableFormatValidation(),
		openapi3.WithStringFormatValidators(formats)); err != nil {
		found = append(found, Difference{Schema, err.Error()})
	}
	return append(found, undeclared(schema, v, "")...)
}

// undeclared finds members that the document does not name: a validator accepts them, but clients do not expect them.
func undeclared(schema *openapi3.Schema, v any, at string) []Difference {
	var found []Difference
	switch v := v.(type) {
	case []any:
		if schema.Items != nil {
			for i, item := range v {
				found = append(found, undeclared(schema.Items.Value, item, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		props, open := members(schema)
		for name, member := range v {
			switch p := props[name]; {
			case p != nil:
				found = append(found, undeclared(p, member, at+"."+name)...)
			case !open:
				found = append(found, Difference{Member, "member " + at + "." + name + " is not declared"})
			}
		}
	}
	return found
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
