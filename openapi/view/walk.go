package view

import "svc/openapi/ordered"

// schemas calls a function for every schema of the document. Examples and defaults contain no schemas.
func schemas(root *ordered.Object, visit func(s *ordered.Object)) {
	var schema func(value any)
	schema = func(value any) {
		s, ok := value.(*ordered.Object)
		if !ok {
			return
		}
		visit(s)
		for _, name := range []string{"items", "not", "additionalProperties"} {
			schema(s.Get(name))
		}
		for _, name := range []string{"allOf", "anyOf", "oneOf"} {
			for _, part := range s.List(name) {
				schema(part)
			}
		}
		if properties := s.Object("properties"); properties != nil {
			for _, name := range properties.Names {
				schema(properties.Get(name))
			}
		}
	}
	all := root.Object("components").Object("schemas")
	for _, name := range all.Names {
		schema(all.Get(name))
	}
	// Outside the components a schema is the member schema of a parameter, a header or a body.
	outside := ordered.New("paths", root.Get("paths"))
	for _, kind := range []string{"parameters", "headers", "responses", "requestBodies"} {
		if part := root.Object("components").Object(kind); part != nil {
			outside.Set(kind, part)
		}
	}
	walkOutside(outside, schema)
}

// walkOutside finds the members called schema, without descending into schemas and examples.
func walkOutside(value any, schema func(value any)) {
	switch value := value.(type) {
	case *ordered.Object:
		for _, name := range value.Names {
			switch name {
			case "schema":
				schema(value.Get(name))
			case "example", "examples":
			default:
				walkOutside(value.Get(name), schema)
			}
		}
	case []any:
		for _, child := range value {
			walkOutside(child, schema)
		}
	}
}
