package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// object is the value of an object in an answer, in the order of the selection.
type object struct {
	keys   []string
	values []any
}

// list is the value of a list in an answer.
type list []any

// place is where a value of the answer belongs: a member of an object or an element of a list.
type place struct {
	in      []any
	at      int
	nonNull bool
	up      *place // of the object or list around it
	path    *step
}

func (p *place) set(value any) { p.in[p.at] = value }

// null writes null. If the place cannot be null, the object or list around it becomes null.
func (p *place) null() {
	for p.nonNull && p.up != nil {
		p = p.up
	}
	p.set(nil)
}

// step is one step of the path of a value.
type step struct {
	up  *step
	key any
}

func (s *step) list() []any {
	var out []any
	for ; s != nil; s = s.up {
		out = append([]any{s.key}, out...)
	}
	return out
}

// isNil reports whether a resolver returned nothing.
func isNil(value any) bool {
	if value == nil {
		return true
	}
	v := reflect.ValueOf(value)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// leaf turns the value of a scalar or an enum into JSON.
func leaf(def *ast.Definition, value any) (any, error) {
	if v := reflect.ValueOf(value); v.Kind() == reflect.Pointer {
		value = v.Elem().Interface()
	}
	if def.Kind == ast.Enum {
		name := fmt.Sprint(value)
		if def.EnumValues.ForName(name) == nil {
			return nil, fmt.Errorf("%q is not a value of %s", name, def.Name)
		}
		return name, nil
	}
	switch v := value.(type) {
	case time.Time:
		if def.Name == "Date" {
			return v.Format(time.DateOnly), nil
		}
		return v.UTC().Format("2006-01-02T15:04:05.000Z"), nil
	case int64:
		if isID(def.Name) || def.Name == "BigInt" {
			return strconv.FormatInt(v, 10), nil
		}
	}
	return value, nil
}

// write writes a value as JSON.
func write(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case *object:
		b.WriteByte('{')
		for i, key := range v.keys {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteByte('"')
			b.WriteString(key) // a name of GraphQL needs no escapes
			b.WriteString(`":`)
			if err := write(b, v.values[i]); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case list:
		b.WriteByte('[')
		for i, one := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := write(b, one); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	text, err := json.Marshal(value)
	b.Write(text)
	return err
}
