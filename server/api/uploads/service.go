// Package uploads stores and sends the files that users attach to texts of projects and groups.
//
//	service.go   construction, and finding the owner of a file
//	create.go    upload a file
//	list.go      list uploads
//	download.go  download a file, by its id, its secret or its address
//	delete.go    delete a file
//	response.go  a file as a response
package uploads

import (
	"context"

	"svc/server/domain/upload"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
)

// Uploads are the operations on uploads.
type Uploads struct {
	store   *store.Store
	access  *access.Access
	uploads *upload.Service
	pages   pagination.MaxOffset
}

// New returns the upload operations.
func New(st *store.Store, a *access.Access, uploads *upload.Service, pages pagination.MaxOffset) *Uploads {
	return &Uploads{store: st, access: a, uploads: uploads, pages: pages}
}

// project returns a project in which the caller has the ability.
func (u *Uploads) project(ctx context.Context, ref string, ability access.Ability) (upload.Owner, error) {
	row, err := u.access.Project(ctx, ref, ability)
	return upload.OfProject(row.Project), err
}

// group returns a group in which the caller has the ability.
func (u *Uploads) group(ctx context.Context, ref string, ability access.Ability) (upload.Owner, error) {
	g, _, err := u.access.Group(ctx, ref, ability)
	return upload.OfGroup(g), err
}
