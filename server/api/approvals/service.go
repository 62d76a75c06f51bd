// Package approvals implements the API operations on approval rules and settings.
//
//	service.go        the dependencies
//	settings.go       how the merge requests of a project are approved
//	rule.go           the rules of a project
//	merge_request.go  the rules of a merge request, and removing approvals
//	view.go           reads what the responses show of rules
//	status_check.go   external status checks
//	input.go          reads the bodies of requests
package approvals

import (
	"svc/server/domain/mergerequest"
	"svc/server/domain/mergerequest/approval"
	"svc/server/domain/mergerequest/statuscheck/manage"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Approvals implements the operations on approval rules and settings.
type Approvals struct {
	store         *store.Store
	access        *access.Access
	rules         *approval.Service
	mergeRequests *mergerequest.Service
	checks        *manage.Service
	pages         pagination.MaxOffset
	show          present.Presenter
}

// New returns the approval operations.
func New(
	st *store.Store, a *access.Access, mergeRequests *mergerequest.Service, checks *manage.Service, pages pagination.MaxOffset,
	show present.Presenter,
) *Approvals {
	return &Approvals{
		store: st, access: a, rules: approval.New(st), mergeRequests: mergeRequests, checks: checks, pages: pages, show: show,
	}
}
