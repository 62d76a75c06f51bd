package note

import (
	"context"
	"time"

	"svc/server/domain/webhook/announce"
	"svc/server/platform/apierr"
	"svc/store/clock"
	"svc/store/model"
)

// Rewrite changes the text of a note. Users who are mentioned for the first time get a to-do item.
func (s *Service) Rewrite(ctx context.Context, item Item, row model.NoteRow, body string) (model.NoteRow, error) {
	if err := item.CheckMayChange(row.Note); err != nil {
		return row, err
	}
	if err := CheckText(body); err != nil {
		return row, err
	}
	written := row.Note
	written.Body = body
	suggested, err := s.suggestions(ctx, item, written)
	if err != nil {
		return row, err
	}
	err = s.store.Tx(ctx, func(ctx context.Context) error {
		if err := s.replaceSuggestions(ctx, row, body, suggested); err != nil {
			return err
		}
		if err := s.store.Notes.UpdateBody(ctx, row.Note.ID, body); err != nil {
			return apierr.OrNotFound(err)
		}
		changed := row.Note
		changed.Body, changed.UpdatedAt = body, clock.Now(ctx)
		err := s.issuables.Hooks.Note(ctx, item.Row.Project, changed, item.Caller, announce.NoteUpdated)
		if err != nil || !item.HasTodos() {
			return err
		}
		target := item.Target(row.Note.Internal)
		return s.issuables.AddMentionTodos(ctx, target, item.Caller, body, row.Note.Body, &row.Note.ID)
	})
	if err != nil {
		return row, err
	}
	return s.Note(ctx, item, row.Note.ID)
}

// Remove deletes a note.
func (s *Service) Remove(ctx context.Context, item Item, row model.NoteRow, unchangedSince *time.Time) error {
	if err := item.CheckMayChange(row.Note); err != nil {
		return err
	}
	return s.store.Notes.Remove(ctx, row.Note, unchangedSince)
}

// Resolve resolves or reopens a thread, or only one note of the thread.
func (s *Service) Resolve(ctx context.Context, item Item, thread string, only int64, resolved bool) error {
	if err := item.CheckMayResolve(); err != nil {
		return err
	}
	var by *int64
	if resolved {
		by = &item.Caller
	}
	return s.store.Notes.Resolve(ctx, item.On, thread, only, by)
}

// ResolveThread resolves or reopens a thread that can be resolved.
func (s *Service) ResolveThread(ctx context.Context, item Item, id string, resolved bool) error {
	thread, err := s.Thread(ctx, item, id)
	if err == nil && !thread.Notes[0].Note.Resolvable {
		err = apierr.Forbidden()
	}
	if err != nil {
		return err
	}
	return s.Resolve(ctx, item, thread.ID, 0, resolved)
}
