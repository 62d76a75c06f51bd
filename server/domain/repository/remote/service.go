// Package remote copies repositories from and to other servers over HTTP. Everything goes through the guarded client: no process
// of git opens a connection, so nothing is reached that the rules for outgoing requests do not allow.
//
//	service.go  the service and its dependencies
//	address.go  addresses of repositories
//	session.go  a conversation with a git server
//	import.go   imports of new projects
//	filter.go   the branches that a mirror has
//	push_mirror.go, push_job.go  mirrors that projects push to
//	pull_mirror.go, pull_job.go  mirrors that projects pull from
package remote

import (
	"context"
	"log/slog"

	"svc/server/domain/repository/lifecycle"
	"svc/server/domain/repository/push"
	"svc/server/platform/outbound"
	"svc/store"
	"svc/store/git"
	"svc/store/secret"
)

// Job is a background job that this package queues.
type Job interface{ Kind() string }

// Dependencies are what the service needs.
type Dependencies struct {
	Store    *store.Store
	Repos    *git.Repositories
	Measurer *lifecycle.Measurer
	Client   *outbound.Client
	Agent    string // the header User-Agent
	Logger   *slog.Logger
	// Enqueue queues a job, in the caller's transaction.
	Enqueue func(ctx context.Context, job Job) error
	Pusher  *push.Pusher
}

// Service copies repositories from other servers.
type Service struct {
	Dependencies

	vault secret.Vault
}

// New returns the service. Addresses are encrypted with a key that is derived from the given one.
func New(d Dependencies, secretKey string) (*Service, error) {
	vault, err := secret.NewVault(secretKey, secret.ImportPurpose)
	return &Service{Dependencies: d, vault: vault}, err
}
