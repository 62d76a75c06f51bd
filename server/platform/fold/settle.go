package fold

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// settle turns lists into slices. A map of indexes becomes a slice too, if the schema has an array there.
func settle(v any, s *openapi3.Schema) any {
	switch t := v.(type) {
	case *list:
		return settleAll(t.elements, elementOf(s))
	case map[string]any:
		if elements := byIndex(t, s); elements != nil {
			return settleAll(elements, elementOf(s))
		}
		for name, child := range t {
			if _, leaf := child.(string); !leaf {
				t[name] = settle(child, memberOf(s, name))
			}
		}
	}
	return v
}

func settleAll(elements []any, s *openapi3.Schema) []any {
	for i, e := range elements {
		elements[i] = settle(e, s)
	}
	return elements
}

// byIndex returns the members of {"0": ..., "1": ...} in the order of their indexes if the schema allows an array and
// no object, otherwise nil. Gaps are closed: an index only sets the order.
func byIndex(members map[string]any, s *openapi3.Schema) []any {
	if len(members) == 0 || arrayOf(s) == nil || kinds(s)&kindObject != 0 {
		return nil
	}
	keys := make([]string, 0, len(members))
	for key := range members {
		if !isIndex(key) {
			return nil
		}
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compareIndex)
	elements := make([]any, len(keys))
	for i, key := range keys {
		elements[i] = members[key]
	}
	return elements
}

// isIndex accepts only the canonical spelling, so that no two keys are the same index.
func isIndex(key string) bool {
	return key != "" && len(key) <= 9 && digits(key, 0) == len(key) && (key[0] != '0' || len(key) == 1)
}

func compareIndex(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	if a < b {
		return -1
	}
	return 1
}
