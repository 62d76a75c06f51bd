// Package events records what happens: activity for users, audit events for administrators, and news for notification
// mails. Everything is written in the caller's transaction, so that a record exists if, and only if, its change does.
//
//	events.go       construction, activity of users
//	kinds.go        the kinds of audit events
//	audit.go        audit events
//	differences.go  what a change changed, for audit events
//	news.go         news for notification mails
//	hooks.go        messages for webhooks
//	expire.go       deletion of old records
package events

import (
	"context"

	"svc/store"
	"svc/store/model"
)

// Recorder writes activity, audit events, news and messages for webhooks.
type Recorder struct {
	store *store.Store
	queue func(ctx context.Context, news Notification) error
	hooks HookQueue
}

// New returns a recorder. queue queues news for the background job that mails them.
func New(st *store.Store, queue func(ctx context.Context, news Notification) error) *Recorder {
	return &Recorder{store: st, queue: queue}
}

// Activity writes what a user did in a project. The project is the row that the caller has already read.
func (r *Recorder) Activity(ctx context.Context, project model.Project, e model.Event) error {
	return r.store.Events.Create(ctx, project, &e)
}

// On returns an event with a target.
func On(author int64, action, target string, id int64) model.Event {
	return model.Event{AuthorID: author, Action: action, TargetType: &target, TargetID: &id}
}
