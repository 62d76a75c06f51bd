package discussions

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// list returns one page of threads.
func (d *Discussions) list(
	ctx context.Context, p note.Item, number, size *int64, paging *gen.Pagination,
) ([]gen.NoteDiscussion, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, d.pages, "Discussion", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := d.store.Notes.Threads(ctx, p.Filter(), window.Page)
	return present.All(rows, d.presenter(ctx, p).Thread), window.Headers(total), err
}

// get returns one thread.
func (d *Discussions) get(ctx context.Context, p note.Item, id string) (gen.NoteDiscussion, error) {
	thread, err := d.notes.Thread(ctx, p, id)
	return d.presenter(ctx, p).Thread(thread), err
}

// startThread starts a thread, at a position in a diff if there is one.
func (d *Discussions) startThread(
	ctx context.Context, p note.Item, body string, at *wire.Time, position *gen.NotePositionCreate,
) (gen.NoteDiscussion, error) {
	s := note.NewNote{Body: body, Opens: true, At: at.Std()}
	if position != nil {
		kept, err := present.EncodePosition(*position)
		if err != nil {
			return gen.NoteDiscussion{}, apierr.BadParameter(err.Error())
		}
		s.Position = &kept
	}
	row, err := d.notes.Create(ctx, p, s)
	return d.presenter(ctx, p).Thread(model.Thread{ID: row.Note.DiscussionID, Notes: []model.NoteRow{row}}), err
}

// presenter presents the notes of an item.
func (d *Discussions) presenter(ctx context.Context, p note.Item) present.NotePresenter {
	return present.NotePresenter{Presenter: d.show, On: p.On, Appliable: d.notes.Appliable(ctx, p)}
}
