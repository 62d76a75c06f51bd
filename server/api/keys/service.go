// Package keys implements the API operations on the SSH and GPG keys of users.
//
//	service.go         construction, owners and lists
//	key.go             the operations on SSH keys
//	ssh.go             reading SSH keys and fingerprints
//	gpg_key.go         the operations on GPG keys
//	gpg.go             reading GPG keys
//	subkeys_worker.go  the background job that reads subkeys of old GPG keys
package keys

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Keys implements the operations on keys.
type Keys struct {
	store *store.Store
	pages pagination.MaxOffset
	show  present.Presenter
}

// New returns the key operations.
func New(st *store.Store, pages pagination.MaxOffset, show present.Presenter) *Keys {
	return &Keys{store: st, pages: pages, show: show}
}

// callerID returns the ID of the caller, who owns the keys.
func callerID(ctx context.Context, ability access.Ability) (int64, error) {
	actor, err := access.Allow(ctx, ability)
	if err != nil {
		return 0, err
	}
	return actor.User.ID, nil
}

// userID returns the ID of the user in the path, who owns the keys.
func (k *Keys) userID(ctx context.Context, ability access.Ability, ref string) (int64, error) {
	if _, err := access.Allow(ctx, ability); err != nil {
		return 0, err
	}
	u, err := access.FindUser(ctx, k.store, ref)
	return u.ID, err
}

// window holds the pagination parameters of a list.
type window[P ~string] struct {
	paging       *P
	number, size *int64
}

// listOf returns one page of the SSH or GPG keys of a user.
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
