// Package generate makes values from the schemas of the OpenAPI document: valid ones, at the limits of what is allowed,
// and slightly wrong ones. The same source of random numbers gives the same values.
//
//	value.go  values of a schema
//	text.go   texts
//	wrong.go  mistakes in a value
package generate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// Source makes values.
type Source struct {
	*rand.Rand

	// Override replaces the value of a member or parameter by its name, so that generated requests name only things that
	// may be touched. It returns false to let the schema decide.
	Override func(name string, schema *openapi3.Schema) (any, bool)
}

// New returns a source whose values follow from two numbers.
func New(seed, part uint64) *Source {
	return &Source{Rand: rand.New(rand.NewPCG(seed, part))} //nolint:gosec // tests must be repeatable, not secret
}

// maxDepth limits objects in objects.
const maxDepth = 4

// Named returns a value for a member or parameter.
func (s *Source) Named(name string, schema *openapi3.Schema) any { return s.named(name, schema, 0) }

func (s *Source) named(name string, schema *openapi3.Schema, depth int) any {
	if s.Override != nil {
		if value, ok := s.Override(name, schema); ok {
			return value
		}
	}
	return s.value(schema, depth)
}

// Value returns a value that follows the schema.
func (s *Source) Value(schema *openapi3.Schema) any { return s.value(schema, 0) }

func (s *Source) value(schema *openapi3.Schema, depth int) any {
	switch {
	case schema.Nullable && s.Chance(20):
		return nil
	case len(schema.Enum) > 0:
		return schema.Enum[s.IntN(len(schema.Enum))]
	case len(schema.AnyOf) > 0:
		return s.value(schema.AnyOf[s.IntN(len(schema.AnyOf))].Value, depth)
	case len(schema.OneOf) > 0:
		return s.value(schema.OneOf[s.IntN(len(schema.OneOf))].Value, depth)
	case len(schema.AllOf) > 0:
		return s.allOf(schema, depth)
	case schema.Type.Is("object"), len(schema.Properties) > 0:
		return s.object(schema, depth)
	case schema.Type.Is("array"):
		return s.list(schema, depth)
	case schema.Type.Is("boolean"):
		return s.Chance(50)
	case schema.Type.Is("integer"):
		return s.integer(schema)
	case schema.Type.Is("number"):
		return float64(s.integer(schema)) + 0.5
	case schema.Type.Is("string"):
		return s.text(schema)
	}
	return s.text(schema)
}

// allOf joins the members of all parts, or takes the value of the part that says most.
func (s *Source) allOf(schema *openapi3.Schema, depth int) any {
	joined := map[string]any{}
	var single any
	objects := false
	for _, part := range append(slices.Clone(schema.AllOf), &openapi3.SchemaRef{Value: &openapi3.Schema{Properties: schema.Properties}}) {
		if part.Value.Type == nil && len(part.Value.Properties) == 0 && len(part.Value.Enum) == 0 && len(part.Value.AllOf) == 0 &&
			len(part.Value.AnyOf) == 0 {
			continue
		}
		switch value := s.value(part.Value, depth).(type) {
		case map[string]any:
			objects = true
			for name, member := range value {
				joined[name] = member
			}
		default:
			single = value
		}
	}
	if objects {
		return joined
	}
	return single
}

func (s *Source) object(schema *openapi3.Schema, depth int) any {
	object := map[string]any{}
	for _, name := range names(schema.Properties) {
		p := schema.Properties[name].Value
		required := slices.Contains(schema.Required, name)
		if p.ReadOnly || (!required && (depth > maxDepth || !s.Chance(30))) {
			continue
		}
		object[name] = s.named(name, p, depth+1)
	}
	return object
}

func (s *Source) list(schema *openapi3.Schema, depth int) any {
	least := int(schema.MinItems)
	n := least + s.IntN(3)
	if schema.MaxItems != nil {
		n = min(n, int(*schema.MaxItems))
	}
	list := []any{}
	if schema.Items == nil || depth > maxDepth {
		return list
	}
	for range n {
		list = append(list, s.value(schema.Items.Value, depth+1))
	}
	return list
}

// integer returns a small number, or one at the limits.
func (s *Source) integer(schema *openapi3.Schema) int64 {
	least, most := int64(math.MinInt32), int64(math.MaxInt32)
	if schema.Format == "int64" {
		most = 1 << 53
	}
	if schema.Min != nil {
		least = int64(*schema.Min)
	}
	if schema.Max != nil {
		most = int64(*schema.Max)
	}
	switch s.IntN(5) {
	case 0:
		return least
	case 1:
		return most
	case 2:
		return min(most, max(least, 0))
	}
	return min(most, max(least, s.Int64N(100)))
}

// Chance is true in so many of a hundred cases.
func (s *Source) Chance(percent int) bool { return s.IntN(100) < percent }

// names returns the names of members in a fixed order.
func names(properties openapi3.Schemas) []string {
	var all []string
	for name := range properties {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
