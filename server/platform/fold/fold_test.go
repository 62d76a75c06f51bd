package fold

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// schemaOf reads a schema like the loader does, without a document around it.
func schemaOf(t testing.TB, text string) *openapi3.Schema {
	t.Helper()
	if text == "" {
		return nil
	}
	var s openapi3.Schema
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// parse reads an expected value.
func parse(t testing.TB, text string) any {
	t.Helper()
	v, err := JSON([]byte(text), Limits{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

func wantEqual(t testing.TB, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

// wantError checks the text and that the error is an *Error, because callers look for that type.
func wantError(t testing.TB, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Error() != want {
		t.Errorf("error is %T %v, want %q", err, err, want)
	}
}

// depthOf returns the number of containers around the deepest value. It fails on a type that is not JSON.
func depthOf(t testing.TB, v any) int {
	deepest := 0
	switch v := v.(type) {
	case map[string]any:
		for _, child := range v {
			deepest = max(deepest, depthOf(t, child))
		}
	case []any:
		for _, child := range v {
			deepest = max(deepest, depthOf(t, child))
		}
	case string:
		return 0
	default:
		t.Fatalf("%T in the result", v)
	}
	return deepest + 1
}

const pipelineSchema = `{"type":"object","properties":{
	"ref":{"type":"string"},
	"count":{"type":"integer"},
	"protected":{"type":"boolean","nullable":true},
	"scopes":{"type":"array","items":{"type":"string"},"x-comma-separated":true},
	"ids":{"type":"array","items":{"type":"integer"}},
	"groups":{"type":"array","items":{"type":"object","properties":{"ids":{"type":"array","items":{"type":"integer"}}}}},
	"options":{"type":"object","additionalProperties":{"type":"integer"}},
	"variables":{"type":"array","items":{"type":"object","required":["key"],"properties":{
		"key":{"type":"string"},"value":{"type":"string"},"masked":{"type":"boolean"}}}}}}`
