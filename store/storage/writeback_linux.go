package storage

import (
	"os"
	"syscall"
)

// StartWriteback makes the system write a part of a file to the disk, without waiting for it.
func StartWriteback(file *os.File, offset, size int64) {
	const write = 2                                                // SYNC_FILE_RANGE_WRITE
	_ = syscall.SyncFileRange(int(file.Fd()), offset, size, write) // Sync at the end reports errors
}
