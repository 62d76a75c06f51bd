package fold

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestCoerceScalars(t *testing.T) {
	const (
		text, whole, real, yes = `{"type":"string"}`, `{"type":"integer"}`, `{"type":"number"}`, `{"type":"boolean"}`
	)
	cases := []struct{ schema, in, want string }{
		{whole, `"5"`, `5`},
		{whole, `" -5 "`, `-5`},
		{whole, `"+5"`, `5`},
		{whole, `"007"`, `7`},
		{whole, `"-007"`, `-7`},
		{whole, `"000"`, `0`},
		{whole, `"-0"`, `-0`},
		{whole, `5`, `5`},
		{whole, `5.0`, `5`},
		{whole, `-0.00`, `-0`},
		{whole, `5.5`, `5.5`},
		{whole, `1e2`, `1e2`},
		{whole, `"5.0"`, `"5.0"`},
		{whole, `"1e2"`, `"1e2"`},
		{whole, `""`, `""`},
		{whole, `"-"`, `"-"`},
		{whole, `"five"`, `"five"`},
		{whole, `"0x1"`, `"0x1"`},
		{whole, `"1_000"`, `"1_000"`},
		{whole, `"１"`, `"１"`},
		{whole, `true`, `true`},
		{whole, `null`, `null`},
		{real, `"1.5"`, `1.5`},
		{real, `" +2 "`, `2`},
		{real, `"-1e400"`, `-1e400`},
		{real, `"1."`, `"1."`},
		{real, `".5"`, `".5"`},
		{real, `"NaN"`, `"NaN"`},
		{real, `"Infinity"`, `"Infinity"`},
		{real, `""`, `""`},
		{real, `3`, `3`},
		{real, `"+-1"`, `"+-1"`},
		{text, `5`, `"5"`},
		{text, `1.50`, `"1.50"`},
		{text, `1e999`, `"1e999"`},
		{text, `true`, `"true"`},
		{text, `false`, `"false"`},
		{text, `""`, `""`},
		{text, `" 5 "`, `" 5 "`},
		{text, `null`, `null`},
		{text, `{}`, `{}`},
		{text, `["a"]`, `["a"]`},
		{yes, `1`, `true`},
		{yes, `0`, `false`},
		{yes, `2`, `2`},
		{yes, `1.0`, `1.0`},
		{yes, `"maybe"`, `"maybe"`},
		{yes, `""`, `""`},
		{yes, `"2"`, `"2"`},
		{yes, `"yeſ"`, `"yeſ"`},
		{yes, `"falſe"`, `"falſe"`},
		{yes, `"nope"`, `"nope"`},
		{yes, `true`, `true`},
		{`{}`, `"5"`, `"5"`},
		{``, `"5"`, `"5"`},
		{`{"type":"object"}`, `"5"`, `"5"`},
		{whole, `"` + strings.Repeat("9", 1001) + `"`, `"` + strings.Repeat("9", 1001) + `"`},
		{real, `"` + strings.Repeat("9", 1001) + `"`, `"` + strings.Repeat("9", 1001) + `"`},
		{`{"type":["integer","boolean"]}`, `"yes"`, `true`},
		{`{"type":["integer","boolean"]}`, `"1"`, `1`},
		{`{"type":["string","integer"]}`, `"1"`, `"1"`},
	}
	for _, word := range []string{"true", "True", "TRUE", "t", "T", "1", "yes", "Yes", "on", "ON"} {
		cases = append(cases, struct{ schema, in, want string }{yes, `"` + word + `"`, `true`})
	}
	for _, word := range []string{"false", "False", "FALSE", "f", "F", "0", "no", "NO", "off", "Off"} {
		cases = append(cases, struct{ schema, in, want string }{yes, `"` + word + `"`, `false`})
	}
	checkCoerce(t, cases)
}

func checkCoerce(t *testing.T, cases []struct{ schema, in, want string }) {
	t.Helper()
	for _, c := range cases {
		t.Run(fmt.Sprintf("%.60s for %.60s", c.in, c.schema), func(t *testing.T) {
			wantEqual(t, Coerce(parse(t, c.in), schemaOf(t, c.schema)), parse(t, c.want))
		})
	}
}

func TestCoerceEmptyToNull(t *testing.T) {
	checkCoerce(t, []struct{ schema, in, want string }{
		{`{"type":"integer","nullable":true}`, `""`, `null`},
		{`{"type":"boolean","nullable":true}`, `""`, `null`},
		{`{"type":"object","nullable":true}`, `""`, `null`},
		{`{"type":"array","nullable":true}`, `""`, `null`},
		{`{"type":"array","nullable":true,"x-comma-separated":true}`, `""`, `null`},
		{`{"type":"string","nullable":true}`, `""`, `""`},
		{`{"nullable":true}`, `""`, `""`},
		{`{"nullable":true,"allOf":[{"type":"integer"}]}`, `""`, `null`},
		{`{"nullable":true,"allOf":[{"type":"string"}]}`, `""`, `""`},
		{`{"nullable":true,"oneOf":[{"type":"integer"},{"type":"string"}]}`, `""`, `""`},
		{`{"oneOf":[{"type":"boolean"},{"type":"integer","nullable":true}]}`, `""`, `null`},
		{`{"type":"integer"}`, `""`, `""`},
		{`{"type":"string","nullable":true,"enum":["a"]}`, `""`, `null`},
		{`{"type":"string","nullable":true,"minLength":1}`, `""`, `null`},
		{`{"nullable":true,"allOf":[{"type":"string","enum":["a"]}]}`, `""`, `null`},
	})
}

func TestCoerceDropsBlankMembers(t *testing.T) {
	const object = `{"type":"object","required":["name","on"],"properties":{
		"name":{"type":"string"},"on":{"type":"boolean"},"n":{"type":"integer"},"flag":{"type":"boolean"},"text":{"type":"string"},
		"kept":{"type":"string","x-empty-text":true},"bio":{"type":"string","nullable":true},"size":{"type":"integer","nullable":true},
		"list":{"type":"array","items":{"type":"string"}},"strict":{"type":"boolean","x-allow-blank":false},"any":{},
		"inner":{"type":"object","properties":{"n":{"type":"integer"}}}},"additionalProperties":{"type":"string"}}`
	checkCoerce(t, []struct{ schema, in, want string }{
		{object, `{"n":null,"flag":null,"text":null,"kept":null,"list":null,"inner":null}`, `{}`},
		{object, `{"n":"","flag":"","text":"","inner":""}`, `{}`},
		{object, `{"kept":"","bio":"","size":"","any":""}`, `{"kept":"","bio":"","size":null,"any":""}`},
		{object, `{"bio":null,"size":null}`, `{"bio":null,"size":null}`},
		{object, `{"name":"","on":""}`, `{"name":"","on":""}`},
		{object, `{"name":null,"on":null}`, `{"name":null,"on":null}`},
		{object, `{"strict":""}`, `{"strict":""}`},
		{object, `{"strict":null}`, `{"strict":null}`},
		{object, `{"list":""}`, `{"list":[]}`},
		{object, `{"inner":{"n":""}}`, `{"inner":{}}`},
		{object, `{"other":"","another":null}`, `{"other":"","another":null}`},
	})
}

func TestCoerceArrays(t *testing.T) {
	const (
		ids   = `{"type":"array","items":{"type":"integer"}}`
		names = `{"type":"array","items":{"type":"string"}}`
		comma = `{"type":"array","items":{"type":"string"},"x-comma-separated":true}`
		sizes = `{"type":"array","items":{"type":"integer"},"x-comma-separated":true}`
	)
	checkCoerce(t, []struct{ schema, in, want string }{
		{ids, `"5"`, `[5]`},
		{ids, `5`, `[5]`},
		{ids, `["1","x",2]`, `[1,"x",2]`},
		{ids, `[]`, `[]`},
		{ids, `null`, `null`},
		{names, `"a,b"`, `["a","b"]`},
		{names, `["a,b"]`, `["a,b"]`},
		{names, `true`, `["true"]`},
		{names, `[1,null]`, `["1",null]`},
		{names, `""`, `[]`},
		{names, `["","a"]`, `["a"]`},
		{`{"type":"array","items":{"type":"object"}}`, `"a,b"`, `["a,b"]`},
		{comma, `"a, b ,,c"`, `["a","b","c"]`},
		{comma, `["a,b"]`, `["a","b"]`},
		{comma, `["a,b","c"]`, `["a,b","c"]`},
		{comma, `""`, `[]`},
		{comma, `[""]`, `[]`},
		{comma, `","`, `[]`},
		{comma, `"a"`, `["a"]`},
		{comma, `7`, `["7"]`},
		{comma, `[7]`, `["7"]`},
		{sizes, `"1,2"`, `[1,2]`},
		{sizes, `"1,x"`, `[1,"x"]`},
		{`{"type":"array"}`, `"a"`, `["a"]`},
		{ids, `{"1":"6","0":"5"}`, `[5,6]`},
		{ids, `{"0":"5","x":"6"}`, `{"0":"5","x":"6"}`},
		{ids, `{}`, `{}`},
		{ids, `{"key":"A"}`, `{"key":"A"}`},
		{`{"type":"array","items":{"type":"array","items":{"type":"integer"}}}`, `["1",["2"]]`, `[[1],[2]]`},
	})
}

func TestCoerceObjects(t *testing.T) {
	checkCoerce(t, []struct{ schema, in, want string }{
		{
			pipelineSchema,
			`{"ref":1,"count":"2","protected":"","scopes":"a,b","ids":"3","variables":{"0":{"key":1,"masked":"on"}},"x":"9"}`,
			`{"ref":"1","count":2,"protected":null,"scopes":["a","b"],"ids":[3],"variables":[{"key":"1","masked":true}],"x":"9"}`,
		},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"a":"1","b":"x"}`, `{"a":1,"b":"x"}`},
		{`{"properties":{"a":{"type":"integer"}}}`, `{"a":"1"}`, `{"a":1}`},
		{
			`{"allOf":[{"properties":{"a":{"type":"integer"}}},{"properties":{"b":{"type":"boolean"}}}],` +
				`"properties":{"c":{"type":"string"}}}`,
			`{"a":"1","b":"1","c":1}`, `{"a":1,"b":true,"c":"1"}`,
		},
		{`{"properties":{"a":{"allOf":[{"type":"array","items":{"type":"integer"}}]}}}`, `{"a":"1"}`, `{"a":[1]}`},
		{`{"type":"object"}`, `{"a":"1"}`, `{"a":"1"}`},
		{
			`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"}}}}}`,
			`{"a":{"b":"1"}}`, `{"a":{"b":1}}`,
		},
	})
}

func TestCoerceAlternatives(t *testing.T) {
	const (
		idOrPath = `{"oneOf":[{"type":"integer"},{"type":"string"}]}`
		idOrWord = `{"oneOf":[{"type":"string","enum":["all","none"]},{"type":"integer"}]}`
		listOr   = `{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"integer"}]}`
		shapes   = `{"oneOf":[{"type":"object","required":["kind"],"properties":{"kind":{"type":"string",
			"enum":["a"]},"n":{"type":"string"}}},
			{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","enum":["b"]},"n":{"type":"integer"}}}]}`
	)
	checkCoerce(t, []struct{ schema, in, want string }{
		{idOrPath, `"5"`, `"5"`},
		{idOrPath, `5`, `5`},
		{idOrPath, `true`, `"true"`},
		{idOrWord, `"5"`, `5`},
		{idOrWord, `"all"`, `"all"`},
		{idOrWord, `"x"`, `"x"`},
		{idOrWord, `5`, `5`},
		{idOrWord, `null`, `null`},
		{listOr, `"5"`, `[5]`},
		{listOr, `5`, `5`},
		{listOr, `["5"]`, `[5]`},
		{listOr, `{"1":"6","0":"5"}`, `[5,6]`},
		{listOr, `"x"`, `"x"`},
		{`{"oneOf":[{"type":"integer","enum":[1,2]},{"type":"boolean"}]}`, `"2"`, `2`},
		{`{"oneOf":[{"type":"integer","enum":[2,3]},{"type":"boolean"}]}`, `"1"`, `true`},
		{`{"oneOf":[{"type":"integer","enum":[2,3]},{"type":"boolean"}]}`, `3`, `3`},
		{shapes, `{"kind":"b","n":"1"}`, `{"kind":"b","n":1}`},
		{shapes, `{"kind":"a","n":1}`, `{"kind":"a","n":"1"}`},
		{shapes, `{"kind":"b","n":1}`, `{"kind":"b","n":1}`},
		{shapes, `{"kind":"c","n":1}`, `{"kind":"c","n":1}`},
		{shapes, `{"n":1}`, `{"n":1}`},
		{
			`{"anyOf":[{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"}}},` +
				`{"type":"object","properties":{"b":{"type":"integer"}}}]}`,
			`{"b":5}`, `{"b":5}`,
		},
		{
			`{"anyOf":[{"allOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}]},{"type":"string"}]}`,
			`{"a":"5"}`, `{"a":5}`,
		},
		{`{"oneOf":[{"type":"string","nullable":true},{"type":"integer"}]}`, `null`, `null`},
		{`{"oneOf":[{"type":"array","items":{"allOf":[{"type":"integer","nullable":true}]}},{"type":"array"}]}`, `[1,null]`, `[1,null]`},
		{`{"oneOf":[{"type":"array","items":{"type":"integer"}},{"type":"array","items":{"type":"boolean"}}]}`, `["1",null]`, `[1,null]`},
		{`{"oneOf":[{"type":"array"},{"type":"integer"}]}`, `["1",{}]`, `["1",{}]`},
		{
			`{"anyOf":[{"type":"object","properties":{"a":{"oneOf":[{"type":"integer"},{"type":"boolean"}]}}},{"type":"integer"}]}`,
			`{"a":"on"}`, `{"a":true}`,
		},
		{`{"anyOf":[{"type":"array","enum":[[1]]},{"type":"integer"}]}`, `[1]`, `[1]`},
		{`{"anyOf":[{"allOf":[{"required":["b"]}],"type":"object","properties":{"a":{"type":"integer"}}},
			{"type":"object","additionalProperties":{"type":"boolean"}}]}`, `{"a":"1"}`, `{"a":true}`},
	})
}

func TestCoerceComparesNumbersAsCodeWritesThem(t *testing.T) {
	for _, two := range []any{2.0, 2, int64(2), uint64(2), json.Number("2.0")} {
		s := schemaOf(t, `{"oneOf":[{"type":"integer"},{"type":"boolean"}]}`)
		s.OneOf[0].Value.Enum = []any{two, "x"}
		wantEqual(t, Coerce("2", s), any(json.Number("2")))
		wantEqual(t, Coerce("1", s), any(true))
	}
}

func TestCoerceSplitsNoMoreThanARequestMayHold(t *testing.T) {
	s := schemaOf(t, pipelineSchema)
	long := strings.Repeat("a,", DefaultLimits.Values)
	wantEqual(t, Coerce(map[string]any{"scopes": long}, s), any(map[string]any{"scopes": long}))
	got := Coerce(map[string]any{"scopes": long[:len(long)-1]}, s).(map[string]any)["scopes"]
	if n := len(got.([]any)); n != DefaultLimits.Values {
		t.Errorf("%d elements", n)
	}
}

func TestProperty(t *testing.T) {
	s := schemaOf(
		t,
		`{"properties":{"a":{"title":"A"}},"allOf":[{"allOf":[{"properties":{"a":{"title":"other"},`+
			`"b":{"title":"B"}}}]}],"oneOf":[{"properties":{"c":{}}}]}`,
	)
	if p := Property(s, "a"); p == nil || p.Title != "A" {
		t.Error(p)
	}
	if p := Property(s, "b"); p == nil || p.Title != "B" {
		t.Error(p)
	}
	if p := Property(s, "c"); p != nil {
		t.Error(p)
	}
	if p := Property(nil, "a"); p != nil {
		t.Error(p)
	}
}

func TestMerge(t *testing.T) {
	s := schemaOf(t, `{"properties":{"a":{},"b":{},"o":{}},"allOf":[{"properties":{"c":{}}}]}`)
	query := map[string]any{"a": "q", "b": "q", "c": "q", "o": map[string]any{"y": "q"}, "private_token": "q"}
	body := map[string]any{"a": nil, "x": json.Number("1"), "o": map[string]any{"x": "b"}}
	want := map[string]any{"a": nil, "b": "q", "c": "q", "o": map[string]any{"x": "b"}, "x": json.Number("1")}
	wantEqual(t, Merge(body, query, s), want)
	wantEqual(t, Merge(nil, map[string]any{"a": "q", "z": "q"}, s), map[string]any{"a": "q"})
	if got := Merge(nil, nil, nil); got == nil {
		t.Error("nil")
	}
}
