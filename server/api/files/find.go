package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"svc/server/platform/apierr"
	"svc/store/git"
	"svc/store/model"
)

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

// sum returns the SHA-256 of the content.
func (f file) sum(ctx context.Context) (string, error) {
	if f.size > maxInMemory {
		return f.repo.Digest(ctx, f.entry.ID)
	}
	sum := sha256.Sum256(f.small)
	return hex.EncodeToString(sum[:]), nil
}

// copyTo writes the content to w.
func (f file) copyTo(ctx context.Context, w io.Writer) error {
	if f.size > maxInMemory {
		return f.repo.Stream(ctx, f.entry.ID, w)
	}
	_, err := w.Write(f.small)
	return err
}
