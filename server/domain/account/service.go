package account

import (
	"context"

	"svc/store"
)

// Service creates, changes and deletes users on behalf of administrators.
type Service struct {
	store   *store.Store
	mails   *Mails
	enqueue func(context.Context, Deletion) error
	paid    bool
}

// New returns the service. enqueue queues a deletion in the caller's transaction. paid says whether the instance has
// the fields of a paid tier.
func New(st *store.Store, mails *Mails, enqueue func(context.Context, Deletion) error, paid bool) *Service {
	return &Service{store: st, mails: mails, enqueue: enqueue, paid: paid}
}
