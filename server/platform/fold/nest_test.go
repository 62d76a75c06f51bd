package fold

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func nest(t testing.TB, raw, schema string, limits Limits) (map[string]any, error) {
	t.Helper()
	pairs, err := ParseQuery(raw, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return Nest(pairs, schemaOf(t, schema), limits)
}

func TestNest(t *testing.T) {
	cases := []struct{ raw, want string }{
		{"", `{}`},
		{"ref=main&x=", `{"ref":"main","x":""}`},
		{"ids[]=1&ids[]=2", `{"ids":["1","2"]}`},
		{"a[k]=1&a[l]=2", `{"a":{"k":"1","l":"2"}}`},
		{"a[k][l][m]=1&a[k][n]=2", `{"a":{"k":{"l":{"m":"1"},"n":"2"}}}`},
		{"a[k][]=1&a[k][]=2", `{"a":{"k":["1","2"]}}`},
		{"ref=a&ref=b", `{"ref":"b"}`},
		{"unknown=a&unknown=b", `{"unknown":"b"}`},
		{"ids=1&ids=2&ids=3", `{"ids":["1","2","3"]}`},
		{"ids=1", `{"ids":"1"}`},
		{"options[a]=1&options[a]=2", `{"options":{"a":"2"}}`},
		{"groups[0][ids]=1&groups[0][ids]=2", `{"groups":[{"ids":["1","2"]}]}`},
		{"variables[0][key]=1&variables[0][key]=2", `{"variables":[{"key":"2"}]}`},

		{
			"variables[][key]=A&variables[][value]=1&variables[][key]=B&variables[][value]=2",
			`{"variables":[{"key":"A","value":"1"},{"key":"B","value":"2"}]}`,
		},
		{"variables[][key]=A&variables[][key]=B&variables[][value]=2", `{"variables":[{"key":"A"},{"key":"B","value":"2"}]}`},
		{"x[][a][b]=1&x[][a][c]=2&x[][a][b]=3", `{"x":[{"a":{"b":"1","c":"2"}},{"a":{"b":"3"}}]}`},
		{
			"x[][id]=1&x[][tags][]=a&x[][tags][]=b&x[][id]=2&x[][tags][]=c",
			`{"x":[{"id":"1","tags":["a","b"]},{"id":"2","tags":["c"]}]}`,
		},
		{"x[][a][b]=1&x[][a]=2", `{"x":[{"a":{"b":"1"}},{"a":"2"}]}`},
		{"x[]=1&x[][k]=2&x[]=3", `{"x":["1",{"k":"2"},"3"]}`},
		{"x[][]=1&x[][]=2&x[][k]=3", `{"x":[["1","2"],{"k":"3"}]}`},

		{"variables[1][key]=B&variables[0][key]=A&variables[1][value]=2", `{"variables":[{"key":"A"},{"key":"B","value":"2"}]}`},
		{"variables[10][key]=C&variables[9][key]=B&variables[900000000][key]=D", `{"variables":[{"key":"B"},{"key":"C"},{"key":"D"}]}`},
		{"ids[1]=b&ids[0]=a", `{"ids":["a","b"]}`},
		{"other[1]=b&other[0]=a", `{"other":{"0":"a","1":"b"}}`},
		{"options[0]=a", `{"options":{"0":"a"}}`},
		{"ids[0]=a&ids[x]=b", `{"ids":{"0":"a","x":"b"}}`},
		{"ids[00]=a", `{"ids":{"00":"a"}}`},
		{"ids[1000000000]=a", `{"ids":{"1000000000":"a"}}`},
		{"groups[0][ids][1]=5&groups[0][ids][0]=4", `{"groups":[{"ids":["4","5"]}]}`},

		{"=1", `{}`},
		{
			"a[=1&b]=2&c[d=3&e[f]g=4&[h]=5&[]=6&i[[j]]=7&k]l[m]=8",
			`{"a[":"1","b]":"2","c[d":"3","e[f]g":"4","[h]":"5","[]":"6","i[[j]]":"7","k]l[m]":"8"}`,
		},
	}
	for _, c := range cases {
		got, err := nest(t, c.raw, pipelineSchema, Limits{})
		if err != nil {
			t.Errorf("%s: %v", c.raw, err)
		}
		t.Run(c.raw, func(t *testing.T) { wantEqual(t, any(got), parse(t, c.want)) })
	}
}

func TestNestThroughAllOfAndAlternatives(t *testing.T) {
	cases := []struct{ schema, want string }{
		{`{"allOf":[{"properties":{"a":{"type":"array","items":{}}}}]}`, `{"a":["y","x"]}`},
		{`{"properties":{"a":{"allOf":[{"type":"array"}]}}}`, `{"a":["y","x"]}`},
		{`{"properties":{"a":{"oneOf":[{"type":"string"},{"type":"array"}]}}}`, `{"a":["y","x"]}`},
		{`{"properties":{"a":{"oneOf":[{"type":"object"},{"type":"array"}]}}}`, `{"a":{"0":"y","1":"x"}}`},
		{`{"oneOf":[{"properties":{"b":{}}},{"properties":{"a":{"type":"array"}}}]}`, `{"a":["y","x"]}`},
		{`{"additionalProperties":{"type":"array"}}`, `{"a":["y","x"]}`},
		{``, `{"a":{"0":"y","1":"x"}}`},
	}
	for _, c := range cases {
		got, err := nest(t, "a[1]=x&a[0]=y", c.schema, Limits{})
		if err != nil {
			t.Error(err)
		}
		t.Run(c.schema, func(t *testing.T) { wantEqual(t, any(got), parse(t, c.want)) })
	}
}

func TestNestRefuses(t *testing.T) {
	cases := []struct{ raw, want string }{
		{"a=1&a[k]=2", "a[k] is invalid"},
		{"a[k]=2&a=1", "a is invalid"},
		{"a=1&a[]=2", "a[] is invalid"},
		{"a[]=2&a=1", "a is invalid"},
		{"a[]=1&a[k]=2", "a[k] is invalid"},
		{"a[k]=1&a[]=2", "a[] is invalid"},
		{"a[0]=1&a[]=2", "a[] is invalid"},
		{"a[k]=1&a[k][l]=2", "a[k][l] is invalid"},
		{"a[k][l]=1&a[k]=2", "a[k] is invalid"},
		{"a[][k]=1&a[][k][l]=2", "a[][k][l] is invalid"},
		{"ids=1&ids=2&ids[]=3", "ids[] is invalid"},
		{"ids=1&ids=2&ids[0]=3", "ids[0] is invalid"},
	}
	for _, c := range cases {
		_, err := nest(t, c.raw, pipelineSchema, Limits{})
		t.Run(c.raw, func(t *testing.T) { wantError(t, err, c.want) })
	}
	// Multipart fields do not go through ParseQuery.
	for _, p := range []Pair{{"a", "\x00"}, {"a", "\xff"}} {
		_, err := Nest([]Pair{p}, nil, Limits{})
		wantError(t, err, "a is invalid")
	}
	_, err := Nest([]Pair{{"a\x00", "1"}}, nil, Limits{})
	wantError(t, err, "a parameter is invalid")
}

func TestNestKeepsWithinLimits(t *testing.T) {
	if _, err := nest(t, "a[b][c]=1", "", Limits{Depth: 3}); err != nil {
		t.Error(err)
	}
	_, err := nest(t, "a[b][c][d]=1", "", Limits{Depth: 3})
	wantError(t, err, "a[b][c][d] is nested too deeply")
	_, err = nest(t, "a"+strings.Repeat("[]", 1_000_000)+"=1", "", Limits{})
	wantError(t, err, "a parameter is nested too deeply")

	if _, err = nest(t, "a[b]=1&a[c]=2&d=3", "", Limits{Values: 4}); err != nil {
		t.Error(err)
	}
	_, err = nest(t, "a[b]=1&a[c]=2&d=3", "", Limits{Values: 3})
	wantError(t, err, "too many parameters")
	_, err = nest(t, "a=1&a=2&a=3", "", Limits{Values: 2})
	wantError(t, err, "too many parameters")
	_, err = nest(t, "a=1&b[c]=1", "", Limits{Values: 1})
	wantError(t, err, "too many parameters")
	_, err = nest(t, "a=1&b[c]=1", "", Limits{Values: 2})
	wantError(t, err, "too many parameters")
	_, err = nest(t, "a[b][c][d]=1", "", Limits{Values: 2})
	wantError(t, err, "too many parameters")
	_, err = nest(t, "a[][][][]=1", "", Limits{Values: 3})
	wantError(t, err, "too many parameters")
}

// flatten writes a value as pairs again; false if the names would not show where one element ends.
func flatten(pairs []Pair, name string, v any) ([]Pair, bool) {
	switch v := v.(type) {
	case string:
		return append(pairs, Pair{name, v}), true
	case []any:
		for _, e := range v {
			text, ok := e.(string)
			if !ok {
				return nil, false
			}
			pairs = append(pairs, Pair{name + "[]", text})
		}
	case map[string]any:
		for key, child := range v {
			inner := key
			if name != "" {
				inner = name + "[" + key + "]"
			}
			var ok bool
			if pairs, ok = flatten(pairs, inner, child); !ok {
				return nil, false
			}
		}
	}
	return pairs, true
}

func FuzzNest(f *testing.F) {
	for _, raw := range []string{
		"a=1&b=2", "ids[]=1&ids[]=2", "a[k][l]=1&a[k][m]=2", "variables[][key]=A&variables[][value]=1&variables[][key]=B",
		"variables[0][key]=A&variables[1][key]=B", "a=1&a[k]=2", "a[][][]=1&a[][][]=2", "ids=1&ids=2", "a[b]c=1&[=2&]=3",
		"a%5B%5D=%C3%A9", "a[b][c][d][e][f][g]=1", "scopes=a,b&count=1&protected=True",
	} {
		f.Add(raw)
	}
	schema := schemaOf(f, pipelineSchema)
	limits := Limits{Depth: 5, Values: 50}
	f.Fuzz(func(t *testing.T, raw string) {
		pairs, err := ParseQuery(raw, limits)
		if err != nil {
			return
		}
		if got, err := Nest(pairs, schema, limits); err == nil {
			if depth := depthOf(t, got); depth > limits.Depth {
				t.Fatalf("%q: depth %d", raw, depth)
			}
			Coerce(got, schema)
		}
		got, err := Nest(pairs, nil, limits)
		if err != nil {
			return
		}
		again, ok := flatten(nil, "", got)
		if !ok {
			return
		}
		round, err := Nest(again, nil, limits)
		if err != nil || !reflect.DeepEqual(got, round) {
			t.Fatalf("%q: %#v became %#v, %v", raw, got, round, err)
		}
	})
}

func BenchmarkForm(b *testing.B) {
	schema := schemaOf(b, pipelineSchema)
	var many strings.Builder
	for i := range 100 {
		many.WriteString("&variables%5B" + strconv.Itoa(i) + "%5D%5Bkey%5D=A&variables%5B" + strconv.Itoa(i) + "%5D%5Bvalue%5D=x+y")
	}
	forms := []struct{ name, raw string }{
		{"plain", "ref=main&count=17&protected=True"},
		{
			"nested",
			"ref=main&count=17&protected=True&scopes=a,b&ids[]=1&ids[]=2&variables[][key]=A&variables[][value]=1&variables[][key]=B",
		},
		{"200_escaped", "ref=main" + many.String()},
	}
	for _, form := range forms {
		b.Run(form.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pairs, err := ParseQuery(form.raw, DefaultLimits)
				if err != nil {
					b.Fatal(err)
				}
				v, err := Nest(pairs, schema, DefaultLimits)
				if err != nil {
					b.Fatal(err)
				}
				Coerce(v, schema)
			}
		})
	}
}
