//go:build !linux

package blob

import "os"

// syncData syncs a file to disk.
func syncData(file *os.File) error { return file.Sync() }
