// Package issue creates, changes, moves, links and deletes issues, with their system notes, events, to-do items and
// notifications.
//
//	service.go   construction
//	create.go    creates an issue
//	change.go    what to change, and who may change it
//	apply.go     applies a change: compares it with the issue and writes it
//	assign.go    changes the assignees
//	commands.go  carries out quick actions
//	copy.go      moves and clones an issue
//	link.go      links issues and removes links
//	epic.go      assigns an issue to an epic
//	delete.go    deletes an issue
//	due.go       the background job for due issues
package issue

import (
	"context"
	"strconv"

	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/epic"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Service changes issues on behalf of the caller of a request.
type Service struct {
	store        *store.Store
	issuables    *issuable.Service
	events       *events.Recorder
	quickActions *quickaction.Service
	epics        *epic.Service
	paid         bool // whether issues have weights and epics
}

// NewService returns the Service. paid says whether issues have weights and epics.
func NewService(
	st *store.Store, issuables *issuable.Service, rec *events.Recorder, quickActions *quickaction.Service,
	epics *epic.Service, paid bool,
) *Service {
	return &Service{
		store: st, issuables: issuables, events: rec, quickActions: quickActions, epics: epics, paid: paid,
	}
}

// Get returns an issue of a project that the caller can see.
func (s *Service) Get(ctx context.Context, row model.ProjectRow, iid int64) (model.IssueRow, error) {
	found, err := s.store.Issues.Get(ctx, store.InProject(row, access.Reader(ctx)), iid)
	return found, apierr.OrNotFound(err)
}

// FindID finds the id of an issue of a project that the caller can see.
func (s *Service) FindID(ctx context.Context, row model.ProjectRow, iid int64) (int64, error) {
	id, err := s.store.Issues.FindID(ctx, store.InProject(row, access.Reader(ctx)), iid)
	if store.IsNotFound(err) {
		err = apierr.RecordNotFound()
	}
	return id, err
}

// milestone finds a milestone of the project or of a group above it.
func (s *Service) milestone(ctx context.Context, row model.ProjectRow, id int64) (model.MilestoneRow, error) {
	found, err := s.store.Milestones.Find(ctx, store.OwnedByProject(row.Project), id)
	if store.IsNotFound(err) {
		err = apierr.Invalid("milestone_id", "is invalid")
	}
	return found, err
}

// iteration finds an iteration that issues of a project may have.
func (s *Service) iteration(ctx context.Context, row model.ProjectRow, id int64) (model.IterationRow, error) {
	found, err := s.store.Iterations.Find(ctx, row.Project.NamespaceID, id)
	if store.IsNotFound(err) {
		err = apierr.Invalid("iteration_id", "is invalid")
	}
	return found, err
}

// callerID returns the user ID of the caller, who must be signed in.
func callerID(ctx context.Context) int64 { return reqctx.Of(ctx).Actor.User.ID }

// AssigneeIDs returns the user IDs of the assignees of an issue.
func AssigneeIDs(r model.IssueRow) []int64 {
	ids := make([]int64, len(r.Assignees))
	for i, u := range r.Assignees {
		ids[i] = u.ID
	}
	return ids
}

// reference returns the short name of an issue in its project.
func reference(i model.Issue) string { return "#" + strconv.FormatInt(i.IID, 10) }
