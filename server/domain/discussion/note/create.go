package note

import (
	"context"
	"fmt"
	"time"

	"svc/server/domain/discussion"
	"svc/server/domain/webhook/announce"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// maxNotes is the maximum number of notes by users on one item.
const maxNotes = discussion.MaxNotes

// NewNote is a note to be written.
type NewNote struct {
	Body     string
	Internal bool
	Thread   string // the id of the thread to reply to; empty begins a new thread
	Opens    bool   // whether the note begins a thread that others can reply to
	Position *string
	CommitID *string    // the commit of a merge request that the note is about
	Resolve  *bool      // whether to resolve or reopen the thread, if the caller may; only CreateAll reads it
	At       *time.Time // a creation time in the past, which only owners may set
	quiet    bool       // somebody else notifies
}

// CheckText refuses an empty or too long text.
func CheckText(body string) error { return discussion.CheckText(body) }

// Create writes a note and what follows from it: the activity event, to-do items for mentioned users, and
// notifications.
func (s *Service) Create(ctx context.Context, item Item, n NewNote) (model.NoteRow, error) {
	if err := s.checkCreate(ctx, item, n); err != nil {
		return model.NoteRow{}, err
	}
	note, err := s.compose(ctx, item, n)
	if err != nil {
		return model.NoteRow{}, err
	}
	suggested, err := s.suggestions(ctx, item, note)
	if err != nil {
		return model.NoteRow{}, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		ctx, err := s.issuables.Hooks.Expect(ctx, item.Row.Project)
		if err != nil {
			return err
		}
		if err := s.store.Noteables.CountNote(ctx, item.On); err != nil {
			return apierr.OrNotFound(err)
		}
		if n.Thread != "" {
			if err := s.store.Notes.StartThread(ctx, item.On, n.Thread); err != nil {
				return err
			}
		}
		if err := s.store.Notes.AddCounted(ctx, &note); err != nil {
			return err
		}
		if err := s.addSuggestions(ctx, note, suggested); err != nil {
			return err
		}
		if err := s.afterCreate(ctx, item, note); err != nil || n.quiet {
			return err
		}
		return s.notify(ctx, item, note.ID)
	})
	if err != nil {
		return model.NoteRow{}, err
	}
	author, err := s.author(ctx, item.Caller)
	return model.NoteRow{Note: note, Author: author, Suggestions: suggested}, err
}

// author returns the author of a new note. The caller of the request is known already.
func (s *Service) author(ctx context.Context, id int64) (model.User, error) {
	if actor := reqctx.Of(ctx).Actor; actor != nil && actor.User.ID == id {
		return actor.User.Basic(), nil
	}
	return s.store.Users.Get(ctx, id)
}

// checkCreate refuses a note that the caller may not write here.
func (s *Service) checkCreate(ctx context.Context, item Item, n NewNote) error {
	if err := item.CheckMayComment(); err != nil {
		return err
	}
	if err := CheckText(n.Body); err != nil {
		return err
	}
	if n.Internal && !access.ReadsInternal(item.Row) {
		return apierr.Forbidden()
	}
	count := item.On.UserNotesCount
	if !item.HasTodos() { // commits and snippets do not count their notes
		var err error
		if count, err = s.store.Notes.CountOn(ctx, item.On, maxNotes); err != nil {
			return err
		}
	}
	if count >= maxNotes {
		return apierr.Refused(fmt.Sprintf("Maximum number of comments exceeded (%d)", maxNotes))
	}
	return nil
}

// compose builds the row of a note. A reply has the type of its thread and is internal if the thread is internal.
func (s *Service) compose(ctx context.Context, item Item, n NewNote) (model.Note, error) {
	note := model.Note{
		ProjectID: item.Row.Project.ID, NoteableType: item.On.Type, AuthorID: item.Caller, Body: n.Body,
		Internal: n.Internal, Position: n.Position, DiscussionID: n.Thread,
	}
	if item.On.Type == model.OnCommit {
		note.CommitID = &item.On.CommitID
	} else {
		note.NoteableID, note.CommitID = &item.On.ID, n.CommitID
	}
	kind := ""
	switch {
	case n.Position != nil:
		kind = model.DiffNote
	case n.Opens || n.Thread != "":
		kind = model.DiscussionNote
	}
	if n.Thread != "" {
		thread, err := s.Thread(ctx, item, n.Thread)
		if err != nil {
			return note, err
		}
		first := thread.Notes[0].Note
		if first.System {
			return note, apierr.Forbidden()
		}
		note.Internal = first.Internal
		if first.NoteType != nil && *first.NoteType == model.DiffNote {
			kind, note.Position = model.DiffNote, first.Position
		}
	}
	if kind != "" {
		note.NoteType, note.Resolvable = &kind, item.On.Type == model.OnMergeRequest
	}
	if n.At != nil && item.Row.Role() >= model.Owner {
		note.CreatedAt, note.UpdatedAt = n.At.UTC(), n.At.UTC()
	}
	return note, nil
}

// afterCreate writes what follows from a new note: to-do items and the activity event.
func (s *Service) afterCreate(ctx context.Context, item Item, note model.Note) error {
	if item.HasTodos() {
		if err := s.store.Todos.DoneForTarget(ctx, item.On.Type, item.On.ID, item.Caller); err != nil {
			return err
		}
		target := item.Target(note.Internal)
		if err := s.issuables.AddMentionTodos(ctx, target, item.Caller, note.Body, "", &note.ID); err != nil {
			return err
		}
	}
	kind := model.OnNote
	if note.NoteType != nil {
		kind = *note.NoteType
	}
	event := events.On(item.Caller, model.EventCommented, kind, note.ID)
	if err := s.events.Activity(ctx, item.Row.Project, event); err != nil {
		return err
	}
	return s.issuables.Hooks.Note(ctx, item.Row.Project, note, item.Caller, announce.NoteCreated)
}

// notify mails users about new notes of the caller, all in one mail.
func (s *Service) notify(ctx context.Context, item Item, notes ...int64) error {
	if len(notes) == 0 {
		return nil
	}
	return s.events.Notify(ctx, events.Notification{
		Event: events.NewNote, ProjectID: item.Row.Project.ID, AuthorID: item.Caller, TargetType: item.On.Type,
		TargetID: item.On.ID, NoteID: notes[0], Further: notes[1:],
	})
}
