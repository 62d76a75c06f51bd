package storage

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// fullTexts are the messages by which git and SQLite report a full disk.
var fullTexts = []string{"No space left on device", "Disk quota exceeded", "File too large", "database or disk is full"}

// postgresFull is the code by which PostgreSQL reports a full disk.
const postgresFull = "53100"

// Full reports whether an error means a full disk, an exhausted quota, or a file that may not grow.
func Full(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG) {
		return true
	}
	var database interface{ SQLState() string }
	if errors.As(err, &database) {
		return database.SQLState() == postgresFull
	}
	text := err.Error()
	for _, full := range fullTexts {
		if strings.Contains(text, full) {
			return true
		}
	}
	return false
}

// readOnlyTexts are the messages by which git and SQLite report files that cannot be written.
var readOnlyTexts = []string{"Read-only file system", "read-only file system", "readonly database"}

// ReadOnly reports whether an error means that files cannot be written, although their disk has space.
func ReadOnly(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.EACCES) {
		return true
	}
	text := err.Error()
	for _, readOnly := range readOnlyTexts {
		if strings.Contains(text, readOnly) {
			return true
		}
	}
	return false
}

// CheckAccess returns an error if the permissions of a folder do not allow writing. It writes nothing.
func CheckAccess(folder string) error {
	const write = 2 // W_OK
	if err := syscall.Access(folder, write); err != nil {
		return fmt.Errorf("%s cannot be written to: %w", folder, err)
	}
	return nil
}

// CheckSpace returns an error if the disk of a folder has fewer bytes left than wanted.
func CheckSpace(folder string, wanted uint64) error {
	left, _, err := Space(folder)
	if err != nil {
		return err
	}
	if left < wanted {
		return fmt.Errorf("the disk of %s has only %d MiB left: %w", folder, left>>20, syscall.ENOSPC)
	}
	return nil
}

// Space returns how many bytes the disk of a folder has left, and its size.
func Space(folder string) (left, size uint64, err error) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return 0, 0, fmt.Errorf("check the disk of %s: %w", folder, err)
	}
	return disk.Bavail * uint64(disk.Bsize), disk.Blocks * uint64(disk.Bsize), nil
}

// CheckWritable returns an error if no file can be written to a folder. It leaves nothing there.
func CheckWritable(folder string) error {
	file, err := os.CreateTemp(folder, "space.*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(make([]byte, probeSize))
	return errors.Join(err, file.Sync(), file.Close())
}

// probeSize is how many bytes are written to check whether the disk has space.
const probeSize = 64 << 10
