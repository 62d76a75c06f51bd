// Package files implements the API operations on a file of a repository: read, blame and change it.
package files

import (
	"context"
	"errors"
	"strings"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lfs"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

// Files implements the operations on repository files.
type Files struct {
	access *access.Access
	repos  *git.Repositories
	writer *commit.Writer
	large  *lfs.Store
	limit  Limit
}

// Limit counts a request of the caller in a project. It returns an error if there were too many.
type Limit func(ctx context.Context, projectID int64) error

// largeFile is the size in bytes above which the JSON response of a file is rate limited.
const largeFile = 10 << 20

// New returns the file operations. limit restricts how often a caller can read large files as JSON.
func New(a *access.Access, repos *git.Repositories, w *commit.Writer, large *lfs.Store, limit Limit) *Files {
	return &Files{access: a, repos: repos, writer: w, large: large, limit: limit}
}

// clean returns a path of the request, and rejects one that git would write differently.
func clean(path string) (string, error) {
	if p, ok := git.CleanPath(path); ok && p == path {
		return path, nil
	}
	return "", apierr.BadParameter("file_path should be a valid file path")
}

// file is a file at a ref.
type file struct {
	repo   git.Repo
	path   string
	ref    string // as given in the request
	commit string
	last   string
	entry  git.Entry
	size   int64
	digest string
	small  []byte // the content, or nil if the size is above atOnce
}

func (f file) name() string { return f.path[strings.LastIndexByte(f.path, '/')+1:] }

func (f file) executable() bool { return f.entry.Mode == 0o100755 }

// maxInMemory is the maximum size of a file that is read into memory, in bytes.
const maxInMemory = 1 << 20

// find loads a file. The caller must be allowed to read the code.
func (f *Files) find(ctx context.Context, row model.ProjectRow, path, ref string) (file, error) {
	path, err := clean(path)
	if err != nil {
		return file{}, err
	}
	repo, err := f.repos.OpenProject(row.Project.RepositoryStorage, row.Project.ID, row.Project.EmptyRepo)
	if err != nil {
		return file{}, err
	}
	found := file{repo: repo, path: path, ref: ref}
	if ref == "" {
		found.ref = "HEAD"
	}
	at := found.ref
	if at == "HEAD" {
		at = row.Project.DefaultBranch
	}
	if found.commit, err = found.repo.Resolve(ctx, at); err != nil {
		return file{}, orNotFound(err, "Commit")
	}
	if found.entry, err = found.repo.TreeAt(ctx, found.commit, path); err != nil {
		return file{}, orNotFound(err, "File")
	}
	if found.entry.Kind() != git.KindBlob {
		return file{}, apierr.NotFound("File")
	}
	if found.last, err = found.repo.LastCommit(ctx, found.commit, path); err != nil {
		return file{}, err
	}
	info, data, err := found.repo.Object(ctx, found.entry.ID, maxInMemory)
	if err != nil && !errors.Is(err, git.ErrTooLarge) {
		return file{}, err
	}
	found.size, found.small = info.Size, data
	found.digest, err = found.sum(ctx)
	return found, err
}

func orNotFound(err error, thing string) error {
	if errors.Is(err, git.ErrNotFound) {
		return apierr.NotFound(thing)
	}
	return err
}
