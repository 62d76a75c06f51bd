// Package broadcastmessages implements the API operations on the messages that administrators show on all pages.
package broadcastmessages

import (
	"svc/server/domain/broadcast"
	"svc/server/platform/pagination"
	"svc/store"
)

// BroadcastMessages implements the operations on broadcast messages.
type BroadcastMessages struct {
	store    *store.Store
	messages *broadcast.Service
	pages    pagination.MaxOffset
}

// New returns the operations.
func New(st *store.Store, messages *broadcast.Service, pages pagination.MaxOffset) *BroadcastMessages {
	return &BroadcastMessages{store: st, messages: messages, pages: pages}
}
