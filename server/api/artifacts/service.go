// Package artifacts implements the API operations on the artifacts of jobs.
//
//	service.go   the dependencies
//	find.go      find a job
//	get.go       download artifacts
//	download.go  what a download sends
//	response.go  the response of a download
//	keep.go      keep artifacts
//	delete.go    delete artifacts
package artifacts

import (
	"context"

	files "svc/server/domain/ci/artifacts"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store"
)

// Enqueue starts a background job that deletes the artifacts of a project.
type Enqueue func(ctx context.Context, job files.EmptyJob) error

// Artifacts implements the operations on the artifacts of jobs.
type Artifacts struct {
	store   *store.Store
	access  *access.Access
	files   *files.Service
	pusher  *push.Pusher
	enqueue Enqueue
	show    present.Presenter
}

// New returns the artifact operations.
func New(
	st *store.Store, a *access.Access, k *files.Service, pusher *push.Pusher, enqueue Enqueue, show present.Presenter,
) *Artifacts {
	return &Artifacts{store: st, access: a, files: k, pusher: pusher, enqueue: enqueue, show: show}
}
