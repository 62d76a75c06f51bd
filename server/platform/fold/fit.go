package fold

import (
	"encoding/json"

	"github.com/getkin/kin-openapi/openapi3"
)

// alternative changes nothing in a value that one of the branches accepts as it is. Otherwise it converts a scalar
// along the first branch for which that works, and an object or array along the first branch that it can be meant for.
func (c *coercer) alternative(v any, branches openapi3.SchemaRefs) (any, bool) {
	if len(branches) == 0 || anyFits(v, branches) {
		return v, false
	}
	for _, ref := range branches {
		switch t := v.(type) {
		case map[string]any:
			if kinds(ref.Value)&kindObject != 0 && plausible(t, ref.Value) || byIndex(t, ref.Value) != nil {
				return c.value(v, ref.Value)
			}
		case []any:
			if kinds(ref.Value)&kindArray != 0 {
				return c.value(v, ref.Value)
			}
		default:
			if n, other := c.value(v, ref.Value); other && fits(n, ref.Value) {
				return n, true
			}
		}
	}
	return v, false
}

// plausible reports whether an object may be meant for a branch: all required members exist, and no text contradicts
// the allowed values of its member, because these distinguish the branches.
func plausible(members map[string]any, s *openapi3.Schema) bool {
	if s == nil || !hasRequired(members, s) {
		return false
	}
	for name, ref := range s.Properties {
		text, ok := members[name].(string)
		if ok && kinds(ref.Value) == kindString && !allowed(text, ref.Value) {
			return false
		}
	}
	for _, ref := range s.AllOf {
		if !plausible(members, ref.Value) {
			return false
		}
	}
	return true
}

func hasRequired(members map[string]any, s *openapi3.Schema) bool {
	for _, name := range s.Required {
		if _, ok := members[name]; !ok {
			return false
		}
	}
	return true
}

// fits checks types, allowed values and required members. Validation checks formats, patterns and sizes.
func fits(v any, s *openapi3.Schema) bool {
	if s == nil {
		return true
	}
	if v == nil && s.Nullable {
		return true
	}
	for _, ref := range s.AllOf {
		if !fits(v, ref.Value) {
			return false
		}
	}
	if len(s.OneOf) > 0 && !anyFits(v, s.OneOf) || len(s.AnyOf) > 0 && !anyFits(v, s.AnyOf) {
		return false
	}
	if !ofType(v, s) || !allowed(v, s) {
		return false
	}
	switch t := v.(type) {
	case nil:
		// s itself does not allow null, so one of its parts must.
		return len(s.AllOf)+len(s.OneOf)+len(s.AnyOf) > 0
	case map[string]any:
		return membersFit(t, s)
	case []any:
		return elementsFit(t, s)
	}
	return true
}

func anyFits(v any, branches openapi3.SchemaRefs) bool {
	for _, ref := range branches {
		if fits(v, ref.Value) {
			return true
		}
	}
	return false
}

func membersFit(members map[string]any, s *openapi3.Schema) bool {
	if !hasRequired(members, s) {
		return false
	}
	extra := s.AdditionalProperties
	for name, child := range members {
		ref := s.Properties[name]
		if ref == nil {
			if extra.Has != nil && !*extra.Has {
				return false
			}
			ref = extra.Schema
		}
		if ref != nil && !fits(child, ref.Value) {
			return false
		}
	}
	return true
}

func elementsFit(elements []any, s *openapi3.Schema) bool {
	if s.Items == nil {
		return true
	}
	for _, e := range elements {
		if !fits(e, s.Items.Value) {
			return false
		}
	}
	return true
}

func ofType(v any, s *openapi3.Schema) bool {
	types := s.Type.Slice()
	for _, name := range types {
		if isType(v, name) {
			return true
		}
	}
	return len(types) == 0
}

func isType(v any, name string) bool {
	switch t := v.(type) {
	case string:
		return name == openapi3.TypeString
	case json.Number:
		return name == openapi3.TypeNumber || name == openapi3.TypeInteger && integral(t)
	case bool:
		return name == openapi3.TypeBoolean
	case []any:
		return name == openapi3.TypeArray
	case map[string]any:
		return name == openapi3.TypeObject
	}
	return false
}

// allowed compares scalars with the enum. Objects and arrays in an enum are left to validation.
func allowed(v any, s *openapi3.Schema) bool {
	if len(s.Enum) == 0 {
		return true
	}
	switch t := v.(type) {
	case string, bool:
		for _, e := range s.Enum {
			if e == v {
				return true
			}
		}
		return false
	case json.Number:
		f, err := t.Float64()
		for _, e := range s.Enum {
			if g, ok := float(e); ok && err == nil && f == g {
				return true
			}
		}
		return false
	}
	return true
}

// float converts a number in the form of the schema loader, or of code that builds a schema.
func float(v any) (float64, bool) {
	switch t := v.(type) {
	case float64:
		return t, true
	case int:
		return float64(t), true
	case int64:
		return float64(t), true
	case uint64:
		return float64(t), true
	case json.Number:
		f, err := t.Float64()
		return f, err == nil
	}
	return 0, false
}
