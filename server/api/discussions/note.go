package discussions

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/note"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// note returns a note of a thread.
func (d *Discussions) note(ctx context.Context, p note.Item, thread string, id int64) (gen.Note, error) {
	row, err := d.notes.InThread(ctx, p, thread, id)
	return d.presenter(ctx, p).Note(row), err
}

// reply adds a note to a thread.
func (d *Discussions) reply(ctx context.Context, p note.Item, thread string, b gen.NoteDiscussionCreate) (gen.Note, error) {
	s := note.NewNote{Body: b.Body, Thread: thread}
	if b.CreatedAt != nil {
		s.At = &b.CreatedAt.Time
	}
	row, err := d.notes.Create(ctx, p, s)
	return d.presenter(ctx, p).Note(row), err
}

// updateNote replaces the text of a note of a thread.
func (d *Discussions) updateNote(ctx context.Context, p note.Item, thread string, id int64, body string) (gen.Note, error) {
	row, err := d.notes.InThread(ctx, p, thread, id)
	if err == nil {
		row, err = d.notes.Rewrite(ctx, p, row, body)
	}
	return d.presenter(ctx, p).Note(row), err
}

// updateOrResolve replaces the text of a note, or resolves or reopens it.
func (d *Discussions) updateOrResolve(
	ctx context.Context, p note.Item, thread string, id int64, b gen.NoteResolvableUpdate,
) (gen.Note, error) {
	switch {
	case b.Body == nil && b.Resolved == nil:
		return gen.Note{}, apierr.BadParameter("body, resolved are missing, exactly one parameter must be provided")
	case b.Body != nil && b.Resolved != nil:
		return gen.Note{}, apierr.BadParameter("body, resolved are mutually exclusive")
	case b.Body != nil:
		return d.updateNote(ctx, p, thread, id, *b.Body)
	}
	return d.resolveNote(ctx, p, thread, id, *b.Resolved)
}

// resolveNote resolves or reopens one note of a thread.
func (d *Discussions) resolveNote(ctx context.Context, p note.Item, thread string, id int64, resolved bool) (gen.Note, error) {
	row, err := d.notes.InThread(ctx, p, thread, id)
	if err == nil && !row.Note.Resolvable {
		err = apierr.Forbidden()
	}
	if err == nil {
		err = d.notes.Resolve(ctx, p, thread, id, resolved)
	}
	if err != nil {
		return gen.Note{}, err
	}
	return d.note(ctx, p, thread, id)
}

// remove deletes a note of a thread.
func (d *Discussions) remove(ctx context.Context, p note.Item, thread string, id int64, unchangedSince *string) error {
	row, err := d.notes.InThread(ctx, p, thread, id)
	if err != nil {
		return err
	}
	return d.notes.Remove(ctx, p, row, reqctx.UnmodifiedSince(unchangedSince))
}
