// Package featureflags implements the API operations on the feature flags of projects.
//
//	service.go    the operations and what they need
//	flag.go       feature flags
//	input.go      reads the bodies of feature flags
//	user_list.go  user lists
//	client.go     the instance ID that programs send
//	unleash.go    what programs read
package featureflags

import (
	"svc/server/domain/featureflag"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// FeatureFlags implements the operations on feature flags.
type FeatureFlags struct {
	store  *store.Store
	access *access.Access
	flags  *featureflag.Service
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the operations on feature flags.
func New(
	st *store.Store, a *access.Access, flags *featureflag.Service, pages pagination.MaxOffset, show present.Presenter,
) *FeatureFlags {
	return &FeatureFlags{store: st, access: a, flags: flags, pages: pages, show: show}
}
