// Package announce announces to webhooks what happens in the domains. Each method is called in the transaction of the
// change that it announces, and costs one query if no hook wants to know.
//
//	announce.go       construction
//	push.go           pushes of branches and tags
//	issue.go          issues
//	merge_request.go  merge requests
//	note.go           comments
//	ci.go             pipelines, jobs and deployments
//	other.go          milestones, wiki pages, releases, feature flags and emoji reactions
//	place.go          projects, groups, users and keys
//	deletion.go       groups and users that are deleted with what belongs to them
//	member.go         members of groups and projects
//	token.go          tokens that are about to expire
//	sample.go         bodies for tests of hooks
package announce

import (
	"context"

	"svc/server/domain/webhook/load"
	"svc/server/domain/webhook/payload"
	"svc/server/platform/events"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Announcer announces to webhooks what happens.
type Announcer struct {
	store  *store.Store
	repos  *git.Repositories
	loader *load.Loader
	events *events.Recorder
	to     payload.Instance
}

// New returns an Announcer.
func New(st *store.Store, repos *git.Repositories, recorder *events.Recorder, to payload.Instance) *Announcer {
	return &Announcer{store: st, repos: repos, loader: load.New(st, repos), events: recorder, to: to}
}

// Expect is called at the start of a transaction that announces events of a project; see events.Recorder.ExpectHooks.
func (a *Announcer) Expect(ctx context.Context, p model.Project) (context.Context, error) {
	if a == nil {
		return ctx, nil
	}
	return a.events.ExpectHooks(ctx, events.InProject(p))
}

// one announces one event to the hooks of a project.
func (a *Announcer) one(
	ctx context.Context, p model.Project, kind model.HookEvents, body func(ctx context.Context) (any, error),
) error {
	return a.events.Hook(ctx, events.InProject(p), events.HookEvent{Kind: kind, Body: body})
}
