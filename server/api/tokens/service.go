// Package tokens is access tokens.
package tokens

import "svc/store"

// Tokens are the operations on access tokens.
type Tokens struct{ store *store.Store }

// New needs only the store.
func New(st *store.Store) *Tokens { return &Tokens{store: st} }
