// Package note writes comments on issues, merge requests, commits and snippets: who may write them, and what follows from
// them.
package note

import (
	"context"
	"errors"

	"svc/server/domain/issuable"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// Talk finds what is talked about, and writes what is said.
type Talk struct {
	store  *store.Store
	access *access.Access
	events *events.Recorder
	repos  *push.Pusher
	desk   *issuable.Desk

	writers Writers
}

// New takes how projects are judged, who records what happens, where repositories are, and who asks people to look at things.
func New(st *store.Store, a *access.Access, recorder *events.Recorder, repos *push.Pusher, desk *issuable.Desk) *Talk {
	return &Talk{store: st, access: a, events: recorder, repos: repos, desk: desk}
}

// Place is something that is talked about, as the caller sees it.
type Place struct {
	Row    model.ProjectRow
	On     model.Noteable
	Caller int64 // 0 for nobody
}

// Filter leaves the notes that the caller sees there.
func (p Place) Filter() store.NoteFilter {
	return store.NoteFilter{On: p.On, Internal: access.ReadsInternal(p.Row)}
}

// Find returns an issue or a merge request of a project that the caller has the ability in, if they may read it.
func (t *Talk) Find(ctx context.Context, ref, kind string, iid int64, ability access.Ability) (Place, error) {
	row, err := t.access.Project(ctx, ref, ability)
	if err != nil {
		return Place{}, err
	}
	if kind == model.OnIssue && !row.ReadsIssues() || kind == model.OnMergeRequest && !row.ReadsMergeRequests() {
		return Place{}, apierr.Forbidden() // as the thing itself answers
	}
	on, err := t.store.Noteables.Find(ctx, kind, row.Project.ID, iid)
	if err != nil {
		return Place{}, apierr.OrNotFound(err)
	}
	p := Place{Row: row, On: on, Caller: caller(ctx)}
	if !access.ReadsNoteable(row, on, p.Caller) {
		return Place{}, apierr.RecordNotFound()
	}
	return p, nil
}

// Commit returns a commit of a project that the caller has the ability in.
func (t *Talk) Commit(ctx context.Context, ref, rev string, ability access.Ability) (Place, error) {
	row, err := t.access.Project(ctx, ref, ability)
	if err != nil {
		return Place{}, err
	}
	repo, err := t.repos.Repo(row.Project)
	if err != nil {
		return Place{}, err
	}
	id, err := repo.Resolve(ctx, rev)
	if errors.Is(err, git.ErrNotFound) {
		return Place{}, apierr.NotFound("Commit")
	}
	return Place{Row: row, On: CommitOf(row.Project, id), Caller: caller(ctx)}, err
}

// CommitOf is a commit as something that is talked about.
func CommitOf(p model.Project, id string) model.Noteable {
	return model.Noteable{Type: model.OnCommit, ProjectID: p.ID, CommitID: id, Title: id[:min(8, len(id))]}
}

// Note returns a note there that the caller sees.
func (t *Talk) Note(ctx context.Context, p Place, id int64) (model.NoteRow, error) {
	row, err := t.store.Notes.Get(ctx, p.Filter(), id)
	return row, apierr.OrNotFound(err)
}

// Thread returns a thread there, as far as the caller sees it.
func (t *Talk) Thread(ctx context.Context, p Place, id string) (model.Thread, error) {
	thread, err := t.store.Notes.Thread(ctx, p.Filter(), id)
	return thread, apierr.OrNotFound(err)
}

// InThread returns a note of a thread there.
func (t *Talk) InThread(ctx context.Context, p Place, thread string, id int64) (model.NoteRow, error) {
	row, err := t.Note(ctx, p, id)
	if err == nil && row.Note.DiscussionID != thread {
		err = apierr.RecordNotFound()
	}
	return row, err
}

func caller(ctx context.Context) int64 {
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		return actor.User.ID
	}
	return 0
}

// MayTalk refuses who may read, but not go on talking: where the discussion is locked, only members do.
func (p Place) MayTalk() error {
	if p.On.Locked && p.Row.Role() < model.Guest {
		return apierr.Forbidden()
	}
	return nil
}

// mayChange refuses who may not change a note: all but its author and maintainers. What the service notes nobody changes.
func (p Place) mayChange(n model.Note) error {
	if n.System || (n.AuthorID != p.Caller && p.Row.Role() < model.Maintainer) {
		return apierr.Forbidden()
	}
	return p.MayTalk()
}

// MayResolve refuses who may not say that a thread is settled.
func (p Place) MayResolve() error {
	if p.Row.Role() < model.Developer && p.On.AuthorID != p.Caller {
		return apierr.Forbidden()
	}
	return nil
}
