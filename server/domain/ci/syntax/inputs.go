package syntax

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const maxInputs = 100

// inputSpec is an entry of spec:inputs in the header of a file.
type inputSpec struct {
	name    string
	kind    string // string, number, boolean or array
	initial *value
	options []*value
	regex   *regexp.Regexp
	at      position
}

// givenInputs converts texts to arguments. A text fits every type that it can be parsed as.
func givenInputs(inputs map[string]string) []entry {
	entries := make([]entry, 0, len(inputs))
	for key, s := range inputs {
		entries = append(entries, entry{key: key, value: newScalar(text, s, position{})})
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.key, b.key) })
	return entries
}

// applyInputs removes the header of a file and replaces its inputs with the arguments.
func (l *loader) applyInputs(name *string, documents []*value, args []entry) *value {
	switch {
	case len(documents) == 0 || len(documents) == 1 && documents[0].kind == null:
		l.fail(position{file: name, line: 1, column: 1}, "Please provide content of the configuration file")
		return nil
	case len(documents) == 1 && documents[0].get("spec") != nil:
		l.fail(documents[0].at, "The header with spec must be followed by --- and the configuration")
		return nil
	case len(documents) == 2 && documents[0].get("spec") == nil:
		l.fail(documents[1].at, "The file has two YAML documents, and the first one has no spec")
		return nil
	}
	content := documents[len(documents)-1]
	var specs []inputSpec
	if len(documents) == 2 {
		l.object("header", documents[0], fields{"spec": func(v *value) { specs = l.specs(v) }})
	}
	before := len(l.errors)
	values := l.arguments(name, specs, args)
	if len(specs) == 0 || len(l.errors) > before {
		return content
	}
	i := interpolator{loader: l, inputs: values, done: map[*value]*value{}}
	return i.value(content)
}

func (l *loader) specs(v *value) []inputSpec {
	var specs []inputSpec
	l.object("header:spec", v, fields{
		"inputs": func(v *value) {
			if v.kind != dict || len(v.entries) > maxInputs {
				l.fail(v.at, "header:spec:inputs config should be a hash of at most %d inputs", maxInputs)
				return
			}
			for _, e := range v.entries {
				specs = append(specs, l.spec(e))
			}
		},
	})
	return specs
}

func (l *loader) spec(e entry) inputSpec {
	s := inputSpec{name: e.key, kind: "string", at: e.at}
	path := "header:spec:inputs:" + clip(e.key)
	if e.value.kind == null {
		return s
	}
	l.object(path, e.value, fields{
		"default":     func(v *value) { s.initial = v },
		"description": func(v *value) { l.text(path+" description", v) },
		"type":        func(v *value) { s.kind = l.choice(path+" type", v, "string", "number", "boolean", "array") },
		"options": func(v *value) {
			if s.options = v.items; v.kind != list || len(v.items) > maxPatterns {
				l.fail(v.at, "%s options should be an array of at most %d values", path, maxPatterns)
			}
		},
		"regex": func(v *value) {
			source := l.text(path+" regex", v)
			compiled, err := regexp.Compile(source)
			if len(source) > maxPattern || err != nil {
				l.fail(v.at, "%s regex must be a regular expression", path)
				return
			}
			s.regex = compiled
		},
	})
	return s
}

// arguments returns the values of the inputs by name.
func (l *loader) arguments(name *string, specs []inputSpec, args []entry) map[string]*value {
	given := newDict(args, position{file: name})
	values := make(map[string]*value, len(specs))
	for _, s := range specs {
		v := given.get(s.name)
		if v == nil {
			v = s.initial
		}
		if v == nil {
			l.fail(s.at, "`%s` input: required value has not been provided", clip(s.name))
			continue
		}
		if values[s.name] = s.read(v); values[s.name] == nil {
			l.fail(v.at, "`%s` input: provided value is not a %s", clip(s.name), s.kind)
			continue
		}
		l.allowed(s, v)
	}
	var unknown []string
	for _, e := range args {
		if _, known := values[e.key]; !known && !slices.ContainsFunc(specs, func(s inputSpec) bool { return s.name == e.key }) {
			unknown = append(unknown, clip(e.key))
		}
	}
	if unknown != nil {
		l.fail(args[0].at, "unknown input arguments: %s", strings.Join(unknown, ", "))
	}
	return values
}

// read converts a value to the type of the input. It returns nil if the value has another type. Texts may be converted
// to numbers and booleans.
func (s inputSpec) read(v *value) *value {
	switch s.kind {
	case "number":
		if _, err := strconv.ParseFloat(v.text, 64); err == nil && v.isScalar() {
			if integers.MatchString(v.text) {
				return newScalar(integer, v.text, v.at)
			}
			return newScalar(decimal, v.text, v.at)
		}
	case "boolean":
		if v.isScalar() && (v.text == "true" || v.text == "false") || v.kind == boolean {
			return newScalar(boolean, v.text, v.at)
		}
	case "array":
		if v.kind == list {
			return v
		}
	default:
		if v.kind == text {
			return v
		}
	}
	return nil
}

func (l *loader) allowed(s inputSpec, v *value) {
	fits := func(o *value) bool { return o.isScalar() && o.text == v.text }
	switch {
	case s.options != nil && !slices.ContainsFunc(s.options, fits):
		l.fail(v.at, "`%s` input: `%s` cannot be used because it is not in the list of allowed options", clip(s.name), v.short())
	case s.regex != nil && !s.regex.MatchString(v.text):
		l.fail(v.at, "`%s` input: provided value does not match required RegEx pattern", clip(s.name))
	}
}
