package wire

import "encoding/json"

// Union is an answer that has one of several forms.
type Union struct{ form any }

// UnionOf returns an answer of the given form.
func UnionOf(form any) Union { return Union{form} }

// MarshalJSON writes the form.
func (u Union) MarshalJSON() ([]byte, error) { return json.Marshal(u.form) }

// UnmarshalJSON reads an answer of any form.
func (u *Union) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &u.form) }
