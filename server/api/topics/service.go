// Package topics manages the topics of projects.
package topics

import (
	"svc/server/domain/topic"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Topics are the operations on topics.
type Topics struct {
	store  *store.Store
	topics *topic.Service
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the operations on topics.
func New(st *store.Store, service *topic.Service, pages pagination.MaxOffset, show present.Presenter) *Topics {
	return &Topics{store: st, topics: service, pages: pages, show: show}
}
