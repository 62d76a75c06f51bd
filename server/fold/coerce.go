package fold

import (
	"encoding/json"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Coerce changes what a caller may legitimately send in another spelling into the types that the schema names, in place
// where possible, and returns the value. What does not fit is left as it is for validation to report.
func Coerce(v any, schema *openapi3.Schema) any {
	c := coercer{left: DefaultLimits.Values}
	v, _ = c.value(v, schema)
	return v
}

// coercer walks a value along its schema. Its methods report whether the value returned is another one, so that a parent
// is written to only then.
type coercer struct {
	left int // elements that comma-separated strings may still become
}

func (c *coercer) value(v any, s *openapi3.Schema) (any, bool) {
	if v == nil || s == nil {
		return v, false
	}
	if v == "" && s.Nullable {
		// An empty date in a form clears the date; an empty text is a text.
		if k := kinds(s); k != 0 && (k&kindString == 0 || s.Format == "date" || s.Format == "date-time") {
			return nil, true
		}
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
		if n, other := c.value(child, ref.Value); other {
			members[name] = n
		}
	}
}

func (c *coercer) array(v any, s *openapi3.Schema) (any, bool) {
	switch t := v.(type) {
	case []any:
		if len(t) == 1 && commaSeparated(s) {
			if text, ok := t[0].(string); ok {
				return c.split(text, v, s)
			}
		}
		c.elements(t, s)
		return t, false
	case map[string]any:
		if elements := byIndex(t, s); elements != nil {
			c.elements(elements, s)
			return elements, true
		}
		return v, false
	case string:
		if commaSeparated(s) {
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

func commaSeparated(s *openapi3.Schema) bool {
	on, _ := s.Extensions["x-comma-separated"].(bool)
	return on
}

// split cuts text at its commas. More pieces than a request may have values stay the value that came.
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

// Strings coerces the values of one textual parameter and returns the canonical strings to be put back (none for null)
// and the typed value for validation. Of several values the last counts, unless the schema is an array.
func Strings(values []string, schema *openapi3.Schema) (canonical []string, typed any) {
	if len(values) == 0 {
		return nil, nil
	}
	var v any = values[len(values)-1]
	if len(values) > 1 && arrayOf(schema) != nil {
		elements := make([]any, len(values))
		for i, text := range values {
			elements[i] = text
		}
		v = elements
	}
	c := coercer{left: DefaultLimits.Values}
	v, changed := c.value(v, schema)
	if _, plain := v.(string); plain && !changed {
		return values[len(values)-1:], v
	}
	return texts(nil, v), v
}

func texts(to []string, v any) []string {
	switch t := v.(type) {
	case string:
		return append(to, t)
	case json.Number:
		return append(to, string(t))
	case bool:
		return append(to, spelled(t))
	case []any:
		if to == nil {
			to = make([]string, 0, len(t))
		}
		for _, e := range t {
			to = texts(to, e)
		}
	}
	return to
}
