// Package schedules manages pipeline schedules: pipelines that run at certain times.
//
//	service.go          the dependencies
//	find.go             find a schedule, for readers or for callers who may change it
//	list.go, get.go     list and show schedules
//	create.go           create a schedule
//	update.go           change a schedule, take its ownership
//	delete.go           delete a schedule
//	pipeline.go         list and start the pipelines of a schedule
//	variable.go         show and remove the variables of a schedule
//	variable_change.go  add and change the variables of a schedule
package schedules

import (
	"svc/server/domain/ci/schedule"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Schedules holds the operations on pipeline schedules.
type Schedules struct {
	store     *store.Store
	access    *access.Access
	schedules *schedule.Service
	pages     pagination.MaxOffset
	show      present.Presenter
}

// New returns the schedule operations.
func New(
	st *store.Store, a *access.Access, schedules *schedule.Service, pages pagination.MaxOffset, show present.Presenter,
) *Schedules {
	return &Schedules{store: st, access: a, schedules: schedules, pages: pages, show: show}
}
