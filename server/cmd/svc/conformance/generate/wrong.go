package generate

import (
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// Wrong makes one mistake in an object that the service must refuse: a required member is missing, or an object stands
// where a single value is expected. It returns the object, and what is wrong; "" means that no such mistake is possible.
func (s *Source) Wrong(schema *openapi3.Schema, object map[string]any) (map[string]any, string) {
	changed := maps.Clone(object)
	if len(schema.Required) > 0 && s.Chance(50) {
		name := schema.Required[s.IntN(len(schema.Required))]
		delete(changed, name)
		return changed, "the required member " + name + " is missing"
	}
	var single []string
	for _, name := range names(schema.Properties) {
		p := schema.Properties[name].Value
		if p.Type.Is("integer") || p.Type.Is("boolean") || p.Type.Is("number") {
			single = append(single, name)
		}
	}
	if len(single) == 0 {
		return object, ""
	}
	name := single[s.IntN(len(single))]
	changed[name] = map[string]any{"unexpected": []any{1, "two"}}
	return changed, "the member " + name + " is an object"
}

// Strange puts a value of any kind into one member. The service may accept or refuse it, but must not fail.
func (s *Source) Strange(schema *openapi3.Schema, object map[string]any) map[string]any {
	all := names(schema.Properties)
	if len(all) == 0 {
		return object
	}
	changed := maps.Clone(object)
	values := []any{
		nil, true, -1, 0, 1.5, 9007199254740993, "9223372036854775808", "1e400", "",
		[]any{},
		map[string]any{},
		[]any{nil},
		strange[s.IntN(len(strange))], strange[s.IntN(len(strange))], s.long(&openapi3.Schema{}),
	}
	name := all[s.IntN(len(all))]
	if s.Override != nil {
		if _, fixed := s.Override(name, schema.Properties[name].Value); fixed {
			values = slices.DeleteFunc(values, func(v any) bool { // numbers could name things of others
				switch v.(type) {
				case int, float64, string:
					return true
				}
				return false
			})
		}
	}
	changed[name] = values[s.IntN(len(values))]
	return changed
}
