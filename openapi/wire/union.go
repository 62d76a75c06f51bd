package wire

import (
	"encoding/json"

	"svc/openapi/wire/encode"
)

// Union is an answer that has one of several forms.
type Union struct{ form any }

// UnionOf returns an answer of the given form.
func UnionOf(form any) Union { return Union{form} }

// MarshalJSON writes the form.
func (u Union) MarshalJSON() ([]byte, error) { return json.Marshal(u.form) }

// AppendJSON appends the form.
func (u Union) AppendJSON(to []byte) ([]byte, error) { return encode.Append(to, u.form) }

// UnmarshalJSON reads an answer of any form.
func (u *Union) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &u.form) }
