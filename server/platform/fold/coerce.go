package fold

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Coerce converts values that a client may send in another spelling into the types of the schema. It works in place
// where possible, and returns the value. It leaves a value that does not fit as it is, for validation to report.
func Coerce(v any, schema *openapi3.Schema) any {
	c := coercer{left: DefaultLimits.Values}
	v, _ = c.value(v, schema)
	return v
}

// coercer walks a value along its schema. Its methods report whether they return another value, so that the parent is
// written only then.
type coercer struct {
	left int // number of elements that comma-separated texts may still become
}

func (c *coercer) value(v any, s *openapi3.Schema) (any, bool) {
	if v == nil || s == nil {
		return v, false
	}
	if v == "" && s.Nullable && !takesEmptyText(s) {
		return nil, true // an empty date in a form clears the date
	}
	changed := false
	for _, ref := range s.AllOf {
		if n, other := c.value(v, ref.Value); other {
			v, changed = n, true
		}
	}
	if n, other := c.alternative(v, s.OneOf); other {
		v, changed = n, true
	}
	if n, other := c.alternative(v, s.AnyOf); other {
		v, changed = n, true
	}
	if n, other := c.typed(v, s); other {
		v, changed = n, true
	}
	return v, changed
}

func (c *coercer) typed(v any, s *openapi3.Schema) (any, bool) {
	types := s.Type.Slice()
	if len(types) == 0 {
		if members, ok := v.(map[string]any); ok {
			c.members(members, s)
		}
		return v, false
	}
	for _, name := range types {
		if isType(v, name) {
			return c.as(v, name, s)
		}
	}
	for _, name := range types {
		if n, other := c.as(v, name, s); other {
			return n, true
		}
	}
	return v, false
}

func (c *coercer) as(v any, name string, s *openapi3.Schema) (any, bool) {
	switch name {
	case openapi3.TypeArray:
		return c.array(v, s)
	case openapi3.TypeObject:
		if members, ok := v.(map[string]any); ok {
			c.members(members, s)
		}
	case openapi3.TypeInteger:
		return asInteger(v)
	case openapi3.TypeNumber:
		return asNumber(v)
	case openapi3.TypeBoolean:
		return asBoolean(v)
	case openapi3.TypeString:
		return asString(v)
	}
	return v, false
}

func (c *coercer) members(members map[string]any, s *openapi3.Schema) {
	extra := s.AdditionalProperties.Schema
	if len(s.Properties) == 0 && extra == nil {
		return
	}
	for name, child := range members {
		ref := s.Properties[name]
		if ref == nil {
			ref = extra
		}
		if ref == nil {
			continue
		}
		n, other := c.value(child, ref.Value)
		switch {
		case isBlank(n) && ref != extra && !keepsBlank(n, name, s, ref.Value):
			delete(members, name)
		case other:
			members[name] = n
		}
	}
}

func (c *coercer) array(v any, s *openapi3.Schema) (any, bool) {
	switch t := v.(type) {
	case []any:
		if len(t) == 1 && splitsElements(s) {
			if text, ok := t[0].(string); ok {
				return c.split(text, v, s)
			}
		}
		t, dropped := withoutEmpty(t, s)
		c.elements(t, s)
		return t, dropped
	case map[string]any:
		if elements := byIndex(t, s); elements != nil {
			c.elements(elements, s)
			return elements, true
		}
		return v, false
	case string:
		if scalarElements(s) {
			return c.split(t, v, s)
		}
	}
	elements := []any{v}
	c.elements(elements, s)
	return elements, true
}

func (c *coercer) elements(elements []any, s *openapi3.Schema) {
	if s.Items == nil {
		return
	}
	for i, e := range elements {
		if n, other := c.value(e, s.Items.Value); other {
			elements[i] = n
		}
	}
}

// scalarElements reports whether one text may contain all elements of a list, separated by commas.
func scalarElements(s *openapi3.Schema) bool {
	return s.Items == nil || kinds(s.Items.Value)&(kindObject|kindArray) == 0
}

// splitsElements reports whether one element of a list may contain several, separated by commas. Labels are such a
// list: no label contains a comma.
func splitsElements(s *openapi3.Schema) bool {
	on, _ := s.Extensions["x-comma-separated"].(bool)
	return on
}

// withoutEmpty removes the empty texts of a list of scalars: a form sends name[]= for a list without elements.
func withoutEmpty(elements []any, s *openapi3.Schema) ([]any, bool) {
	if !slices.Contains(elements, any("")) || !scalarElements(s) {
		return elements, false
	}
	return slices.DeleteFunc(elements, func(e any) bool { return e == "" }), true
}

// split cuts text at its commas. If there are more pieces than a request may have values, it returns the original
// value.
func (c *coercer) split(text string, v any, s *openapi3.Schema) (any, bool) {
	pieces := strings.Count(text, ",") + 1
	if pieces > c.left {
		return v, false
	}
	c.left -= pieces
	elements := make([]any, 0, pieces)
	for range pieces {
		var piece string
		piece, text, _ = strings.Cut(text, ",")
		if piece = strings.TrimSpace(piece); piece != "" {
			elements = append(elements, piece)
		}
	}
	c.elements(elements, s)
	return elements, true
}
