// Package applications is the programs that act for users through OAuth, as administrators manage them.
package applications

import (
	"svc/oauth"
	"svc/server/platform/pagination"
	"svc/store"
)

// Applications has the operations of the tag.
type Applications struct {
	store    *store.Store
	provider *oauth.Provider
	pages    pagination.MaxOffset
}

// New takes what the area uses.
func New(st *store.Store, provider *oauth.Provider, pages pagination.MaxOffset) *Applications {
	return &Applications{store: st, provider: provider, pages: pages}
}
