package encode

import (
	"reflect"
	"slices"
	"strings"
)

// slicePlan writes a slice: bytes as base64, unless a byte writes itself.
func slicePlan(t reflect.Type) plan {
	if t.Elem().Kind() == reflect.Uint8 && !marshals(t.Elem()) {
		return appendBytes
	}
	elements := elementsPlan(t)
	return func(to []byte, v reflect.Value, depth int) ([]byte, error) {
		if v.IsNil() {
			return append(to, "null"...), nil
		}
		if depth > maxDepth {
			return to, errTooDeep
		}
		return elements(to, v, depth+1)
	}
}

// elementsPlan writes the elements of an array or a slice.
func elementsPlan(t reflect.Type) plan {
	element := planOf(t.Elem())
	return func(to []byte, v reflect.Value, depth int) ([]byte, error) {
		to = append(to, '[')
		for i := range v.Len() {
			if i > 0 {
				to = append(to, ',')
			}
			var err error
			if to, err = element(to, v.Index(i), depth); err != nil {
				return to, err
			}
		}
		return append(to, ']'), nil
	}
}

// member is a key of a map, with its value.
type member struct {
	key   string
	value reflect.Value
}

// mapPlan writes a map with texts as keys, sorted. Other maps are left to encoding/json.
func mapPlan(t reflect.Type) plan {
	if t.Key().Kind() != reflect.String {
		return appendOther
	}
	element := planOf(t.Elem())
	return func(to []byte, v reflect.Value, depth int) ([]byte, error) {
		switch {
		case v.IsNil():
			return append(to, "null"...), nil
		case v.Len() == 0:
			return append(to, "{}"...), nil
		case depth > maxDepth:
			return to, errTooDeep
		}
		start := len(to)
		for _, m := range membersOf(v) {
			to = appendText(append(to, ','), m.key)
			var err error
			if to, err = element(append(to, ':'), m.value, depth+1); err != nil {
				return to, err
			}
		}
		to[start] = '{' // instead of the comma before the first key
		return append(to, '}'), nil
	}
}

// membersOf returns the members of a map by their keys.
func membersOf(v reflect.Value) []member {
	all := make([]member, 0, v.Len())
	for entries := v.MapRange(); entries.Next(); {
		all = append(all, member{entries.Key().String(), entries.Value()})
	}
	slices.SortFunc(all, func(a, b member) int { return strings.Compare(a.key, b.key) })
	return all
}
