// Package discussions implements the API operations on threads on issues, merge requests and commits.
package discussions

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Discussions implements the operations on threads.
type Discussions struct {
	store *store.Store
	notes *note.Service
	pages pagination.MaxOffset
	show  present.Presenter
}

// New returns the discussion operations.
func New(st *store.Store, t *note.Service, pages pagination.MaxOffset, show present.Presenter) *Discussions {
	return &Discussions{store: st, notes: t, pages: pages, show: show}
}

// window reads the pagination parameters.
func (d *Discussions) window(ctx context.Context, name string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return pagination.Window{}, err
	}
	return d.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
}

func (d *Discussions) presenter(p note.Item) present.NotePresenter {
	return present.NotePresenter{Presenter: d.show, On: p.On}
}

// list returns one page of threads.
func (d *Discussions) list(
	ctx context.Context, p note.Item, number, size *int64, paging *gen.Pagination,
) ([]gen.NoteDiscussion, pagination.Headers, error) {
	window, err := d.window(ctx, "Discussion", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := d.store.Notes.Threads(ctx, p.Filter(), window.Page)
	return present.All(rows, d.presenter(p).Thread), window.Headers(total), err
}

// get returns one thread.
func (d *Discussions) get(ctx context.Context, p note.Item, id string) (gen.NoteDiscussion, error) {
	thread, err := d.notes.Thread(ctx, p, id)
	return d.presenter(p).Thread(thread), err
}

// startThread starts a thread, at a position in a diff if there is one.
func (d *Discussions) startThread(
	ctx context.Context, p note.Item, body string, at *wire.Time, position *gen.NotePositionCreate,
) (gen.NoteDiscussion, error) {
	s := note.NewNote{Body: body, Opens: true}
	if at != nil {
		s.At = &at.Time
	}
	if position != nil {
		kept, err := encodePosition(*position)
		if err != nil {
			return gen.NoteDiscussion{}, err
		}
		s.Position = &kept
	}
	row, err := d.notes.Create(ctx, p, s)
	return d.presenter(p).Thread(model.Thread{ID: row.Note.DiscussionID, Notes: []model.NoteRow{row}}), err
}

// reply adds a note to a thread.
func (d *Discussions) reply(ctx context.Context, p note.Item, thread string, b gen.NoteDiscussionCreate) (gen.Note, error) {
	s := note.NewNote{Body: b.Body, Thread: thread}
	if b.CreatedAt != nil {
		s.At = &b.CreatedAt.Time
	}
	row, err := d.notes.Create(ctx, p, s)
	return d.presenter(p).Note(row), err
}

// note returns a note of a thread.
func (d *Discussions) note(ctx context.Context, p note.Item, thread string, id int64) (gen.Note, error) {
	row, err := d.notes.InThread(ctx, p, thread, id)
	return d.presenter(p).Note(row), err
}

// updateNote replaces the text of a note of a thread.
func (d *Discussions) updateNote(ctx context.Context, p note.Item, thread string, id int64, body string) (gen.Note, error) {
	row, err := d.notes.InThread(ctx, p, thread, id)
	if err == nil {
		row, err = d.notes.Rewrite(ctx, p, row, body)
	}
	return d.presenter(p).Note(row), err
}

// remove deletes a note of a thread.
func (d *Discussions) remove(ctx context.Context, p note.Item, thread string, id int64, unchangedSince *string) error {
	row, err := d.notes.InThread(ctx, p, thread, id)
	if err != nil {
		return err
	}
	return d.notes.Remove(ctx, p, row, reqctx.UnmodifiedSince(unchangedSince))
}
