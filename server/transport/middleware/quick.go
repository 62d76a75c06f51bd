package middleware

import (
	"reflect"

	"github.com/getkin/kin-openapi/openapi3"
)

// fastCheck recognizes values that certainly fit a simple schema, without the cost of full validation. It never refuses a
// value: a value that it does not recognize is validated in full. It is nil for a schema with any rule that quick does
// not support.
type fastCheck struct {
	kind     string
	nullable bool
	min, max uint64 // length of a text
	enum     map[string]bool
	required []string
	members  map[string]*fastCheck
	defaults []string // members that get a default if they are missing or null
}

const noMaximum = ^uint64(0)

func newFastCheck(s *openapi3.Schema) *fastCheck {
	if s == nil || !simple(*s) || len(s.Type.Slice()) != 1 {
		return nil
	}
	q := &fastCheck{kind: s.Type.Slice()[0], nullable: s.Nullable, min: s.MinLength, max: noMaximum, required: s.Required}
	if s.MaxLength != nil {
		q.max = *s.MaxLength
	}
	for _, v := range s.Enum {
		text, ok := v.(string)
		if !ok {
			return nil
		}
		if q.enum == nil {
			q.enum = map[string]bool{}
		}
		q.enum[text] = true
	}
	switch q.kind {
	case openapi3.TypeString, openapi3.TypeBoolean:
		return q
	case openapi3.TypeObject:
		return q.withMembers(s.Properties)
	}
	return nil
}

// withMembers adds the checks of the members. If a member's schema is not simple, an object with that member is
// validated in full.
func (q *fastCheck) withMembers(properties openapi3.Schemas) *fastCheck {
	q.members = map[string]*fastCheck{}
	for name, ref := range properties {
		if ref.Value.Default != nil {
			q.defaults = append(q.defaults, name)
		}
		plain := *ref.Value
		plain.Default = nil // handled above
		q.members[name] = newFastCheck(&plain)
	}
	return q
}

// simple reports whether a schema has only rules that quick supports. Any other rule, also of a later version of the
// library, makes it differ from the zero schema.
func simple(s openapi3.Schema) bool {
	s.Extensions, s.Origin, s.Type, s.Title, s.Description, s.Example, s.ExternalDocs, s.Deprecated = nil, nil, nil, "", "", nil, nil, false
	s.Enum, s.Nullable, s.MinLength, s.MaxLength, s.Required, s.Properties = nil, false, 0, nil, nil, nil
	return reflect.ValueOf(s).IsZero()
}

// fits reports whether a value certainly fits.
func (q *fastCheck) fits(v any) bool {
	if q == nil {
		return false
	}
	switch v := v.(type) {
	case nil:
		return q.nullable && q.enum == nil
	case string:
		return q.kind == openapi3.TypeString && q.fitsText(v)
	case bool:
		return q.kind == openapi3.TypeBoolean && q.enum == nil
	case map[string]any:
		return q.kind == openapi3.TypeObject && q.enum == nil && q.fitsObject(v)
	}
	return false
}

// fitsText compares the number of bytes, which is at least the number of characters.
func (q *fastCheck) fitsText(s string) bool {
	long := q.min == 0 || (q.min == 1 && s != "")
	return long && uint64(len(s)) <= q.max && (q.enum == nil || q.enum[s])
}

func (q *fastCheck) fitsObject(object map[string]any) bool {
	for _, name := range q.required {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	for _, name := range q.defaults {
		if object[name] == nil {
			return false
		}
	}
	for name, v := range object {
		if !q.members[name].fits(v) {
			return false
		}
	}
	return true
}
