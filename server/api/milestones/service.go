// Package milestones manages the milestones of projects and groups, and lists their issues and merge requests.
//
//	service.go         construction
//	place.go           the project or group of a request
//	list.go            list milestones
//	get.go             read a milestone
//	create.go          create a milestone
//	update.go          change a milestone
//	delete.go          delete a milestone
//	promote.go         turn a milestone of a project into a milestone of its group
//	issues.go          list the issues of a milestone
//	merge_requests.go  list the merge requests of a milestone
package milestones

import (
	"context"

	"svc/gen"
	"svc/server/domain/mergerequest"
	"svc/server/domain/milestone"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// Milestones are the operations on milestones.
type Milestones struct {
	store      *store.Store
	access     *access.Access
	milestones *milestone.Service
	pages      pagination.MaxOffset
	show       present.Presenter
	merges     *mergerequest.Viewer
}

// New returns the milestone operations.
func New(
	st *store.Store, a *access.Access, milestones *milestone.Service, pages pagination.MaxOffset,
	show present.Presenter, merges *mergerequest.Viewer,
) *Milestones {
	return &Milestones{store: st, access: a, milestones: milestones, pages: pages, show: show, merges: merges}
}

// presentOne presents a milestone as of now.
func (m *Milestones) presentOne(ctx context.Context, row model.MilestoneRow) gen.Milestone {
	return m.show.Milestone(clock.Now(ctx))(row)
}
