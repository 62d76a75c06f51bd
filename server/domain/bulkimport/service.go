// Package bulkimport copies groups and projects from another instance that has the same API.
//
//	service.go   the service and its dependencies
//	create.go    a new import
//	source.go    requests to the other instance
//	run.go       the job: one stage after the other, page by page
//	places.go    the stages that create groups and projects
//	contents.go  labels, milestones and members
//	issues.go    issues and their comments
//
// The job of a group or project stores which page it copies next in the transaction that stores the page before, so it goes
// on there after an interruption, and no page is copied twice. Requests go through the guarded client.
package bulkimport

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"svc/server/domain/group"
	"svc/server/domain/project"
	"svc/server/domain/repository/remote"
	"svc/server/platform/access"
	"svc/server/platform/outbound"
	"svc/store"
	"svc/store/secret"
)

// Payload is a background job that this package queues.
type Payload interface{ Kind() string }

// Dependencies are what the service needs.
type Dependencies struct {
	Store    *store.Store
	Access   *access.Access
	Groups   *group.Service
	Projects *project.Service
	Remotes  *remote.Service
	Client   *outbound.Client
	Agent    string // the header User-Agent
	Logger   *slog.Logger
	// Enqueue queues a job, in the caller's transaction, for a time; the zero time means now.
	Enqueue func(ctx context.Context, job Payload, at time.Time) error
}

// Service imports groups and projects from other instances.
type Service struct {
	Dependencies

	vault secret.Vault
}

// New returns the service. Access tokens are encrypted with a key that is derived from the given one.
func New(d Dependencies, secretKey string) (*Service, error) {
	vault, err := secret.NewVault(secretKey, secret.ImportPurpose)
	return &Service{Dependencies: d, vault: vault}, err
}

// owner is the owner that the access token of an import is sealed for.
func owner(userID int64) string { return "user " + strconv.FormatInt(userID, 10) }
