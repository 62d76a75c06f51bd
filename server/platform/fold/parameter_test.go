package fold

import "testing"

func TestParameter(t *testing.T) {
	const (
		flag, number, word = `{"type":"boolean"}`, `{"type":"integer"}`, `{"type":"string"}`
		names, flags       = `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"type":"boolean"}}`
		either             = `{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`
	)
	cases := []struct {
		schema, query string
		canonical     []string
		typed         string // empty if the parameter is not given
	}{
		{flag, "p=True", []string{"true"}, `true`},
		{flag, "p=maybe", []string{"maybe"}, `"maybe"`},
		{number, "p=+05", []string{"5"}, `5`},
		{number, "p=1&p=2", []string{"2"}, `2`},
		{number, "per=1", nil, ``},
		{number, "p=", nil, ``},
		{`{"type":"integer","nullable":true}`, "p=", nil, ``},
		{`{"type":"string","nullable":true}`, "p=", []string{""}, `""`},
		{word, "p=a&p=b", []string{"b"}, `"b"`},
		{word, "p=", nil, ``},
		{word, "p=%20", []string{" "}, `" "`},
		{names, "p=a,b", []string{"a", "b"}, `["a","b"]`},
		{names, "p=a&p=b", []string{"a", "b"}, `["a","b"]`},
		{names, "p[]=a&p[]=b", []string{"a", "b"}, `["a","b"]`},
		{names, "p[]=a,b", []string{"a,b"}, `["a,b"]`},
		{names, "p[1]=b&p[0]=a", []string{"a", "b"}, `["a","b"]`},
		{names, "p[10]=c&p[2]=b&p=a", []string{"a", "b", "c"}, `["a","b","c"]`},
		{names, "p[]=", nil, ``},
		{names, "p[]=&p[]=a", []string{"a"}, `["a"]`},
		{names, "p=", nil, ``},
		{flags, "p=1&p=no&p=x", []string{"true", "false", "x"}, `[true,false,"x"]`},
		{either, "p=a&p=b", []string{"a", "b"}, `["a","b"]`},
	}
	for _, c := range cases {
		pairs, err := ParseQuery(c.query, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parameter{Name: "p", Schema: schemaOf(t, c.schema)}.Read(pairs)
		if err != nil || got.Given != (c.typed != "") {
			t.Errorf("%s for %s: %+v, %v", c.query, c.schema, got, err)
			continue
		}
		wantEqual(t, got.Canonical, c.canonical)
		if got.Given {
			wantEqual(t, got.Typed, parse(t, c.typed))
		}
	}
}

func TestParameterThatCannotBeRead(t *testing.T) {
	for query, schema := range map[string]string{
		"p[]=2":     `{"type":"integer"}`,
		"p[0]=2":    `{"type":"integer"}`,
		"p[x]=2":    `{"type":"string"}`,
		"p[x]=a":    `{"type":"array","items":{"type":"string"}}`,
		"p[01]=a":   `{"type":"array","items":{"type":"string"}}`,
		"p[0][x]=a": `{"type":"array","items":{"type":"string"}}`,
		"p[=a":      `{"type":"array","items":{"type":"string"}}`,
	} {
		pairs, err := ParseQuery(query, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = Parameter{Name: "p", Schema: schemaOf(t, schema)}.Read(pairs)
		wantError(t, err, "p is invalid")
	}
}

func TestARequiredParameterKeepsItsEmptyText(t *testing.T) {
	got, err := Parameter{Name: "p", Schema: schemaOf(t, `{"type":"integer"}`), Required: true}.Read([]Pair{{Name: "p"}})
	if err != nil || !got.Given || got.Typed != "" {
		t.Errorf("%+v, %v", got, err)
	}
}
