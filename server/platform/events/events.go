// Package events records what happens: activity for people, audit for whoever runs the service, and news that are mailed.
// All of it is written in the caller's transaction, so that it is there if, and only if, what it tells of is.
package events

import (
	"context"

	"svc/store"
	"svc/store/model"
)

// Recorder writes what happens.
type Recorder struct {
	store *store.Store
	queue func(ctx context.Context, news News) error
}

// New takes where records are kept, and how news are queued.
func New(st *store.Store, queue func(ctx context.Context, news News) error) *Recorder {
	return &Recorder{store: st, queue: queue}
}

// Activity writes what a user did in a project. The project is as it was read before.
func (r *Recorder) Activity(ctx context.Context, project model.Project, e model.Event) error {
	return r.store.Events.Create(ctx, project, &e)
}

// On is an event with a target.
func On(author int64, action, target string, id int64) model.Event {
	return model.Event{AuthorID: author, Action: action, TargetType: &target, TargetID: &id}
}
