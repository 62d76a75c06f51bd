package wire

import (
	"bytes"
	"encoding/json"

	"svc/openapi/wire/encode"
)

var null = []byte("null")

// Optional is a member that can be absent, null or a value. The zero Optional is absent.
type Optional[T any] struct {
	set   bool
	value *T
}

// Some returns a member with a value.
func Some[T any](v T) Optional[T] { return Optional[T]{true, &v} }

// Maybe returns a member that is null if v is nil.
func Maybe[T any](v *T) Optional[T] { return Optional[T]{true, v} }

// Null returns a member that is null.
func Null[T any]() Optional[T] { return Optional[T]{set: true} }

// IsSet reports whether the member is present, null or not.
func (o Optional[T]) IsSet() bool { return o.set }

// IsZero makes encoding/json omit an absent member.
func (o Optional[T]) IsZero() bool { return !o.set }

// Ptr returns the value, or nil if the member is null or absent.
func (o Optional[T]) Ptr() *T { return o.value }

// MarshalJSON writes the value or null.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.value == nil {
		return null, nil // most are null, and a list has many
	}
	return json.Marshal(o.value)
}

// AppendJSON appends the value or null.
func (o Optional[T]) AppendJSON(to []byte) ([]byte, error) { return encode.Append(to, o.value) }

// UnmarshalJSON reads the value or null.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	o.set, o.value = true, nil
	if bytes.Equal(data, null) {
		return nil
	}
	o.value = new(T)
	return json.Unmarshal(data, o.value)
}

// Value returns the value of an optional parameter or member, or the zero value if it was not sent.
func Value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}
