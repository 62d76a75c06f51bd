// Package repositories is what a project's repository holds: files, archives, comparisons, contributors.
package repositories

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/git"
	"svc/store/kept"
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
	compared kept.Cache[[]byte] // answers by what they follow from
}

// Limit counts a request of the caller for something of a project, and refuses one too many.
type Limit func(ctx context.Context, projectID int64) error

// New takes how projects are found and judged, the repositories, and how often large blobs are given out.
func New(st *store.Store, a *access.Access, repos *git.Repositories, pages pagination.MaxOffset, show present.Presenter, large Limit) *Repositories {
	return &Repositories{
		store: st, access: a, repos: repos, pages: pages, show: show, large: large,
		compared: kept.Bytes(comparedBytes, func(key string, body []byte) int { return len(key) + len(body) }),
	}
}

// read is the project that a caller reads the repository of, and the repository.
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

// missing turns what a repository does not have into a failure with that name.
func missing(err error, thing string) error {
	if errors.Is(err, git.ErrNotFound) || errors.Is(err, git.ErrBadName) {
		return apierr.NotFound(thing)
	}
	return err
}

// has tells whether the caller has the bytes that a tag names already (RFC 9110 §13.1.2 compares weakly).
func has(ctx context.Context, tag string) bool {
	header := reqctx.Of(ctx).Header
	if header == nil {
		return false
	}
	for candidate := range strings.SplitSeq(header.Get("If-None-Match"), ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}

// head tells whether only the headers are asked for.
func head(ctx context.Context) bool { return reqctx.Of(ctx).Method == http.MethodHead }

const tagged = "max-age=0, private, must-revalidate" // as for other answers with a tag

// unchanged writes 304.
func unchanged(w http.ResponseWriter, tag string) error {
	w.Header().Set("ETag", tag)
	w.Header().Set("Cache-Control", tagged)
	w.WriteHeader(http.StatusNotModified)
	return nil
}
