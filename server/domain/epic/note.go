package epic

import (
	"context"
	"fmt"
	"time"

	"svc/server/domain/discussion"
	"svc/server/domain/issuable"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// Talk is an epic that users comment on, with the role of the caller in its group.
type Talk struct {
	Epic model.EpicRow
	Role model.Access
}

// Filter selects the notes on the epic that the caller may read.
func (t Talk) Filter() store.EpicNoteFilter {
	return store.EpicNoteFilter{EpicID: t.Epic.Epic.ID, Internal: t.Role >= model.Reporter}
}

// NewNote is a note to be written.
type NewNote struct {
	Body     string
	Internal bool
	Thread   string     // the id of the thread to reply to; empty begins a new thread
	Opens    bool       // whether the note begins a thread that others can reply to
	At       *time.Time // a creation time in the past, which only owners may set
}

// CreateNote writes a note on an epic.
func (s *Service) CreateNote(ctx context.Context, t Talk, n NewNote) (model.EpicNoteRow, error) {
	if err := discussion.CheckText(n.Body); err != nil {
		return model.EpicNoteRow{}, err
	}
	if n.Internal && t.Role < model.Reporter {
		return model.EpicNoteRow{}, apierr.Forbidden()
	}
	if t.Epic.Epic.UserNotesCount >= discussion.MaxNotes {
		return model.EpicNoteRow{}, apierr.Refused(fmt.Sprintf("Maximum number of comments exceeded (%d)", discussion.MaxNotes))
	}
	made := model.EpicNote{
		EpicID: t.Epic.Epic.ID, AuthorID: callerID(ctx), Body: n.Body, Internal: n.Internal, DiscussionID: n.Thread,
	}
	if n.Opens || n.Thread != "" {
		kind := model.DiscussionNote
		made.NoteType = &kind
	}
	if n.At != nil && t.Role >= model.Owner {
		made.CreatedAt, made.UpdatedAt = n.At.UTC(), n.At.UTC()
	}
	err := s.store.Tx(ctx, func(ctx context.Context) error {
		if n.Thread != "" {
			thread, err := s.Thread(ctx, t, n.Thread)
			if err == nil && thread.Notes[0].Note.System {
				err = apierr.Forbidden()
			}
			if err != nil {
				return err
			}
			made.Internal = thread.Notes[0].Note.Internal
			if err := s.store.EpicNotes.StartThread(ctx, made.EpicID, n.Thread); err != nil {
				return err
			}
		}
		return s.store.EpicNotes.Add(ctx, &made)
	})
	if err != nil {
		return model.EpicNoteRow{}, err
	}
	return s.Note(ctx, t, made.ID)
}

// Note returns a note on an epic, if the caller may read it.
func (s *Service) Note(ctx context.Context, t Talk, id int64) (model.EpicNoteRow, error) {
	row, err := s.store.EpicNotes.Get(ctx, t.Filter(), id)
	return row, apierr.OrNotFound(err)
}

// NoteInThread returns a note of a thread on an epic.
func (s *Service) NoteInThread(ctx context.Context, t Talk, thread string, id int64) (model.EpicNoteRow, error) {
	row, err := s.Note(ctx, t, id)
	if err == nil && row.Note.DiscussionID != thread {
		err = apierr.RecordNotFound()
	}
	return row, err
}

// Thread returns a thread on an epic, with the notes that the caller may read.
func (s *Service) Thread(ctx context.Context, t Talk, id string) (model.EpicThread, error) {
	thread, err := s.store.EpicNotes.Thread(ctx, t.Filter(), id)
	return thread, apierr.OrNotFound(err)
}

// ChangeNote changes the text of a note.
func (s *Service) ChangeNote(ctx context.Context, t Talk, n model.EpicNote, body string) (model.EpicNoteRow, error) {
	if err := t.checkMayChange(ctx, n); err != nil {
		return model.EpicNoteRow{}, err
	}
	if err := discussion.CheckText(body); err != nil {
		return model.EpicNoteRow{}, err
	}
	if err := s.store.EpicNotes.UpdateBody(ctx, n.ID, body); err != nil {
		return model.EpicNoteRow{}, apierr.OrNotFound(err)
	}
	return s.Note(ctx, t, n.ID)
}

// RemoveNote deletes a note. With unmodifiedSince, it fails if the note has changed since then.
func (s *Service) RemoveNote(ctx context.Context, t Talk, n model.EpicNote, unmodifiedSince *time.Time) error {
	if err := t.checkMayChange(ctx, n); err != nil {
		return err
	}
	return s.store.EpicNotes.Remove(ctx, n, unmodifiedSince)
}

// checkMayChange refuses callers who may not change a note. Its author and maintainers may change it. Nobody may change
// a system note.
func (t Talk) checkMayChange(ctx context.Context, n model.EpicNote) error {
	if n.System || (n.AuthorID != callerID(ctx) && t.Role < model.Maintainer) {
		return apierr.Forbidden()
	}
	return nil
}

// addSystemNotes writes system notes on an epic.
func (s *Service) addSystemNotes(ctx context.Context, epicID int64, notes ...issuable.SystemNote) error {
	rows := make([]*model.EpicNote, len(notes))
	for i, n := range notes {
		rows[i] = &model.EpicNote{EpicID: epicID, AuthorID: callerID(ctx), Body: n.Text, System: true, Action: &n.Action}
	}
	return s.store.EpicNotes.Add(ctx, rows...)
}
