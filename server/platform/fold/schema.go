package fold

import "github.com/getkin/kin-openapi/openapi3"

// kind is a set of JSON types.
type kind uint8

const (
	kindString kind = 1 << iota
	kindNumber
	kindBoolean
	kindArray
	kindObject
)

// kinds collects the types that a schema names itself, in allOf or in one of its alternatives; 0 if it names none.
func kinds(s *openapi3.Schema) kind {
	if s == nil {
		return 0
	}
	var k kind
	for _, name := range s.Type.Slice() {
		k |= kindOf(name)
	}
	if k == 0 && len(s.Properties) > 0 {
		k = kindObject
	}
	for _, refs := range [...]openapi3.SchemaRefs{s.AllOf, s.OneOf, s.AnyOf} {
		for _, ref := range refs {
			k |= kinds(ref.Value)
		}
	}
	return k
}

func kindOf(name string) kind {
	switch name {
	case openapi3.TypeString:
		return kindString
	case openapi3.TypeInteger, openapi3.TypeNumber:
		return kindNumber
	case openapi3.TypeBoolean:
		return kindBoolean
	case openapi3.TypeArray:
		return kindArray
	case openapi3.TypeObject:
		return kindObject
	}
	return 0
}

// arrayOf finds the part of a schema that is an array: the schema itself, a part of allOf, or an alternative.
func arrayOf(s *openapi3.Schema) *openapi3.Schema {
	if s == nil || s.Type.Includes(openapi3.TypeArray) {
		return s
	}
	for _, refs := range [...]openapi3.SchemaRefs{s.AllOf, s.OneOf, s.AnyOf} {
		for _, ref := range refs {
			if a := arrayOf(ref.Value); a != nil {
				return a
			}
		}
	}
	return nil
}

// elementOf returns the schema of an array's elements; nil if s is not an array or does not describe them.
func elementOf(s *openapi3.Schema) *openapi3.Schema {
	if a := arrayOf(s); a != nil && a.Items != nil {
		return a.Items.Value
	}
	return nil
}

// memberOf returns the schema of one member: declared, covered by additionalProperties, or declared in an alternative.
func memberOf(s *openapi3.Schema, name string) *openapi3.Schema {
	if p := Property(s, name); p != nil || s == nil {
		return p
	}
	if extra := s.AdditionalProperties.Schema; extra != nil {
		return extra.Value
	}
	for _, refs := range [...]openapi3.SchemaRefs{s.AllOf, s.OneOf, s.AnyOf} {
		for _, ref := range refs {
			if p := memberOf(ref.Value, name); p != nil {
				return p
			}
		}
	}
	return nil
}
