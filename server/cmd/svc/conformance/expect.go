package conformance

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// differences compares a JSON value with what a case expects. Objects may have more members than expected, and "*" stands
// for any value but null. An expected list with one element describes the first element; the list must not be empty.
func differences(want, got any, at string) []string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return []string{fmt.Sprintf("%s is %s, not an object", name(at), short(got))}
		}
		var found []string
		for _, member := range slices.Sorted(maps.Keys(want)) {
			value, present := object[member]
			if !present {
				found = append(found, fmt.Sprintf("member %s is missing", at+"."+member))
				continue
			}
			found = append(found, differences(want[member], value, at+"."+member)...)
		}
		return found
	case []any:
		list, ok := got.([]any)
		if !ok {
			return []string{fmt.Sprintf("%s is %s, not a list", name(at), short(got))}
		}
		return listDifferences(want, list, at)
	case string:
		if want == "*" {
			if got == nil {
				return []string{fmt.Sprintf("%s is null", name(at))}
			}
			return nil
		}
	}
	if !reflect.DeepEqual(want, got) {
		return []string{fmt.Sprintf("%s is %s, expected %s", name(at), short(got), short(want))}
	}
	return nil
}

func listDifferences(want, got []any, at string) []string {
	switch {
	case len(want) == 0 && len(got) > 0:
		return []string{fmt.Sprintf("%s has %d elements, expected none", name(at), len(got))}
	case len(got) < len(want):
		return []string{fmt.Sprintf("%s has %d elements, expected at least %d", name(at), len(got), len(want))}
	}
	var found []string
	for i := range want {
		found = append(found, differences(want[i], got[i], fmt.Sprintf("%s[%d]", at, i))...)
	}
	return found
}

func name(at string) string {
	if at == "" {
		return "the answer"
	}
	return "member " + at
}

// short returns a value as JSON, cut off if it is long.
func short(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return clip(string(data), 200)
}

func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// member returns the value at a path such as "user.id", "0.id" or "#" (the length of a list).
func member(value any, path string) (any, bool) {
	for _, part := range strings.Split(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			next, ok := v[part]
			if !ok {
				return nil, false
			}
			value = next
		case []any:
			var i int
			if part == "#" {
				return float64(len(v)), true
			}
			if _, err := fmt.Sscanf(part, "%d", &i); err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			value = v[i]
		default:
			return nil, false
		}
	}
	return value, true
}
