// Package discussion describes what users comment on. Its subpackages hold what happens there: notes, emoji reactions,
// quick actions, mentions and notifications.
package discussion

import (
	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Item is an item that users comment on, as the caller sees it.
type Item struct {
	Row    model.ProjectRow
	On     model.Noteable
	Caller int64 // 0 for an anonymous caller
}

// Filter selects the notes of the item that the caller may read.
func (i Item) Filter() store.NoteFilter {
	return store.NoteFilter{On: i.On, Internal: access.ReadsInternal(i.Row)}
}

// Target returns the item as an issue or merge request. internal says whether the note in question is for members only.
func (i Item) Target(internal bool) issuable.Target {
	return issuable.Target{
		Type: i.On.Type, ID: i.On.ID, Project: i.Row.Project, AuthorID: i.On.AuthorID, Confidential: i.On.Confidential,
		Assignees: i.On.Assignees, Internal: internal,
	}
}

// HasTodos reports whether users can have to-do items about the item: only about issues and merge requests.
func (i Item) HasTodos() bool { return i.On.Type == model.OnIssue || i.On.Type == model.OnMergeRequest }

// CheckMayComment refuses callers who may read the item but not comment on it: if the discussion is locked, only
// members may comment.
func (i Item) CheckMayComment() error {
	if i.On.Locked && i.Row.Role() < model.Guest {
		return apierr.Forbidden()
	}
	return nil
}

// CheckMayChange refuses callers who may not change a note. Its author and maintainers may change it. Nobody may change
// a system note.
func (i Item) CheckMayChange(n model.Note) error {
	if n.System || (n.AuthorID != i.Caller && i.Row.Role() < model.Maintainer) {
		return apierr.Forbidden()
	}
	return i.CheckMayComment()
}

// CheckMayResolve refuses callers who may not resolve a thread: only developers and the author of the item may.
func (i Item) CheckMayResolve() error {
	if i.Row.Role() < model.Developer && i.On.AuthorID != i.Caller {
		return apierr.Forbidden()
	}
	return nil
}
