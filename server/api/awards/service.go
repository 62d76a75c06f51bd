// Package awards implements the API operations on emoji reactions to issues, merge requests, snippets and notes. The files item_…
// have the operations on reactions to issues and merge requests, and the files note_… those on reactions to notes.
//
//	service.go                     what the operations need and share
//	item_list.go, note_list.go      list reactions
//	item_get.go, note_get.go        show a reaction
//	item_create.go, note_create.go  add a reaction
//	item_delete.go, note_delete.go  remove a reaction
//	snippet.go                     all of these for snippets
package awards

import (
	"context"

	"svc/gen"
	"svc/server/domain/discussion/award"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
)

// Awards implements the operations on emoji reactions.
type Awards struct {
	store  *store.Store
	notes  *note.Service
	awards *award.Service
	pages  pagination.MaxOffset
	show   present.Presenter
}

// New returns the emoji reaction operations.
func New(
	st *store.Store, notes *note.Service, awards *award.Service, pages pagination.MaxOffset, show present.Presenter,
) *Awards {
	return &Awards{store: st, notes: notes, awards: awards, pages: pages, show: show}
}

// list returns one page of emoji reactions.
func (a *Awards) list(
	ctx context.Context, on award.Target, number, size *int64, paging *gen.Pagination,
) ([]gen.AwardEmoji, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, a.pages, "AwardEmoji", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := a.store.AwardEmoji.List(ctx, on.Kind, on.ID, window.Page)
	return present.All(rows, a.show.AwardEmoji), window.Headers(total), err
}

// find finds the item that has the emoji reactions. noteID 0 means the issue or merge request itself.
func (a *Awards) find(ctx context.Context, ref, kind string, iid, noteID int64, ability access.Ability) (award.Target, error) {
	p, err := a.notes.Find(ctx, ref, kind, iid, ability)
	if err != nil {
		return award.Target{}, err
	}
	return a.notes.AwardTarget(ctx, p, noteID)
}

// remove deletes an emoji reaction.
func (a *Awards) remove(ctx context.Context, on award.Target, id int64, unchangedSince *string) error {
	row, err := a.awards.Find(ctx, on, id)
	if err != nil {
		return err
	}
	return a.awards.Remove(ctx, on, row.Award, reqctx.UnmodifiedSince(unchangedSince))
}
