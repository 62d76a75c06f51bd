// Package files is the files of repositories: reading, blaming and changing one.
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

// Files are the operations on files.
type Files struct {
	access *access.Access
	repos  *git.Repositories
	writer *commit.Writer
	large  *lfs.Keeper
	limit  Limit
}

// Limit counts a request of the caller for something of a project, and refuses one too many.
type Limit func(ctx context.Context, projectID int64) error

// largeFile is the size in bytes above which files are given out as JSON only so often.
const largeFile = 10 << 20

// New needs who may do what, the repositories, how commits are made, the large files, and how often much is given out as
// JSON.
func New(a *access.Access, repos *git.Repositories, w *commit.Writer, large *lfs.Keeper, limit Limit) *Files {
	return &Files{access: a, repos: repos, writer: w, large: large, limit: limit}
}

// clean is a caller's path as git has it.
func clean(path string) (string, error) {
	if p, ok := git.CleanPath(path); ok && p == path {
		return path, nil
	}
	return "", apierr.BadParameter("file_path should be a valid file path")
}

// file is a file as a ref has it.
type file struct {
	repo   git.Repo
	path   string
	ref    string // as it was asked for
	commit string
	last   string
	entry  git.Entry
	size   int64
	digest string
	small  []byte // the content, unless it is large
}

func (f file) name() string { return f.path[strings.LastIndexByte(f.path, '/')+1:] }

func (f file) executable() bool { return f.entry.Mode == 0o100755 }

// atOnce is up to which size a file is read into memory.
const atOnce = 1 << 20

// find loads a file for a caller who may read it.
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
		return file{}, missing(err, "Commit")
	}
	if found.entry, err = found.repo.TreeAt(ctx, found.commit, path); err != nil {
		return file{}, missing(err, "File")
	}
	if found.entry.Kind() != git.KindBlob {
		return file{}, apierr.NotFound("File")
	}
	if found.last, err = found.repo.LastCommit(ctx, found.commit, path); err != nil {
		return file{}, err
	}
	info, data, err := found.repo.Object(ctx, found.entry.ID, atOnce)
	if err != nil && !errors.Is(err, git.ErrTooLarge) {
		return file{}, err
	}
	found.size, found.small = info.Size, data
	found.digest, err = found.sum(ctx)
	return found, err
}

func missing(err error, thing string) error {
	if errors.Is(err, git.ErrNotFound) {
		return apierr.NotFound(thing)
	}
	return err
}
