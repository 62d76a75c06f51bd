package middleware

import (
	"encoding/json"
	"testing"

	"svc/gen"

	"github.com/getkin/kin-openapi/openapi3"
)

func schemaOf(t testing.TB, text string) *openapi3.Schema {
	t.Helper()
	var s openapi3.Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

func TestQuickRecognisesOnlyWhatFits(t *testing.T) {
	t.Parallel()
	values := []string{
		`null`, `""`, `"a"`, `"b"`, `"ä"`, `"aaaa"`, `"ääää"`, `"aaaaaaaaaa"`, `true`, `1`, `1.5`, `[]`, `["a"]`, `{}`,
		`{"a":"x"}`, `{"a":null}`,
		`{"a":"x","b":true}`, `{"a":"x","b":"true"}`, `{"b":true}`, `{"a":"x","c":1}`, `{"a":"x","d":"seen"}`, `{"a":{"a":"x"}}`,
	}
	for _, text := range []string{
		`{}`, `{"type":"string"}`, `{"type":"string","nullable":true}`, `{"type":"string","minLength":1}`,
		`{"type":"string","minLength":2}`,
		`{"type":"string","maxLength":5}`, `{"type":"string","enum":["a","b"]}`, `{"type":"string","enum":["a",null],"nullable":true}`,
		`{"type":"string","enum":["a"],"nullable":true}`, `{"type":"string","pattern":"^b"}`, `{"type":"string","format":"date"}`,
		`{"type":"string","not":{"enum":["a"]}}`, `{"type":"boolean"}`, `{"type":"boolean","enum":[false]}`,
		`{"type":"integer","maximum":0}`,
		`{"type":"array","items":{"type":"string"}}`, `{"type":"object"}`, `{"type":"object","additionalProperties":false}`,
		`{"type":"object","additionalProperties":{"type":"boolean"}}`, `{"type":"object","minProperties":1}`,
		`{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"boolean"},"c":{"type":"integer","maximum":0}}}`,
		`{"type":"object","properties":{"a":{"type":"string"},"d":{"type":"string","readOnly":true}}}`,
		`{"type":"object","properties":{"a":{"type":"object","required":["b"],"properties":{"b":{"type":"string"}}}}}`,
		`{"type":"object","allOf":[{"type":"object","required":["b"]}],"properties":{"a":{"type":"string"}}}`,
	} {
		schema := schemaOf(t, text)
		q := newFastCheck(schema)
		for _, value := range values {
			var v any
			if err := json.Unmarshal([]byte(value), &v); err != nil {
				t.Fatal(err)
			}
			if err := schema.VisitJSON(v, bodyRules...); q.fits(v) && err != nil {
				t.Errorf("%s fits %s, but: %v", value, text, err)
			}
		}
	}
}

func TestQuickLeavesDefaultsToTheValidation(t *testing.T) {
	t.Parallel()
	q := newFastCheck(schemaOf(t, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string",`+
		`"nullable":true,"default":"x"}}}`))
	for text, want := range map[string]bool{`{"a":"1"}`: false, `{"a":"1","b":null}`: false, `{"a":"1","b":"2"}`: true} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if got := q.fits(v); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// This is the purpose of quick: it recognizes an ordinary update.
func TestQuickKnowsAnUpdateOfAVariable(t *testing.T) {
	t.Parallel()
	ops, err := LoadOperations(gen.Requests)
	if err != nil {
		t.Fatal(err)
	}
	op := ops.byRoute[routeKey{"PUT", "/api/v4/admin/ci/variables/:key"}].operation()
	body := map[string]any{"value": "eu", "description": nil, "variable_type": "file", "protected": true}
	if !op.quickBody.fits(body) || !op.path[0].quick.fits("DEPLOY_REGION") {
		t.Error("it is validated in full")
	}
	body["variable_type"] = "other"
	if op.quickBody.fits(body) {
		t.Error("an unknown type fits")
	}
}
