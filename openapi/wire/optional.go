package wire

import (
	"bytes"
	"encoding/json"
)

var null = []byte("null")

// Optional is a member that can be absent, null or a value: the zero Optional is absent.
type Optional[T any] struct {
	set   bool
	value *T
}

// Some is a member with a value.
func Some[T any](v T) Optional[T] { return Optional[T]{true, &v} }

// Maybe is a member that is null where v is nil.
func Maybe[T any](v *T) Optional[T] { return Optional[T]{true, v} }

// Null is a member that is null.
func Null[T any]() Optional[T] { return Optional[T]{set: true} }

// IsSet tells whether the member is there, null or not.
func (o Optional[T]) IsSet() bool { return o.set }

// IsZero tells encoding/json to leave an absent member out.
func (o Optional[T]) IsZero() bool { return !o.set }

// Ptr is the value, nil when null or absent.
func (o Optional[T]) Ptr() *T { return o.value }

// MarshalJSON writes the value or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.value == nil {
		return null, nil // most are, and there are many in a list
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON reads the value or null.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	o.set, o.value = true, nil
	if bytes.Equal(data, null) {
		return nil
	}
	o.value = new(T)
	return json.Unmarshal(data, o.value)
}

// Value returns what an optional parameter or member holds, and the zero value where it was not sent.
func Value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
