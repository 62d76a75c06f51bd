//go:build !linux

package blob

import "os"

// syncData waits until a file is on disk.
func syncData(file *os.File) error { return file.Sync() }
