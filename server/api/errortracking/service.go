// Package errortracking implements the API operations on error tracking: the errors that the programs of a project
// report, the client keys that they use, and the settings.
//
//	service.go            the operations and what they need
//	client_key.go         lists client keys
//	client_key_create.go  creates a client key
//	client_key_delete.go  deletes a client key
//	collector.go          receives events
//	unpack.go             decompresses the bodies of events
//	error.go              shows and changes an error
//	error_list.go         lists errors
//	error_events.go       lists the events of an error
//	settings.go           shows the settings of a project
//	settings_update.go    changes the settings of a project
package errortracking

import (
	"svc/server/domain/monitoring/errortracking"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// ErrorTracking implements the operations on error tracking.
type ErrorTracking struct {
	store   *store.Store
	access  *access.Access
	tracker *errortracking.Service
	pages   pagination.MaxOffset
	show    present.Presenter
}

// New returns the error tracking operations.
func New(
	st *store.Store, a *access.Access, tracker *errortracking.Service, pages pagination.MaxOffset,
	show present.Presenter,
) *ErrorTracking {
	return &ErrorTracking{store: st, access: a, tracker: tracker, pages: pages, show: show}
}
