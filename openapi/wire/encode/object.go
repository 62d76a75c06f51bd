package encode

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// field is a field of a struct that is written.
type field struct {
	index   int
	name    string
	prefix  string // the name with a comma before and a colon after it
	plan    plan
	omitted func(v reflect.Value) bool // nil if the field is never omitted
}

// plainName matches names that need no escape. encoding/json accepts some more, which are rare.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_./$:@-]+$`)

// structPlan writes a struct. A struct with a field that is unusual is left to encoding/json.
func structPlan(t reflect.Type) plan {
	fields, usual := fieldsOf(t)
	if !usual {
		return appendOther
	}
	return func(to []byte, v reflect.Value, depth int) ([]byte, error) {
		to = withRoom(to)
		start := len(to)
		for i := range fields {
			f := &fields[i]
			value := v.Field(f.index)
			if f.omitted != nil && f.omitted(value) {
				continue
			}
			var err error
			if to, err = f.plan(append(to, f.prefix...), value, depth); err != nil {
				return to, err
			}
		}
		if len(to) == start {
			return append(to, "{}"...), nil
		}
		to[start] = '{' // instead of the comma before the first name
		return append(to, '}'), nil
	}
}

// room is what a struct gets before it is written. Many take less.
const room = 512

// withRoom returns a slice that has room, twice as long if it had none: append alone would copy a large one more often.
func withRoom(to []byte) []byte {
	if cap(to)-len(to) < room {
		return slices.Grow(to, len(to)+room)
	}
	return to
}

// fieldsOf returns the fields that are written. It is false if the struct embeds others, or if two fields have one name.
func fieldsOf(t reflect.Type) ([]field, bool) {
	var all []field
	names := map[string]bool{}
	for i := range t.NumField() {
		declared := t.Field(i)
		tag := declared.Tag.Get("json")
		switch {
		case declared.Anonymous:
			return nil, false
		case !declared.IsExported() || tag == "-":
			continue
		}
		f, usual := newField(declared, tag)
		if !usual || names[f.name] {
			return nil, false
		}
		f.index, names[f.name] = i, true
		all = append(all, f)
	}
	return all, true
}

func newField(declared reflect.StructField, tag string) (field, bool) {
	name, options, _ := strings.Cut(tag, ",")
	if name == "" {
		name = declared.Name
	}
	f := field{name: name, prefix: `,"` + name + `":`, plan: planOf(declared.Type)}
	var omitEmpty, omitZero bool
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "string":
			return f, false
		case "omitempty":
			omitEmpty = true
		case "omitzero":
			omitZero = true
		}
	}
	var usual bool
	f.omitted, usual = omission(declared.Type, omitEmpty, omitZero)
	return f, usual && plainName.MatchString(name)
}

// zeroer is a type that says itself which value of it is omitted.
type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// omission returns a function that reports whether a value is omitted, or nil if none is.
func omission(t reflect.Type, omitEmpty, omitZero bool) (func(reflect.Value) bool, bool) {
	empty, zero := emptiness(t), reflect.Value.IsZero
	if !omitEmpty {
		empty = nil
	}
	if !omitZero {
		return empty, true
	}
	switch {
	case t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface:
		if t.Implements(zeroerType) {
			return nil, false
		}
	case t.Implements(zeroerType):
		zero = isZero
	case reflect.PointerTo(t).Implements(zeroerType):
		return nil, false
	}
	if empty == nil {
		return zero, true
	}
	return func(v reflect.Value) bool { return empty(v) || zero(v) }, true
}

// emptiness returns a function that reports whether a value is empty, or nil if no value of the type is.
func emptiness(t reflect.Type) func(reflect.Value) bool {
	switch t.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return func(v reflect.Value) bool { return v.Len() == 0 }
	case reflect.Pointer, reflect.Interface:
		return reflect.Value.IsNil
	case reflect.Struct, reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return nil
	default:
		return reflect.Value.IsZero
	}
}

// isZero asks a value, by its pointer if it has one: an interface of that needs no memory.
func isZero(v reflect.Value) bool {
	if v.CanAddr() {
		v = v.Addr()
	}
	asked, _ := reflect.TypeAssert[zeroer](v)
	return asked.IsZero()
}
