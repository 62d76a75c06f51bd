//go:build !linux

package storage

import "os"

// StartWriteback does nothing here: Sync at the end writes everything.
func StartWriteback(*os.File, int64, int64) {}
