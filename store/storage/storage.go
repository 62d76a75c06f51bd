// Package storage marks folders as those of one instance. A folder that is not mounted, or that another folder has taken the place
// of, has no such mark, and nothing is written there.
package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// File is the name of the mark in the root of a storage. It holds the id of the instance.
const File = "svc-instance"

// Error is a storage that is not there now, or that is not this instance's.
type Error struct {
	Name, Folder, Reason string
}

func (e *Error) Error() string {
	return fmt.Sprintf("the storage %s in %s is not available: %s", e.Name, e.Folder, e.Reason)
}

// DamagedError is a repository that something was written to, and that is not there or cannot be read now.
type DamagedError struct{ Folder, Reason string }

func (e *DamagedError) Error() string {
	return "the repository in " + e.Folder + " is damaged: " + e.Reason
}

// Mark is what a folder must hold. A nil Mark asks for nothing.
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
		return &Error{m.Name, m.Folder, "the file " + File + " is not there"}
	case id != m.Instance:
		return &Error{m.Name, m.Folder, "it belongs to another instance, " + id}
	}
	return nil
}

// Missing is the failure to tell for a file that was not found: the storage's, if that is the reason, else the given one.
func (m *Mark) Missing(err error) error {
	if lost := m.Check(); lost != nil {
		return lost
	}
	return err
}

// Read returns the id in the mark of a folder; it is empty without a mark or a folder.
func Read(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, File))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// Write marks a folder, which is made if it is not there. When it returns, the mark is on the disk.
func (m *Mark) Write() error {
	if err := os.MkdirAll(m.Folder, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(m.Folder, File+".*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name()) // it is gone once it has its name
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

// Holds reports whether a folder has one of the given names in it.
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
