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
	if s.List("allOf") != nil {
		orNull(s, ordered.New("type", "null"))
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
