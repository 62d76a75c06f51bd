// Package templates offers templates of files, of the instance and of projects.
//
//	service.go   construction
//	instance.go  Dockerfiles, .gitignore files and CI/CD configurations
//	license.go   licenses
//	project.go   the templates that a project can use
package templates

import (
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/store"
	"svc/store/git"
)

// Templates are the operations on templates.
type Templates struct {
	store  *store.Store
	access *access.Access
	repos  *git.Repositories
	pages  pagination.MaxOffset
}

// New returns the operations on templates.
func New(st *store.Store, a *access.Access, repos *git.Repositories, pages pagination.MaxOffset) *Templates {
	return &Templates{store: st, access: a, repos: repos, pages: pages}
}
