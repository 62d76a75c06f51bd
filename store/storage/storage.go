// Package storage marks folders as belonging to one instance. A folder that is not mounted, or that another folder has
// replaced, has no such mark, and svc writes nothing there.
package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is the name of the mark in the root of a storage. It contains the id of the instance.
const File = "svc-instance"

// Error is returned for a storage that is not available, or that belongs to another instance.
type Error struct {
	Name, Folder, Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("the storage %s in %s is not available: %s", e.Name, e.Folder, e.Reason)
}

// DamagedError is returned for a repository that has content but is missing or cannot be read.
type DamagedError struct{ Folder, Reason string }

func (e *DamagedError) Error() string {
	return "the repository in " + e.Folder + " is damaged: " + e.Reason
}

// Mark is the mark that a folder must have. A nil Mark requires nothing.
type Mark struct {
	Name     string // of the storage
	Folder   string
	Instance string // id
}

// Check returns an *Error unless the folder has the mark of the instance.
func (m *Mark) Check() error {
	if m == nil {
		return nil
	}
	id, err := Read(m.Folder)
	switch {
	case err != nil:
		return &Error{m.Name, m.Folder, err.Error()}
	case id == "":
		return &Error{m.Name, m.Folder, "the file " + File + " does not exist"}
	case id != m.Instance:
		return &Error{m.Name, m.Folder, "it belongs to another instance, " + id}
	}
	return nil
}

// Missing returns the error for a file that was not found: that of the storage if the storage is the reason, else err.
func (m *Mark) Missing(err error) error {
	if lost := m.Check(); lost != nil {
		return lost
	}
	return err
}

// Read returns the id in the mark of a folder, or an empty string if the mark or the folder does not exist.
func Read(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, File))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// Write marks a folder, and creates it if necessary. When Write returns, the mark is on disk.
func (m *Mark) Write() error {
	if err := os.MkdirAll(m.Folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(m.Folder, File+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // after the rename this removes nothing
	_, err = file.WriteString(m.Instance + "\n")
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), filepath.Join(m.Folder, File)); err != nil {
		return err
	}
	dir, err := os.Open(m.Folder)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Holds reports whether one of the given folders inside a folder has entries.
func Holds(folder string, names ...string) (bool, error) {
	for _, name := range names {
		entries, err := os.ReadDir(filepath.Join(folder, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		if len(entries) > 0 {
			return true, nil
		}
	}
	return false, nil
}
