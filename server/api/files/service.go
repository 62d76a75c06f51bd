// Package files implements the API operations on a file of a repository: read, blame and change it.
//
//	service.go  construction, and paths of files
//	find.go     finds a file, and reads its content
//	get.go      a file as JSON
//	raw.go      the content of a file
//	large.go    the content of a file that is stored as an LFS object
//	blame.go    the lines of a file with their commits
//	headers.go  the headers that describe a file
//	write.go    create, change and delete a file
package files

import (
	"context"

	"svc/server/domain/repository/commit"
	"svc/server/domain/repository/lfs"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/git"
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
