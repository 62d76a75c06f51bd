// Package encode writes values as JSON, with the bytes that encoding/json writes, in less time. What it does not know is written
// by encoding/json itself.
package encode

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"sync"
)

// Appender is a json.Marshaler that can append its JSON to a slice. The JSON must be the one that MarshalJSON returns, compact
// and with <, > and & escaped.
type Appender interface {
	json.Marshaler
	AppendJSON(to []byte) ([]byte, error)
}

// maxDepth is the depth from which on encoding/json looks for cycles.
const maxDepth = 1000

var errTooDeep = errors.New("the value is nested too deeply")

// Append appends a value as json.Marshal writes it. If the value cannot be written, the error is the one of encoding/json.
func Append(to []byte, value any) ([]byte, error) {
	if value == nil {
		return append(to, "null"...), nil
	}
	v := reflect.ValueOf(value)
	text, err := planOf(v.Type())(to, v, 0)
	if err != nil {
		return appendStandard(to, value)
	}
	return text, nil
}

// appendStandard appends a value by encoding/json.
func appendStandard(to []byte, value any) ([]byte, error) {
	out := writer{to}
	if err := json.NewEncoder(&out).Encode(value); err != nil {
		return to, err
	}
	return bytes.TrimSuffix(out.text, []byte("\n")), nil
}

// writer appends what is written to it.
type writer struct{ text []byte }

func (w *writer) Write(text []byte) (int, error) {
	w.text = append(w.text, text...)
	return len(text), nil
}

// plan appends values of one type. depth counts the pointers, lists and objects around the value.
type plan func(to []byte, v reflect.Value, depth int) ([]byte, error)

var plans sync.Map // of plan by reflect.Type

// planOf returns the plan of a type. While the plan of a type is made, the type itself gets a plan that waits for it: a type can
// hold itself.
func planOf(t reflect.Type) plan {
	if known, ok := plans.Load(t); ok {
		return known.(plan)
	}
	made := sync.OnceValue(func() plan { return newPlan(t) })
	known, loaded := plans.LoadOrStore(t, plan(func(to []byte, v reflect.Value, depth int) ([]byte, error) {
		return made()(to, v, depth)
	}))
	if loaded {
		return known.(plan)
	}
	plans.Store(t, made())
	return made()
}
