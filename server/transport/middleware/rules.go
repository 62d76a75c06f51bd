package middleware

import (
	"fmt"
	"slices"
	"strings"

	"svc/server/platform/apierr"

	"github.com/getkin/kin-openapi/openapi3"
)

// mostHints is the largest number of parameters that a hint explains.
const mostHints = 5

// allowed returns a hint for each value that breaks the document, sorted by the name of the parameter.
func allowed(err error, name string) []string {
	if err == nil {
		return nil
	}
	var hints []string
	for _, e := range flatten(err) {
		if e.Schema == nil || e.SchemaField == "required" {
			continue
		}
		if hint := rule(parameterName(name, blamed(e)), e); hint != "" {
			hints = append(hints, hint)
		}
	}
	slices.Sort(hints)
	return hints
}

// rule says what the schema that was broken allows.
func rule(name string, e *openapi3.SchemaError) string {
	s := e.Schema
	if len(s.Enum) > 0 { // whatever is broken: a word in place of a number has the wrong type as well
		return apierr.HintValues(name, s.Enum)
	}
	switch e.SchemaField {
	case "minLength", "maxLength":
		return name + " must have " + count(s.MinLength, s.MaxLength, "character") + "."
	case "minItems", "maxItems":
		return name + " must have " + count(s.MinItems, s.MaxItems, "entry") + "."
	case "minimum", "maximum":
		return name + " must be " + between(s) + "."
	case "not":
		if bounds := between(s); bounds != "" {
			return name + " must be " + bounds + "."
		}
		return ""
	case "pattern":
		return name + " must match the pattern " + s.Pattern + "."
	case "oneOf", "anyOf", "allOf":
		return ""
	}
	return name + " must be " + kind(s) + "."
}

// count describes how many characters or entries are allowed.
func count(least uint64, most *uint64, noun string) string {
	plural := func(n uint64) string {
		if n == 1 {
			return noun
		}
		if stem, ok := strings.CutSuffix(noun, "y"); ok {
			return stem + "ies"
		}
		return noun + "s"
	}
	switch {
	case most == nil:
		return fmt.Sprintf("at least %d %s", least, plural(least))
	case least == 0:
		return fmt.Sprintf("at most %d %s", *most, plural(*most))
	case least == *most:
		return fmt.Sprintf("%d %s", least, plural(least))
	}
	return fmt.Sprintf("%d to %d %s", least, *most, plural(*most))
}

// between describes the range of a number; empty if it has none.
func between(s *openapi3.Schema) string {
	switch {
	case s.Min != nil && s.Max != nil:
		return fmt.Sprintf("between %s and %s", plain(*s.Min), plain(*s.Max))
	case s.Min != nil:
		return "at least " + plain(*s.Min)
	case s.Max != nil:
		return "at most " + plain(*s.Max)
	}
	return ""
}

// plain writes a number without an exponent.
func plain(n float64) string {
	if n == float64(int64(n)) {
		return fmt.Sprint(int64(n))
	}
	return fmt.Sprint(n)
}

// kind describes the values that a schema allows, by type, format and range.
func kind(s *openapi3.Schema) string {
	switch {
	case s.Format == "date":
		return "a date such as 2026-01-31"
	case s.Format == "date-time":
		return "a date and time such as 2026-01-31T12:00:00Z"
	case s.Format == "binary":
		return "a file, or its content in base64"
	case s.Type.Is("boolean"):
		return "true or false"
	case s.Type.Is("array"):
		return "a list"
	case s.Type.Is("object"):
		return "an object"
	case s.Type.Is("string"):
		return "a text"
	}
	described := "a number"
	if s.Type.Is("integer") {
		described = "a whole number"
	}
	switch bounds := between(s); {
	case strings.HasPrefix(bounds, "at "):
		return described + " of " + bounds
	case bounds != "":
		return described + " " + bounds
	}
	return described
}
