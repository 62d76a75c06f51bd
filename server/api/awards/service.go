// Package awards is the emoji that people give to issues, merge requests and notes.
package awards

import (
	"context"

	"svc/gen"
	"svc/server/access"
	"svc/server/page"
	"svc/server/present"
	"svc/server/request"
	"svc/server/talk"
	"svc/store"
)

// Awards are the operations on emoji.
type Awards struct {
	store *store.Store
	talk  *talk.Talk
	pages page.MaxOffset
	show  present.Presenter
}

// New takes who finds what is talked about and writes what is said, and how it is shown.
func New(st *store.Store, t *talk.Talk, pages page.MaxOffset, show present.Presenter) *Awards {
	return &Awards{store: st, talk: t, pages: pages, show: show}
}

// window reads which page is asked for.
func (a *Awards) window(ctx context.Context, name string, number, size *int64, pagination *gen.Pagination) (page.Window, error) {
	if err := page.NoKeyset(pagination); err != nil {
		return page.Window{}, err
	}
	return a.pages.Offset(ctx, page.Kind{Name: name}, number, size)
}

// list is one page of emoji.
func (a *Awards) list(ctx context.Context, on talk.Awardable, number, size *int64, pagination *gen.Pagination) ([]gen.AwardEmoji, page.Headers, error) {
	window, err := a.window(ctx, "AwardEmoji", number, size, pagination)
	if err != nil {
		return nil, page.Headers{}, err
	}
	rows, total, err := a.store.AwardEmoji.List(ctx, on.Kind, on.ID, window.Page)
	return present.All(rows, a.show.AwardEmoji), window.Headers(total), err
}

// find finds what emoji are given to; note 0 means the issue or merge request itself.
func (a *Awards) find(ctx context.Context, ref, kind string, iid, note int64, ability access.Ability) (talk.Awardable, error) {
	p, err := a.talk.Find(ctx, ref, kind, iid, ability)
	if err != nil {
		return talk.Awardable{}, err
	}
	return a.talk.Awardable(ctx, p, note)
}

// remove takes an emoji back.
func (a *Awards) remove(ctx context.Context, on talk.Awardable, id int64, unchangedSince *string) error {
	row, err := a.talk.AwardOf(ctx, on, id)
	if err != nil {
		return err
	}
	return a.talk.Withdraw(ctx, on, row.Award, request.UnmodifiedSince(unchangedSince))
}
