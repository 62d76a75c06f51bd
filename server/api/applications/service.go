// Package applications implements the API operations with which administrators manage OAuth applications.
package applications

import (
	"svc/oauth"
	"svc/server/platform/pagination"
	"svc/store"
)

// Applications implements the operations on OAuth applications.
type Applications struct {
	store    *store.Store
	provider *oauth.Provider
	pages    pagination.MaxOffset
}

// New returns the application operations.
func New(st *store.Store, provider *oauth.Provider, pages pagination.MaxOffset) *Applications {
	return &Applications{store: st, provider: provider, pages: pages}
}
