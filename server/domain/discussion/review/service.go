// Package review holds what users do while they review a merge request: draft notes, which only their author sees until
// they are published, and suggestions, which change lines of the source branch.
package review

import (
	"svc/server/domain/discussion/note"
	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/push"
	"svc/server/platform/access"
	"svc/store"
)

// Service writes draft notes and applies suggestions, on behalf of the caller.
type Service struct {
	store   *store.Store
	access  *access.Access
	notes   *note.Service
	pusher  *push.Pusher
	writer  *commit.Writer
	baseURL string
}

// New returns the review operations. baseURL is the URL of the instance.
func New(
	st *store.Store, a *access.Access, notes *note.Service, p *push.Pusher, w *commit.Writer, baseURL string,
) *Service {
	return &Service{store: st, access: a, notes: notes, pusher: p, writer: w, baseURL: baseURL}
}
