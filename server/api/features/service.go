// Package features sets the feature switches of the instance.
package features

import (
	"svc/server/domain/feature"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Features are the operations on feature switches.
type Features struct {
	store    *store.Store
	access   *access.Access
	features *feature.Service
	pages    pagination.MaxOffset
}

// New returns the operations on feature switches.
func New(st *store.Store, a *access.Access, service *feature.Service, pages pagination.MaxOffset) *Features {
	return &Features{store: st, access: a, features: service, pages: pages}
}
