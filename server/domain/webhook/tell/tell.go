// Package tell tells webhooks what happens in the domains. Each method is called in the transaction of what it tells, and
// costs one query if no hook wants to know.
//
//	tell.go           construction
//	push.go           pushes of branches and tags
//	issue.go          issues
//	merge_request.go  merge requests
//	note.go           comments
//	ci.go             pipelines, jobs and deployments
//	other.go          milestones, wiki pages, releases and emoji reactions
//	place.go          projects, groups, members, users and keys
//	sample.go         bodies for tests of hooks
package tell

import (
	"context"

	"svc/server/domain/webhook/load"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Teller tells webhooks what happens.
type Teller struct {
	store  *store.Store
	repos  *git.Repositories
	loader *load.Loader
	events *events.Recorder
	to     payload.Instance
}

// New returns a Teller.
func New(st *store.Store, repos *git.Repositories, recorder *events.Recorder, to payload.Instance) *Teller {
	return &Teller{store: st, repos: repos, loader: load.New(st, repos), events: recorder, to: to}
}

// one tells hooks of a project one event.
func (t *Teller) one(
	ctx context.Context, p model.Project, kind model.HookEvents, body func(ctx context.Context) (any, error),
) error {
	return t.events.Hook(ctx, events.InProject(p), events.HookEvent{Kind: kind, Body: body})
}
