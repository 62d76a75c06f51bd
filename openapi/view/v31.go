package view

import "svc/openapi/ordered"

// toV31 rewrites what OpenAPI 3.1 says in another way: null is a type, bytes are a content encoding, and examples of
// schemas are a list.
func toV31(root *ordered.Object) {
	root.Set("openapi", "3.1.0")
	schemas(root, func(s *ordered.Object) {
		if s.Get("nullable") == true {
			s.Drop("nullable")
			allowNull(s)
		}
		if s.Get("format") == "binary" && s.Get("type") == "string" {
			s.Drop("format")
			s.Set("contentMediaType", "application/octet-stream")
		}
		if s.Get("format") == "byte" {
			s.Drop("format")
			s.Set("contentEncoding", "base64")
		}
		if example, ok := s.Lookup("example"); ok {
			s.Drop("example")
			s.Set("examples", []any{example})
		}
	})
}

func allowNull(s *ordered.Object) {
	if values := s.List("enum"); values != nil {
		s.Set("enum", append(append([]any{}, values...), nil))
	}
	if parts := s.List("allOf"); parts != nil {
		s.Drop("type") // the schemas below have it, and do not allow null
		s.Drop("allOf")
		other := parts[0]
		if len(parts) > 1 {
			other = ordered.New("allOf", parts)
		}
		s.Set("anyOf", []any{other, ordered.New("type", "null")})
		return
	}
	if kind, ok := s.Get("type").(string); ok {
		s.Set("type", []any{kind, "null"})
		return
	}
	for _, composition := range []string{"anyOf", "oneOf"} {
		if parts := s.List(composition); parts != nil {
			s.Set(composition, append(append([]any{}, parts...), ordered.New("type", "null")))
			return
		}
	}
}

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
