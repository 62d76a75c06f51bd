// Package ordered reads and writes JSON whose objects keep the order of their members.
package ordered

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Object is a JSON object whose members keep their order.
type Object struct {
	Names  []string
	values map[string]any
}

// New returns an object with the given names and values.
func New(pairs ...any) *Object {
	o := &Object{values: map[string]any{}}
	for i := 0; i < len(pairs); i += 2 {
		o.Set(pairs[i].(string), pairs[i+1])
	}
	return o
}

// Get returns a member, or nil.
func (o *Object) Get(name string) any { return o.values[name] }

// Lookup returns a member, and whether there is one.
func (o *Object) Lookup(name string) (any, bool) {
	value, ok := o.values[name]
	return value, ok
}

// Text returns a member that is a text, or nothing.
func (o *Object) Text(name string) string {
	if o == nil {
		return ""
	}
	member, _ := o.values[name].(string)
	return member
}

// Object returns a member that is an object, or nil.
func (o *Object) Object(name string) *Object {
	if o == nil {
		return nil
	}
	member, _ := o.values[name].(*Object)
	return member
}

// List returns a member that is a list, or nil.
func (o *Object) List(name string) []any {
	if o == nil {
		return nil
	}
	member, _ := o.values[name].([]any)
	return member
}

// Set changes a member, or adds it at the end.
func (o *Object) Set(name string, value any) {
	if _, ok := o.values[name]; !ok {
		o.Names = append(o.Names, name)
	}
	o.values[name] = value
}

// Drop removes a member.
func (o *Object) Drop(name string) {
	if _, ok := o.values[name]; ok {
		delete(o.values, name)
		o.Names = slices.DeleteFunc(o.Names, func(n string) bool { return n == name })
	}
}

// Keep drops every member that the function does not want.
func (o *Object) Keep(wanted func(name string, value any) bool) {
	if o == nil {
		return
	}
	for _, name := range slices.Clone(o.Names) {
		if !wanted(name, o.values[name]) {
			o.Drop(name)
		}
	}
}

// MarshalJSON writes the members in their order.
func (o *Object) MarshalJSON() ([]byte, error) { return Marshal(o) }

// Marshal writes a value without escaping HTML.
func Marshal(value any) ([]byte, error) {
	var buf bytes.Buffer
	err := write(&buf, value)
	return buf.Bytes(), err
}

func write(buf *bytes.Buffer, value any) error {
	switch value := value.(type) {
	case *Object:
		buf.WriteByte('{')
		for i, name := range value.Names {
			if i > 0 {
				buf.WriteByte(',')
			}
			if err := write(buf, name); err != nil {
				return err
			}
			buf.WriteByte(':')
			if err := write(buf, value.values[name]); err != nil {
				return err
			}
		}
		buf.WriteByte('}')
		return nil
	case []any:
		buf.WriteByte('[')
		for i, child := range value {
			if i > 0 {
				buf.WriteByte(',')
			}
			if err := write(buf, child); err != nil {
				return err
			}
		}
		buf.WriteByte(']')
		return nil
	}
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	buf.Truncate(buf.Len() - 1) // the encoder ends a value with a line break
	return nil
}

// Parse reads a JSON value: an *Object, a []any, a text, a json.Number, a bool or nil.
func Parse(data []byte) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return next(dec)
}

// ParseObject reads a JSON object.
func ParseObject(data []byte) (*Object, error) {
	value, err := Parse(data)
	if err != nil {
		return nil, err
	}
	o, ok := value.(*Object)
	if !ok {
		return nil, fmt.Errorf("the JSON is %T, not an object", value)
	}
	return o, nil
}

func next(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		o := New()
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return nil, err
			}
			value, err := next(dec)
			if err != nil {
				return nil, err
			}
			o.Set(fmt.Sprint(name), value)
		}
		_, err := dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			value, err := next(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := dec.Token()
		return list, err
	}
	return token, nil
}

// Walk calls a function for every object below a value, from the outside inwards.
func Walk(value any, visit func(o *Object)) {
	switch value := value.(type) {
	case *Object:
		if value == nil {
			return
		}
		visit(value)
		for _, name := range value.Names {
			Walk(value.values[name], visit)
		}
	case []any:
		for _, child := range value {
			Walk(child, visit)
		}
	}
}
