// Package keys implements the API operations on the SSH and GPG keys of users.
//
//	service.go     construction, and the owner of keys
//	list.go        a page of keys
//	ssh_list.go    list SSH keys
//	ssh_get.go     show an SSH key of a user
//	ssh_find.go    find an SSH key by ID or fingerprint
//	ssh_create.go  add SSH keys
//	ssh_delete.go  delete SSH keys
//	gpg_list.go    list GPG keys
//	gpg_get.go     show a GPG key
//	gpg_create.go  add GPG keys
//	gpg_delete.go  delete GPG keys
//	gpg_revoke.go  revoke GPG keys
package keys

import (
	"context"

	"svc/server/domain/key"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
)

// Keys implements the operations on keys.
type Keys struct {
	store *store.Store
	keys  *key.Service
	pages pagination.MaxOffset
	show  present.Presenter
}

// New returns the key operations.
func New(st *store.Store, keys *key.Service, pages pagination.MaxOffset, show present.Presenter) *Keys {
	return &Keys{store: st, keys: keys, pages: pages, show: show}
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
