// Package keys is SSH and GPG keys of users.
package keys

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Keys are the operations on keys.
type Keys struct {
	store *store.Store
	pages pagination.MaxOffset
	show  present.Presenter
}

// New takes how users are shown.
func New(st *store.Store, pages pagination.MaxOffset, show present.Presenter) *Keys {
	return &Keys{store: st, pages: pages, show: show}
}

// own is the caller, whose keys they are.
func own(ctx context.Context, ability access.Ability) (int64, error) {
	actor, err := access.Allow(ctx, ability)
	if err != nil {
		return 0, err
	}
	return actor.User.ID, nil
}

// owner is the user named, whose keys they are.
func (k *Keys) owner(ctx context.Context, ability access.Ability, ref string) (int64, error) {
	if _, err := access.Allow(ctx, ability); err != nil {
		return 0, err
	}
	u, err := access.Person(ctx, k.store, ref)
	return u.ID, err
}

// window is which page of a list is asked for.
type window[P ~string] struct {
	paging       *P
	number, size *int64
}

// listOf is one page of a user's keys of either kind.
func listOf[R, S any, P ~string](ctx context.Context, k *Keys, kind string, userID int64, w window[P],
	ask func(context.Context, int64, store.Page) ([]R, store.Total, error), show func(R) S,
) ([]S, pagination.Headers, error) {
	if err := pagination.NoKeyset(w.paging); err != nil {
		return nil, pagination.Headers{}, err
	}
	asked, err := k.pages.Offset(ctx, pagination.Kind{Name: kind}, w.number, w.size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := ask(ctx, userID, asked.Page)
	return present.All(rows, show), asked.Headers(total), err
}
