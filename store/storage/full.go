package storage

import (
	"errors"
	"fmt"
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

// CheckSpace returns an error if the disk of a folder has fewer bytes left than wanted.
func CheckSpace(folder string, wanted uint64) error {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		return fmt.Errorf("check the disk of %s: %w", folder, err)
	}
	if left := disk.Bavail * uint64(disk.Bsize); left < wanted {
		return fmt.Errorf("the disk of %s has only %d MiB left: %w", folder, left>>20, syscall.ENOSPC)
	}
	return nil
}
