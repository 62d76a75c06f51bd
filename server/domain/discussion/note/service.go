// Package note writes comments on issues, merge requests, commits and snippets. It checks who may write them, carries
// out the quick actions in them and writes what follows from them: to-do items, activity and notifications.
//
//	service.go   construction
//	find.go      finds items, notes and threads
//	create.go    creates notes
//	change.go    changes, deletes and resolves notes
//	commands.go  carries out the quick actions in texts
//	position.go  the place of a note in a diff
//	suggest.go   the changes of lines that notes on diffs suggest
package note

import (
	"svc/server/domain/discussion"
	"svc/server/domain/discussion/quickaction"
	"svc/server/domain/issuable"
	"svc/server/domain/issue"
	"svc/server/domain/mergerequest"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/store"
)

// Item is an item that users comment on, as the caller sees it.
type Item = discussion.Item

// Service finds the items that users comment on, and writes the comments.
type Service struct {
	store         *store.Store
	access        *access.Access
	events        *events.Recorder
	repos         *push.Pusher
	issuables     *issuable.Service
	issues        *issue.Service
	mergeRequests *mergerequest.Service
	quickActions  *quickaction.Service
}

// Dependencies are what New needs.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Events       *events.Recorder
	Pusher       *push.Pusher
	Issuables    *issuable.Service
	Issues       *issue.Service
	QuickActions *quickaction.Service

	MergeRequests *mergerequest.Service
}

// New returns the note operations.
func New(d Dependencies) *Service {
	return &Service{
		store: d.Store, access: d.Access, events: d.Events, repos: d.Pusher, issuables: d.Issuables, issues: d.Issues,
		mergeRequests: d.MergeRequests, quickActions: d.QuickActions,
	}
}
