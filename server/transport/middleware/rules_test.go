package middleware

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

func TestTheHintSaysWhatTheBrokenRuleAllows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, value, want string }{
		{`{"type": "integer", "minimum": 1}`, `0`, "x must be at least 1."},
		{`{"type": "integer", "maximum": 5000000000}`, `9000000000`, "x must be at most 5000000000."},
		{`{"type": "integer", "minimum": 1, "maximum": 100}`, `101`, "x must be between 1 and 100."},
		{`{"type": "integer", "minimum": 1}`, `"many"`, "x must be a whole number of at least 1."},
		{`{"type": "number", "minimum": 0.5, "maximum": 1}`, `"many"`, "x must be a number between 0.5 and 1."},
		{`{"type": "number"}`, `"many"`, "x must be a number."},
		{`{"type": "integer", "minimum": 2, "not": {"enum": [3]}}`, `3`, "x must be at least 2."},
		{`{"type": "string", "maxLength": 3}`, `"four"`, "x must have at most 3 characters."},
		{`{"type": "string", "minLength": 1}`, `""`, "x must have at least 1 character."},
		{`{"type": "string", "minLength": 8, "maxLength": 128}`, `"short"`, "x must have 8 to 128 characters."},
		{`{"type": "string", "minLength": 2, "maxLength": 2}`, `"short"`, "x must have 2 characters."},
		{`{"type": "string", "pattern": "^[a-z]+$"}`, `"A"`, "x must match the pattern ^[a-z]+$."},
		{`{"type": "string", "format": "date"}`, `"soon"`, "x must be a date such as 2026-01-31."},
		{`{"type": "string", "format": "date-time"}`, `"soon"`, "x must be a date and time such as 2026-01-31T12:00:00Z."},
		{`{"type": "string", "format": "binary"}`, `"?"`, "x must be a file, or its content in base64."},
		{`{"type": "string"}`, `1`, "x must be a text."},
		{`{"type": "boolean"}`, `1`, "x must be true or false."},
		{`{"type": "array", "items": {"type": "string"}}`, `1`, "x must be a list."},
		{`{"type": "array", "maxItems": 1, "items": {"type": "string"}}`, `["a", "b"]`, "x must have at most 1 entry."},
		{`{"type": "array", "minItems": 2, "items": {"type": "string"}}`, `["a"]`, "x must have at least 2 entries."},
		{`{"type": "array", "items": {"type": "string", "maxLength": 1}}`, `["a", "bc"]`, "x[1] must have at most 1 character."},
		{`{"type": "object"}`, `1`, "x must be an object."},
		{`{"type": "string", "enum": ["a", "b"]}`, `"c"`, "x must be one of: a, b."},
		{`{"type": "integer", "enum": [1, 2]}`, `"c"`, "x must be one of: 1, 2."},
		{`{"type": "object", "required": ["y"]}`, `{}`, ""},
	} {
		var s openapi3.Schema
		var value any
		if err := json.Unmarshal([]byte(c.schema), &s); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.value), &value); err != nil {
			t.Fatal(err)
		}
		hints := allowed(s.VisitJSON(value, rules...), "x")
		if got := strings.Join(hints, " "); !strings.HasPrefix(got, c.want) || (c.want == "") != (got == "") {
			t.Errorf("%s breaks %s: %q, want %q", c.value, c.schema, got, c.want)
		}
	}
}

func TestManyWrongValuesGetAFewHints(t *testing.T) {
	t.Parallel()
	e := things(t)
	rec := ask(e, "PUT", "/api/v4/things/1", `{"name":"","email":[],"size":"many"}`, "Content-Type", "application/json")
	wantAnswer(t, rec, 400, `{"error":"email is invalid, name is empty, size is invalid","hint":"email must be a text. `+
		`name must have at least 1 character. size must be a whole number."}`)
}
