// Package key adds SSH and GPG keys to users and removes them. The API and the web pages share it.
//
//	service.go         construction
//	ssh.go             reads SSH public keys
//	ssh_key.go         adds and removes SSH keys
//	gpg.go             reads GPG public keys
//	gpg_key.go         adds and removes GPG keys
//	subkeys_worker.go  the background job that reads the subkeys of old GPG keys
package key

import (
	"svc/server/domain/webhook/announce"
	"svc/store"
)

// Service adds and removes the keys of users, with audit events.
type Service struct {
	store *store.Store
	hooks *announce.Announcer // announces to webhooks; nil announces nothing
}

// New returns the service.
func New(st *store.Store, hooks *announce.Announcer) *Service {
	return &Service{store: st, hooks: hooks}
}
