package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// orphanFolder is the folder of a storage that repositories without an owner are moved to.
const orphanFolder = "@orphans"

// Folder returns the folder of the repository.
func (r Repo) Folder() string { return r.dir }

// PathIn returns the path of the repository below the folder of a storage.
func (r Repo) PathIn(storage string) string {
	path, err := filepath.Rel(r.all.roots[storage], r.dir)
	if err != nil {
		return r.dir
	}
	return path
}

// EachOnDisk calls see with the path below the storage of every repository on disk, and with the time of its last change.
// Repositories that are being created or deleted are left out.
func (r *Repositories) EachOnDisk(ctx context.Context, storage string, see func(path string, changed time.Time) error) error {
	root := r.roots[storage]
	if root == "" {
		return fmt.Errorf("there is no storage %q", storage)
	}
	for _, top := range Folders {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, e fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // nothing of this kind exists, or it was removed just now
			}
			if err != nil {
				return err
			}
			if !e.IsDir() || !strings.HasSuffix(e.Name(), ".git") {
				return skipBelow(root, path, e, ctx.Err())
			}
			info, err := e.Info()
			if err != nil {
				return nil //nolint:nilerr // it was removed just now
			}
			relative, err := filepath.Rel(root, path)
			if err == nil {
				err = see(relative, info.ModTime())
			}
			if err != nil {
				return err
			}
			return fs.SkipDir // a repository contains no others
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// skipBelow makes a walk go no deeper than the folders of repositories: three levels below the root.
func skipBelow(root, path string, e fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	relative, err := filepath.Rel(root, path)
	if err == nil && e.IsDir() && strings.Count(relative, string(filepath.Separator)) >= 3 {
		return fs.SkipDir
	}
	return err
}

// SetAside moves a repository on disk, given by its path below the storage, into the folder @orphans of the storage, where
// the service does not look. It returns the new folder.
func (r *Repositories) SetAside(storage, path string) (string, error) {
	root := r.roots[storage]
	if root == "" || !filepath.IsLocal(path) {
		return "", fmt.Errorf("%q is not a repository on the storage %q", path, storage)
	}
	if err := r.marks[storage].Check(); err != nil {
		return "", err
	}
	to := filepath.Join(root, orphanFolder, path)
	if _, err := os.Stat(to); err == nil {
		to += "." + strconv.FormatInt(time.Now().UnixNano(), 36)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", err
	}
	return to, os.Rename(filepath.Join(root, path), to)
}
