package changelog

import (
	"strings"
	"testing"
)

var sample = map[string]any{
	"yes": true, "no": false, "zero": 0, "blank": "", "name": "svc", "none": []any{}, "hollow": map[string]any{},
	"list": []any{"a", "b", []any{"c"}}, "deep": map[string]any{"x": map[string]any{"y-z": "found"}},
	"people": []any{map[string]any{"name": "Ann"}, map[string]any{"name": "Bob", "admin": true}},
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                                 "",
		"text { % } }} %}":                 "text { % } }} %}",
		"{{ name }}|{{name}}|{{\nname\n}}": "svc|svc|svc",
		"{{ deep.x.y-z }}{{ deep.q.r }}{{ name.x }}{{ list.x }}": "found",
		"{{ list.0 }}{{ list.2.0 }}{{ list.9 }}{{ list.-1 }}":    "ac",
		"{{ zero }} {{ yes }} {{ none }} {{ deep.x }}":           `0 true [] {"y-z":"found"}`,
		"{% if yes %}1{% else %}2{% end %}":                      "1",
		"{% if no %}1{% else %}2{% end %}":                       "2",
		"{% if no %}1{% end %}":                                  "",
		"{% if zero %}z{% end %}{% if blank %}b{% end %}{% if none %}n{% end %}{% if hollow %}h{% end %}{% if " +
			"missing %}m{% end %}{% if it %}i{% end %}": "zbi",
		"{% each list %}<{{ it }}>{% end %}":                                          `<a><b><["c"]>`,
		"{% each people %}{{ name }}{% if admin %}!{% end %} {% end %}":               "Ann Bob! ",
		"{% each people %}{{ it.name }}{{ list }}{% end %}":                           "AnnBob",
		"{% each name %}x{% end %}{% each deep %}x{% end %}{% each none %}x{% end %}": "",
		"a\n{% if yes %}\nb\n{% end %}\nc\n":                                          "a\nb\nc\n",
		"a\r\n{% if yes %}\r\nb\r\n{% end %}\r\nc":                                    "a\r\nb\r\nc",
		"a \\\nb\\\r\nc\\d":                    "a bc\\d",
		"{{ name }}\\\n{{ name }}\n{{ name }}": "svcsvc\nsvc",
		"{%if yes%}x{%end%}":                   "x",
		"{% if yes %}\n\nx{% end %}":           "\nx",
	} {
		parsed, err := ParseTemplate(source)
		if err != nil {
			t.Errorf("%q: %v", source, err)
			continue
		}
		if got, err := parsed.render(sample); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", source, got, err, want)
		}
	}
}

func TestTemplatesThatAreRefused(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"a\n{{ name":                      "line 2: }} is missing",
		"a\n{% if":                        "line 2: %} is missing",
		"{%}":                             "line 1: %} is missing",
		"{%%}":                            `line 1: "" is not if, each, else or end`,
		"{{ }}":                           `line 1: "" is not a name`,
		"{{ a b }}":                       `line 1: "a b" is not a name`,
		"{{ a..b }}":                      `line 1: "a..b" is not a name`,
		"{{ a | upcase }}":                `line 1: "a | upcase" is not a name`,
		"{% if %}x{% end %}":              `line 1: "" is not a name`,
		"{% unless a %}x{% end %}":        `line 1: "unless" is not if, each, else or end`,
		"{% if a %}x":                     "line 1: the if of line 1 has no end",
		"{% each a %}\n{% if b %}x":       "line 2: the if of line 2 has no end",
		"x{% end %}":                      "line 1: {% end %} has no matching if or each",
		"x{% else %}":                     "line 1: {% else %} has no matching if or each",
		"{% each a %}{% else %}{% end %}": "line 1: there is more than one else",
		"{% if a %}{% else %}{% else %}{% end %}": "line 1: there is more than one else",
		"{% if a %}{% end if %}":                  "line 1: end does not take an argument",
		strings.Repeat("{% each a %}", 5):         "line 1: more than 4 loops are nested",
		strings.Repeat("{% if a %}", 1000):        "line 1: more than 20 tags are nested",
		"{{ " + strings.Repeat("a.", 20) + "a }}": `line 1: "a.a.`,
		strings.Repeat("x", maxTemplate+1):        "The template has more than 65536 bytes",
	} {
		if _, err := ParseTemplate(source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", source, err, want)
		}
	}
}

func TestTemplatesHaveTheirLimits(t *testing.T) {
	t.Parallel()
	wide := make([]any, 2000)
	for i := range wide {
		wide[i] = map[string]any{"l": make([]any, 2000)}
	}
	data := map[string]any{"l": wide}
	for source, want := range map[string]string{
		"{% each l %}{% each l %}{% end %}{% end %}":              "The template takes too many steps",
		"{% each l %}{% each l %}x{% end %}{% end %}":             "The template takes too many steps",
		"{% each l %}" + strings.Repeat("x", 60000) + "{% end %}": "The changelog has more than 16777216 bytes",
	} {
		parsed, err := ParseTemplate(source)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parsed.render(data); err == nil || err.Error() != want {
			t.Errorf("%.50s: %v", source, err)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("{% each people %}{{ name }}{% if admin %}!{% else %}?{% end %}\\\n{% end %}")
	f.Add("{{ it.a.0 }}{%end%}")
	f.Fuzz(func(t *testing.T, source string) {
		parsed, err := ParseTemplate(source)
		if err != nil {
			return
		}
		if out, err := parsed.render(sample); err == nil && len(out) > maxOutput {
			t.Errorf("%d bytes", len(out))
		}
	})
}
