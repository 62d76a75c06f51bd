// Package load reads what the bodies of webhooks show, with few statements, for the builders of package payload.
//
// What can change is read in the transaction of the event, so that the body says what was true then: titles, states,
// people, labels, the jobs of a pipeline. The methods take the context of that transaction. They cost several
// statements, so the caller first asks whether a hook wants the event.
//
// What cannot change may be read later, by the job that delivers: the commits between two ids of a push, their files,
// and the message of a tag. A push is therefore recorded without them (RecordPush) and completed in the background
// (CompletePush), so that a push does not wait for git. What the list depends on besides the two ids, the tip of the
// default branch, is recorded with it. Other bodies show one commit at most. It is read in the transaction, from the
// row of the pipeline or by its id, which is usually cached.
//
//	load.go           the loader, projects and their owners
//	push.go           pushes
//	issuable.go       issues, merge requests, and what notes and emoji are on
//	ci.go             pipelines, jobs and deployments
//	release.go        releases
//	wiki_page.go      wiki pages
package load

import (
	"context"
	"errors"

	"svc/server/domain/webhook/payload"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Loader reads what bodies show.
type Loader struct {
	store *store.Store
	repos *git.Repositories
}

// New returns a Loader.
func New(st *store.Store, repos *git.Repositories) *Loader { return &Loader{store: st, repos: repos} }

// everything is a reader who sees all rows: a hook gets what happens, whoever did it.
var everything = &store.Reader{Admin: true}

// Project reads a project.
func (l *Loader) Project(ctx context.Context, id int64) (model.Project, error) {
	row, err := l.store.Projects.Get(ctx, id, "", everything)
	return row.Project, err
}

// projectOrNil reads a project that may be gone, such as a fork.
func (l *Loader) projectOrNil(ctx context.Context, id *int64) (*model.Project, error) {
	if id == nil {
		return nil, nil // there is none
	}
	p, err := l.Project(ctx, *id)
	if store.IsNotFound(err) {
		return nil, nil // it is gone
	}
	return &p, err
}

// userOrNil reads a user who may be gone.
func (l *Loader) userOrNil(ctx context.Context, id *int64) (*model.User, error) {
	if id == nil {
		return nil, nil // there is none
	}
	u, err := l.store.Users.Get(ctx, *id)
	if store.IsNotFound(err) {
		return nil, nil // the user is gone
	}
	return &u, err
}

// commitOrNil reads a commit that may be gone.
func (l *Loader) commitOrNil(ctx context.Context, p model.Project, id string) (*git.Commit, error) {
	if !git.IsID(id) || id == git.Zero {
		return nil, nil // there is none
	}
	c, err := l.repos.Project(p.RepositoryStorage, p.ID).Commit(ctx, id)
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrTooLarge) {
		return nil, nil // it is gone, or no receiver wants it
	}
	return &c, err
}

// mostOwners is how many owners of a project bodies list.
const mostOwners = 100

// SystemProject reads the owners of a project, for the events about projects.
func (l *Loader) SystemProject(ctx context.Context, event string, row model.ProjectRow) (payload.SystemProjectInput, error) {
	in := payload.SystemProjectInput{Event: event, Project: row.Project}
	filter := store.MemberFilter{SourceType: model.SourceProject, SourceID: row.Project.ID, Inherited: true, Least: model.Owner}
	members, _, err := l.store.Members.List(ctx, filter, store.Page{Limit: mostOwners})
	if err != nil {
		return in, err
	}
	for _, m := range members {
		in.Owners = append(in.Owners, m.User)
		if row.Owner.ID != nil && m.User.ID == *row.Owner.ID {
			in.Owner = &m.User
		}
	}
	switch {
	case row.Place.Kind == model.NamespaceGroup:
		in.Group = &model.Namespace{ID: row.Place.ID, Name: row.Place.Name, Path: row.Place.Path, FullPath: row.Place.FullPath}
	case in.Owner == nil:
		in.Owner, err = l.userOrNil(ctx, row.Owner.ID)
	}
	return in, err
}
