// Package note writes comments on issues, merge requests, commits and snippets. It checks who may write them, carries
// out the quick actions in them and writes what follows from them: to-do items, activity and notifications.
//
//	talk.go          finds items, notes and threads, and checks who may comment
//	say.go           creates, changes, deletes and resolves notes
//	award.go         emoji reactions
//	commands.go      splits quick actions from a text and carries them out
//	plan.go          collects the effects of several quick actions and applies them
//	verbs.go         the table of quick actions
//	verbs_change.go  quick actions that change the item
//	verbs_step.go    quick actions with other effects
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

// Service finds the items that users comment on, and writes the comments.
type Service struct {
	store     *store.Store
	access    *access.Access
	events    *events.Recorder
	repos     *push.Pusher
	issuables *issuable.Service

	writers Writers
}

// New returns the note operations.
func New(st *store.Store, a *access.Access, recorder *events.Recorder, repos *push.Pusher, desk *issuable.Service) *Service {
	return &Service{store: st, access: a, events: recorder, repos: repos, issuables: desk}
}

// Item is an item that users comment on, as the caller sees it.
type Item struct {
	Row    model.ProjectRow
	On     model.Noteable
	Caller int64 // 0 for an anonymous caller
}

// Filter selects the notes of the item that the caller may read.
func (p Item) Filter() store.NoteFilter {
	return store.NoteFilter{On: p.On, Internal: access.ReadsInternal(p.Row)}
}

// Find returns an issue or a merge request that the caller may read, in a project where the caller has the ability.
func (t *Service) Find(ctx context.Context, ref, kind string, iid int64, ability access.Ability) (Item, error) {
	row, err := t.access.Project(ctx, ref, ability)
	if err != nil {
		return Item{}, err
	}
	if kind == model.OnIssue && !row.ReadsIssues() || kind == model.OnMergeRequest && !row.ReadsMergeRequests() {
		return Item{}, apierr.Forbidden() // as the item itself responds
	}
	on, err := t.store.Noteables.Find(ctx, kind, row.Project.ID, iid)
	if err != nil {
		return Item{}, apierr.OrNotFound(err)
	}
	p := Item{Row: row, On: on, Caller: caller(ctx)}
	if !access.ReadsNoteable(row, on, p.Caller) {
		return Item{}, apierr.RecordNotFound()
	}
	return p, nil
}

// Commit returns a commit of a project where the caller has the ability.
func (t *Service) Commit(ctx context.Context, ref, rev string, ability access.Ability) (Item, error) {
	row, err := t.access.Project(ctx, ref, ability)
	if err != nil {
		return Item{}, err
	}
	repo, err := t.repos.Repo(row.Project)
	if err != nil {
		return Item{}, err
	}
	id, err := repo.Resolve(ctx, rev)
	if errors.Is(err, git.ErrNotFound) {
		return Item{}, apierr.NotFound("Commit")
	}
	return Item{Row: row, On: CommitOf(row.Project, id), Caller: caller(ctx)}, err
}

// CommitOf returns a commit as an item that users comment on.
func CommitOf(p model.Project, id string) model.Noteable {
	return model.Noteable{Type: model.OnCommit, ProjectID: p.ID, CommitID: id, Title: id[:min(8, len(id))]}
}

// Note returns a note of the item, if the caller may read it.
func (t *Service) Note(ctx context.Context, p Item, id int64) (model.NoteRow, error) {
	row, err := t.store.Notes.Get(ctx, p.Filter(), id)
	return row, apierr.OrNotFound(err)
}

// Thread returns a thread of the item, with the notes that the caller may read.
func (t *Service) Thread(ctx context.Context, p Item, id string) (model.Thread, error) {
	thread, err := t.store.Notes.Thread(ctx, p.Filter(), id)
	return thread, apierr.OrNotFound(err)
}

// InThread returns a note of a thread of the item.
func (t *Service) InThread(ctx context.Context, p Item, thread string, id int64) (model.NoteRow, error) {
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

// CheckMayComment refuses callers who may read the item but not comment on it: if the discussion is locked, only members may
// comment.
func (p Item) CheckMayComment() error {
	if p.On.Locked && p.Row.Role() < model.Guest {
		return apierr.Forbidden()
	}
	return nil
}

// checkMayChange refuses callers who may not change a note. Its author and maintainers may change it. Nobody may change a
// system note.
func (p Item) checkMayChange(n model.Note) error {
	if n.System || (n.AuthorID != p.Caller && p.Row.Role() < model.Maintainer) {
		return apierr.Forbidden()
	}
	return p.CheckMayComment()
}

// CheckMayResolve refuses callers who may not resolve a thread: only developers and the author of the item may.
func (p Item) CheckMayResolve() error {
	if p.Row.Role() < model.Developer && p.On.AuthorID != p.Caller {
		return apierr.Forbidden()
	}
	return nil
}
