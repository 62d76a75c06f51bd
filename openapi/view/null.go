package view

import "svc/openapi/ordered"

// strictNull rewrites what refers to another schema and may be null. OpenAPI 3.0 allows null only where the type is, and
// the schema that is referred to does not allow it. Generators prefer the short form, so the other views keep it.
func strictNull(root *ordered.Object) {
	schemas(root, func(s *ordered.Object) {
		if s.Get("nullable") == true && s.List("allOf") != nil {
			kind := s.Get("type")
			s.Drop("nullable")
			orNull(s, ordered.New("type", kind, "nullable", true, "enum", []any{nil}))
		}
	})
}

// orNull makes an alternative of what a schema refers to and null.
func orNull(s, null *ordered.Object) {
	parts := s.List("allOf")
	s.Drop("type") // the schemas below have it, and do not allow null
	s.Drop("allOf")
	other := parts[0]
	if len(parts) > 1 {
		other = ordered.New("allOf", parts)
	}
	s.Set("anyOf", []any{other, null})
}
