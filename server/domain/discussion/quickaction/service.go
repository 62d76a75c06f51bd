// Package quickaction reads the quick actions in comments and descriptions, such as /close, and plans their effects.
// The domains of issues and merge requests apply the plan.
//
//	service.go    construction
//	parse.go      splits the quick actions from a text
//	table.go      the table of quick actions
//	plan.go       the effects of the quick actions of one text
//	refusal.go    what users read about quick actions that were refused
//	fields.go     quick actions that change simple fields or the state, and approve or merge
//	people.go     assignees and reviewers
//	label.go      labels
//	schedule.go   the milestone and the due date
//	time.go       time tracking
//	personal.go   subscriptions, to-do items and emoji reactions
//	reference.go  quick actions that name other items
package quickaction

import (
	"svc/server/domain/discussion/award"
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/store"
)

// Service plans quick actions.
type Service struct {
	store     *store.Store
	access    *access.Access
	issuables *issuable.Service
	awards    *award.Service
}

// New returns the planner of quick actions.
func New(st *store.Store, a *access.Access, issuables *issuable.Service, awards *award.Service) *Service {
	return &Service{store: st, access: a, issuables: issuables, awards: awards}
}
