package fold

import (
	"encoding/json"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Parameter is one query parameter.
type Parameter struct {
	Name     string // without brackets
	Schema   *openapi3.Schema
	Required bool
}

// Value is the value that a client sent for a parameter.
type Value struct {
	Named     bool     // the query names the parameter, perhaps without a value
	Given     bool     // the parameter has a value; an empty optional one has none
	Typed     any      // for validation
	Canonical []string // the spelling that the generated code reads
}

// Read finds the parameter in a query and converts its value. A list is name=a,b or any of name=a, name[]=a and
// name[0]=a, repeated. Of several values of another parameter the last one counts. A name with invalid brackets is an
// *Error.
func (p Parameter) Read(pairs []Pair) (Value, error) {
	own, bracketed, err := p.own(pairs)
	if err != nil || len(own) == 0 {
		return Value{}, err
	}
	out := Value{Named: true}
	v := any(own[len(own)-1].Value)
	if arrayOf(p.Schema) != nil && (bracketed || len(own) > 1) {
		if v, err = p.list(own); err != nil {
			return Value{}, err
		}
	}
	if v == "" && !p.Required && !p.Schema.Nullable {
		return out, nil
	}
	c := coercer{left: DefaultLimits.Values}
	v, changed := c.value(v, p.Schema)
	if elements, ok := v.([]any); ok && len(elements) == 0 && !p.Required {
		return out, nil
	}
	out.Given, out.Typed = v != nil, v
	if text, plain := v.(string); plain && !changed {
		out.Canonical = []string{text}
	} else {
		out.Canonical = texts(nil, v)
	}
	return out, nil
}

// own returns the pairs of the parameter.
func (p Parameter) own(pairs []Pair) (own []Pair, bracketed bool, err error) {
	for _, pair := range pairs {
		rest, ok := strings.CutPrefix(pair.Name, p.Name)
		if !ok || (rest != "" && rest[0] != '[') {
			continue
		}
		if rest != "" {
			if arrayOf(p.Schema) == nil {
				return nil, false, refuse(p.Name, isInvalid)
			}
			bracketed = true
		}
		own = append(own, pair)
	}
	return own, bracketed, nil
}

// list puts the values of a list into the order of their indexes; values without an index come first.
func (p Parameter) list(own []Pair) (any, error) {
	var elements []any
	indexed := map[string]any{}
	for _, pair := range own {
		switch rest := pair.Name[len(p.Name):]; {
		case rest == "" || rest == "[]":
			elements = append(elements, pair.Value)
		case strings.IndexByte(rest, ']') == len(rest)-1 && isIndex(rest[1:len(rest)-1]):
			indexed[rest[1:len(rest)-1]] = pair.Value
		default:
			return nil, refuse(p.Name, isInvalid)
		}
	}
	return append(elements, byIndex(indexed, p.Schema)...), nil
}

// ReadObject finds a parameter whose members are name[key]=value. The values of a member that is repeated as
// name[key][] or name[key][0] are joined by commas. typed is nil if the parameter is not given; canonical is the
// spelling of each member for the generated code.
func (p Parameter) ReadObject(pairs []Pair) (typed map[string]any, canonical map[string]string, err error) {
	for _, pair := range pairs {
		rest, ok := strings.CutPrefix(pair.Name, p.Name)
		if !ok || (rest != "" && rest[0] != '[') || (rest == "" && pair.Value == "") {
			continue
		}
		key, listed, err := p.member(pair.Name)
		if err != nil {
			return nil, nil, err
		}
		if typed == nil {
			typed, canonical = map[string]any{}, map[string]string{}
		}
		before, again := typed[key].(string)
		if again && listed {
			typed[key] = before + "," + pair.Value
		} else {
			typed[key] = pair.Value
		}
	}
	if typed == nil {
		return nil, nil, nil
	}
	typed, _ = Coerce(typed, p.Schema).(map[string]any)
	for key, v := range typed {
		canonical[key] = strings.Join(texts(nil, v), ",")
	}
	return typed, canonical, nil
}

// member returns the key of the member that a name such as name[key] sets, and whether it is one of several values of the
// member, as with name[key][] and name[key][0].
func (p Parameter) member(name string) (key string, listed bool, err error) {
	base, path := splitName(name)
	if base != p.Name || path == "" {
		return "", false, refuse(p.Name, isInvalid)
	}
	key, more := cutStep(path)
	listed = more == "[]" || (strings.Count(more, "[") == 1 && isIndex(more[1:len(more)-1]))
	if key == "" || (more != "" && !listed) {
		return "", false, refuse(p.Name, isInvalid)
	}
	return key, listed, nil
}

func texts(to []string, v any) []string {
	switch t := v.(type) {
	case string:
		return append(to, t)
	case json.Number:
		return append(to, string(t))
	case bool:
		return append(to, spelled(t))
	case []any:
		if to == nil {
			to = make([]string, 0, len(t))
		}
		for _, e := range t {
			to = texts(to, e)
		}
	}
	return to
}
