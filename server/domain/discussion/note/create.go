package note

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"svc/server/domain/issuable"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

const (
	mostText  = 1_000_000 // maximum number of characters of a note
	mostNotes = 5000      // maximum number of notes by users on one item
)

// NewNote is a note to be written.
type NewNote struct {
	Body     string
	Internal bool
	Thread   string // the id of the thread to reply to; empty begins a new thread
	Opens    bool   // whether the note begins a thread that others can reply to
	Position *string
	At       *time.Time // a creation time in the past, which only owners may set
}

// CheckText refuses an empty or too long text.
func CheckText(body string) error {
	if strings.TrimSpace(body) == "" {
		return apierr.BadParameter("body is empty")
	}
	if len(body) > mostText && utf8.RuneCountInString(body) > mostText {
		return apierr.Invalid("note", fmt.Sprintf("is too long (maximum is %d characters)", mostText))
	}
	return nil
}

// Create writes a note and what follows from it: the activity event, to-do items for mentioned users, and notifications.
func (t *Service) Create(ctx context.Context, p Item, s NewNote) (model.NoteRow, error) {
	if err := t.checkCreate(ctx, p, s); err != nil {
		return model.NoteRow{}, err
	}
	note, err := t.compose(ctx, p, s)
	if err != nil {
		return model.NoteRow{}, err
	}
	err = t.store.Tx(ctx, func(ctx context.Context) error {
		if err := t.store.Noteables.Touch(ctx, p.On); err != nil {
			return apierr.OrNotFound(err)
		}
		if s.Thread != "" {
			if err := t.store.Notes.StartThread(ctx, p.On, s.Thread); err != nil {
				return err
			}
		}
		if err := t.store.Notes.Add(ctx, &note); err != nil {
			return err
		}
		return t.afterCreate(ctx, p, note)
	})
	if err != nil {
		return model.NoteRow{}, err
	}
	author, err := t.store.Users.Get(ctx, p.Caller)
	return model.NoteRow{Note: note, Author: author}, err
}

// checkCreate refuses a note that the caller may not write here.
func (t *Service) checkCreate(ctx context.Context, p Item, s NewNote) error {
	if err := p.CheckMayComment(); err != nil {
		return err
	}
	if err := CheckText(s.Body); err != nil {
		return err
	}
	if s.Internal && !access.ReadsInternal(p.Row) {
		return apierr.Forbidden()
	}
	said := p.On.UserNotesCount
	if p.On.Type == model.OnCommit {
		var err error
		if said, err = t.store.Notes.CountOn(ctx, p.On, mostNotes); err != nil {
			return err
		}
	}
	if said >= mostNotes {
		return apierr.Refused(fmt.Sprintf("Maximum number of comments exceeded (%d)", mostNotes))
	}
	return nil
}

// compose builds the row of a note. A reply has the type of its thread and is internal if the thread is internal.
func (t *Service) compose(ctx context.Context, p Item, s NewNote) (model.Note, error) {
	note := model.Note{
		ProjectID: p.Row.Project.ID, NoteableType: p.On.Type, AuthorID: p.Caller, Body: s.Body, Internal: s.Internal,
		Position: s.Position, DiscussionID: s.Thread,
	}
	if p.On.Type == model.OnCommit {
		note.CommitID = &p.On.CommitID
	} else {
		note.NoteableID = &p.On.ID
	}
	kind := ""
	switch {
	case s.Position != nil:
		kind = model.DiffNote
	case s.Opens || s.Thread != "":
		kind = model.DiscussionNote
	}
	if s.Thread != "" {
		thread, err := t.Thread(ctx, p, s.Thread)
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
		note.NoteType, note.Resolvable = &kind, p.On.Type == model.OnMergeRequest
	}
	if s.At != nil && p.Row.Role() >= model.Owner {
		note.CreatedAt, note.UpdatedAt = s.At.UTC(), s.At.UTC()
	}
	return note, nil
}

// target returns the item that a note is about, with the visibility of the note.
func (p Item) target(note model.Note) issuable.Target {
	return issuable.Target{
		Type: p.On.Type, ID: p.On.ID, Project: p.Row.Project, AuthorID: p.On.AuthorID, Confidential: p.On.Confidential,
		Assignees: p.On.Assignees, Internal: note.Internal,
	}
}

// afterCreate writes what follows from a new note: to-do items, the activity event and the notification.
func (t *Service) afterCreate(ctx context.Context, p Item, note model.Note) error {
	if p.On.ID != 0 {
		if err := t.store.Todos.DoneForTarget(ctx, p.On.Type, p.On.ID, p.Caller); err != nil {
			return err
		}
		if err := t.issuables.AddMentionTodos(ctx, p.target(note), p.Caller, note.Body, "", &note.ID); err != nil {
			return err
		}
	}
	kind := model.OnNote
	if note.NoteType != nil {
		kind = *note.NoteType
	}
	if err := t.events.Activity(ctx, p.Row.Project, events.On(p.Caller, model.EventCommented, kind, note.ID)); err != nil {
		return err
	}
	return t.events.Notify(ctx, events.Notification{
		Event: events.NewNote, ProjectID: p.Row.Project.ID, AuthorID: p.Caller, TargetType: p.On.Type, TargetID: p.On.ID, NoteID: note.ID,
	})
}

// Rewrite changes the text of a note. Users who are mentioned for the first time get a to-do item.
func (t *Service) Rewrite(ctx context.Context, p Item, row model.NoteRow, body string) (model.NoteRow, error) {
	if err := p.checkMayChange(row.Note); err != nil {
		return row, err
	}
	if err := CheckText(body); err != nil {
		return row, err
	}
	err := t.store.Tx(ctx, func(ctx context.Context) error {
		if err := t.store.Notes.UpdateBody(ctx, row.Note.ID, body); err != nil {
			return apierr.OrNotFound(err)
		}
		if p.On.ID == 0 {
			return nil
		}
		return t.issuables.AddMentionTodos(ctx, p.target(row.Note), p.Caller, body, row.Note.Body, &row.Note.ID)
	})
	if err != nil {
		return row, err
	}
	return t.Note(ctx, p, row.Note.ID)
}

// Remove deletes a note.
func (t *Service) Remove(ctx context.Context, p Item, row model.NoteRow, unchangedSince *time.Time) error {
	if err := p.checkMayChange(row.Note); err != nil {
		return err
	}
	return t.store.Notes.Remove(ctx, row.Note, unchangedSince)
}

// Resolve resolves or reopens a thread, or only one note of the thread.
func (t *Service) Resolve(ctx context.Context, p Item, thread string, only int64, resolved bool) error {
	if err := p.CheckMayResolve(); err != nil {
		return err
	}
	var by *int64
	if resolved {
		by = &p.Caller
	}
	return t.store.Notes.Resolve(ctx, p.On, thread, only, by)
}
