package engine

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
)

// Args are the arguments of a field, or the members of an input object.
type Args map[string]any

// fieldArgs returns the arguments of a field. It refuses text that the database cannot store.
func fieldArgs(f *ast.Field, vars map[string]any) (Args, error) {
	args := Args{}
	for _, def := range f.Definition.Arguments {
		var value any
		given := false
		if arg := f.Arguments.ForName(def.Name); arg != nil {
			if arg.Value.Kind == ast.Variable {
				value, given = vars[arg.Value.Raw]
			} else {
				var err error
				if value, err = arg.Value.Value(vars); err != nil {
					return nil, fmt.Errorf("argument '%s' on field '%s' has an invalid value", def.Name, f.Name)
				}
				given = true
			}
		}
		if !given && def.DefaultValue != nil {
			value, _ = def.DefaultValue.Value(nil)
			given = true
		}
		if !given {
			continue
		}
		if !clean(value) {
			return nil, fmt.Errorf("argument '%s' on field '%s' has an invalid value", def.Name, f.Name)
		}
		args[def.Name] = value
	}
	return args, nil
}

// clean reports whether the database can store all texts of a value.
func clean(value any) bool {
	switch v := value.(type) {
	case string:
		return utf8.ValidString(v) && !strings.ContainsRune(v, 0)
	case []any:
		for _, one := range v {
			if !clean(one) {
				return false
			}
		}
	case map[string]any:
		for name, one := range v {
			if !clean(name) || !clean(one) {
				return false
			}
		}
	}
	return true
}

// Has reports whether an argument is given, even as null.
func (a Args) Has(name string) bool {
	_, ok := a[name]
	return ok
}

// Text returns an argument as text; empty if it is not given. A number is an ID in the form of a number.
func (a Args) Text(name string) string { return text(a[name]) }

func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// TextPtr returns an argument as text; nil if it is not given or null.
func (a Args) TextPtr(name string) *string {
	if a[name] == nil {
		return nil
	}
	v := a.Text(name)
	return &v
}

// Texts returns a list of texts. One text counts as a list.
func (a Args) Texts(name string) []string {
	list, ok := a[name].([]any)
	if !ok {
		if one := a.Text(name); one != "" {
			return []string{one}
		}
		if list, ok := a[name].([]string); ok {
			return list
		}
		return nil
	}
	out := make([]string, 0, len(list))
	for _, one := range list {
		out = append(out, text(one))
	}
	return out
}

// Int returns an argument as a number.
func (a Args) Int(name string) (int, bool) {
	switch v := a[name].(type) {
	case int64:
		return int(v), true
	case int:
		return v, true
	case float64:
		const most = 1 << 53
		return int(max(-most, min(v, most))), true
	case string:
		n, err := strconv.Atoi(v)
		return n, err == nil
	}
	return 0, false
}

// Bool returns an argument as a truth value; false if it is not given.
func (a Args) Bool(name string) bool {
	v, _ := a[name].(bool)
	return v
}

// BoolPtr returns an argument as a truth value; nil if it is not given or null.
func (a Args) BoolPtr(name string) *bool {
	if v, ok := a[name].(bool); ok {
		return &v
	}
	return nil
}

// Time returns an argument of the type Time or Date; nil if it is not given.
func (a Args) Time(name string) (*time.Time, error) {
	given := a.Text(name)
	if given == "" {
		return nil, nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, given); err == nil {
			return &t, nil
		}
	}
	return nil, fmt.Errorf("'%s' is not a valid time", name)
}

// Input returns a member that is an object; nil if it is not given.
func (a Args) Input(name string) Args {
	v, _ := a[name].(map[string]any)
	return v
}

// Inputs returns a list of objects.
func (a Args) Inputs(name string) []Args {
	var out []Args
	switch v := a[name].(type) {
	case []any:
		for _, one := range v {
			if object, ok := one.(map[string]any); ok {
				out = append(out, object)
			}
		}
	case map[string]any:
		out = append(out, v)
	}
	return out
}
