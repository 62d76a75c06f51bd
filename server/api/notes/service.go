// Package notes manages comments on issues and merge requests.
package notes

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/domain/discussion/quickaction"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Notes are the operations on notes.
type Notes struct {
	store      *store.Store
	discussion *note.Service
	pages      pagination.MaxOffset
	show       present.Presenter
}

// New returns the note operations.
func New(st *store.Store, t *note.Service, pages pagination.MaxOffset, show present.Presenter) *Notes {
	return &Notes{store: st, discussion: t, pages: pages, show: show}
}

// window returns the requested page. Keyset pagination is refused.
func (n *Notes) window(ctx context.Context, name string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return pagination.Window{}, err
	}
	return n.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
}

// filter builds the note filter from the query parameters.
func filter(p note.Item, sort *gen.Sort, order *gen.NoteOrder, activity *gen.NoteActivity) store.NoteFilter {
	f := p.Filter()
	f.Asc = sort != nil && *sort == gen.SortAsc
	if order != nil {
		f.OrderBy = string(*order)
	}
	if activity != nil {
		f.Activity = string(*activity)
	}
	return f
}

// list returns one page of notes.
func (n *Notes) list(
	ctx context.Context, p note.Item, f store.NoteFilter, number, size *int64, paging *gen.Pagination,
) ([]gen.Note, pagination.Headers, error) {
	window, err := n.window(ctx, "Note", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := n.store.Notes.List(ctx, f, window.Page)
	return present.All(rows, n.presenter(p).Note), window.Headers(total), err
}

func (n *Notes) presenter(p note.Item) present.NotePresenter {
	return present.NotePresenter{Presenter: n.show, On: p.On}
}

// create writes a note. It returns a result only if the body held nothing but quick actions.
func (n *Notes) create(ctx context.Context, p note.Item, b gen.NoteCreate) (gen.Note, *quickaction.Result, error) {
	s := note.NewNote{Body: b.Body, Internal: wire.Value(b.Internal) || wire.Value(b.Confidential)}
	if b.CreatedAt != nil {
		s.At = &b.CreatedAt.Time
	}
	row, done, err := n.discussion.CreateOrRun(ctx, p, s)
	if err != nil {
		return gen.Note{}, nil, err
	}
	shown := n.presenter(p).Note(row)
	if done != nil {
		shown.CommandsChanges = done.Changes
	}
	if done != nil && row.Note.ID != 0 {
		done = nil // the body held more than commands, so a note was created
	}
	return shown, done, nil
}

// update changes the text of a note.
func (n *Notes) update(ctx context.Context, p note.Item, id int64, body string) (gen.Note, error) {
	row, err := n.discussion.Note(ctx, p, id)
	if err == nil {
		row, err = n.discussion.Rewrite(ctx, p, row, body)
	}
	return n.presenter(p).Note(row), err
}
