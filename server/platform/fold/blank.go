package fold

import (
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// One rule covers null and the empty text: in an optional member both count as not given. They are values if the member
// is nullable, and an empty text also if the document says x-empty-text. A member with x-allow-blank: false refuses
// them.

// isBlank reports whether a value is null or the empty text. An empty list is not blank.
func isBlank(v any) bool { return v == nil || v == "" }

// keepsBlank reports whether a member keeps a blank value, as a value of its own or for validation to refuse.
func keepsBlank(v any, name string, object, member *openapi3.Schema) bool {
	if slices.Contains(object.Required, name) || member.Extensions["x-allow-blank"] == false {
		return true
	}
	if v == nil {
		return fits(nil, member)
	}
	return kinds(member) == 0 || nullable(member) || member.Extensions["x-empty-text"] == true
}

func nullable(s *openapi3.Schema) bool { return fits(nil, s) }

// takesEmptyText reports whether a schema accepts the empty text.
func takesEmptyText(s *openapi3.Schema) bool {
	if k := kinds(s); k != 0 && k&kindString == 0 {
		return false
	}
	if s.Format == "date" || s.Format == "date-time" || s.MinLength > 0 || s.Pattern != "" || !allowed("", s) {
		return false
	}
	for _, ref := range s.AllOf {
		if !takesEmptyText(ref.Value) {
			return false
		}
	}
	return true
}
