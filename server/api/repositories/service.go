// Package repositories reads the repositories of projects: trees, blobs, archives, comparisons and contributors.
//
//	service.go           construction
//	tree.go              lists of files and folders
//	blob.go              blobs, as JSON and raw
//	blob_response.go     blobs as responses
//	archive.go           downloads as tar or zip
//	archive_response.go  archives as responses
//	snapshot.go          downloads of repositories as they are stored
//	compare.go           compares two refs
//	comparison.go        runs and caches comparisons
//	merge_base.go        the common ancestor of refs
//	contributor.go       the authors of commits
//	author.go            reads and sorts authors
package repositories

import (
	"context"
	"errors"

	"svc/server/domain/repository/lifecycle"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/cache"
	"svc/store/git"
	"svc/store/model"
)

// Repositories are the operations on repositories.
type Repositories struct {
	store    *store.Store
	access   *access.Access
	repos    *git.Repositories
	pages    pagination.MaxOffset
	show     present.Presenter
	large    Limit
	sides    *lifecycle.SideRepositories
	compared cache.Cache[[]byte] // comparisons by their key
}

// Limit counts a caller's request for large data of a project, and returns an error once there are too many.
type Limit func(ctx context.Context, projectID int64) error

// Dependencies are the dependencies of the repository operations.
type Dependencies struct {
	Store        *store.Store
	Access       *access.Access
	Repositories *git.Repositories
	Wikis        *lifecycle.SideRepositories
	Pages        pagination.MaxOffset
	Presenter    present.Presenter
	LargeBlobs   Limit // limits how often a caller can download large blobs
}

// New returns the repository operations.
func New(d Dependencies) *Repositories {
	return &Repositories{
		store: d.Store, access: d.Access, repos: d.Repositories, sides: d.Wikis, pages: d.Pages, show: d.Presenter, large: d.LargeBlobs,
		compared: cache.WithMaxBytes(comparedBytes, func(key string, body []byte) int { return len(key) + len(body) }),
	}
}

// CacheSizes returns the sizes of the caches of this area, for metrics.
func (r *Repositories) CacheSizes() []cache.Size {
	return []cache.Size{r.compared.Size("comparison_answers")}
}

// read returns a project whose code the caller can read, and its repository.
func (r *Repositories) read(ctx context.Context, ref string) (model.Project, git.Repo, error) {
	row, err := r.access.Project(ctx, ref, access.ReadCode)
	if err != nil {
		return model.Project{}, git.Repo{}, err
	}
	repo, err := r.open(row.Project)
	return row.Project, repo, err
}

func (r *Repositories) open(p model.Project) (git.Repo, error) {
	return r.repos.OpenProject(p.RepositoryStorage, p.ID, p.EmptyRepo)
}

// orNotFound turns a missing or malformed git name into a 404 for the named thing.
func orNotFound(err error, thing string) error {
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName) {
		return apierr.NotFound(thing)
	}
	return err
}
