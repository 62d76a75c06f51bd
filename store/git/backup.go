package git

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// RefsText returns all refs in the form of a packed-refs file.
func (r Repo) RefsText() (string, error) {
	all, err := r.Refs("refs/")
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, ref := range all {
		fmt.Fprintf(&text, "%s %s\n", ref.ID, ref.Name)
	}
	return text.String(), nil
}

// ObjectFile is a file that holds objects. Such files never change.
type ObjectFile struct {
	Name  string // relative to the folder of objects
	Size  int64
	Inode uint64 // not 0 if other repositories share the file through hard links
}

// ObjectFiles returns the files that hold objects. A repack may remove some of them later; then the objects are in
// other files.
func (r Repo) ObjectFiles() ([]ObjectFile, error) {
	paths, err := r.objectFiles()
	if err != nil {
		return nil, err
	}
	files := make([]ObjectFile, 0, len(paths))
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(filepath.Join(r.dir, "objects"), path)
		if err != nil {
			return nil, err
		}
		file := ObjectFile{Name: filepath.ToSlash(name), Size: info.Size()}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink > 1 {
			file.Inode = stat.Ino
		}
		files = append(files, file)
	}
	return files, nil
}

// OpenObjectFile opens one of ObjectFiles.
func (r Repo) OpenObjectFile(name string) (*os.File, error) {
	return os.Open(filepath.Join(r.dir, "objects", filepath.FromSlash(name)))
}

// RestoreObjectFile writes a file that holds objects. The name must be one that ObjectFiles returns.
func (r Repo) RestoreObjectFile(name string, from io.Reader) error {
	if !isObject(filepath.FromSlash(name)) || strings.Contains(name, "..") {
		return fmt.Errorf("%q is not the name of a file with objects", name)
	}
	place := filepath.Join(r.dir, "objects", filepath.FromSlash(name))
	if err := makeParent(place); err != nil {
		return err
	}
	file, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already: restore into an empty folder", place)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(file, from)
	return errors.Join(err, file.Close())
}

// makeParent makes the folder of a file. Most often only the last one is missing.
func makeParent(place string) error {
	folder := filepath.Dir(place)
	err := os.Mkdir(folder, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(folder, 0o700)
	}
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// LinkObjectFile makes a file with objects the same file as one of another repository.
func (r Repo) LinkObjectFile(name string, from Repo) error {
	if !isObject(filepath.FromSlash(name)) || strings.Contains(name, "..") {
		return fmt.Errorf("%q is not the name of a file with objects", name)
	}
	place := filepath.Join(r.dir, "objects", filepath.FromSlash(name))
	if err := makeParent(place); err != nil {
		return err
	}
	return linkFile(filepath.Join(from.dir, "objects", filepath.FromSlash(name)), place)
}

// RestoreRefs creates the repository of a backup with its default branch and refs. Objects are written after it.
func (r Repo) RestoreRefs(head, refs string) error {
	if head == "" {
		head = "main"
	}
	if r.Exists() {
		return fmt.Errorf("%s exists already: restore into an empty folder", r.dir)
	}
	if err := r.Create(head); err != nil || refs == "" {
		return err
	}
	return os.WriteFile(filepath.Join(r.dir, "packed-refs"), []byte(refs), 0o600) // the end of a restore syncs all files
}
