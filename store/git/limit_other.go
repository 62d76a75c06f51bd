//go:build !linux

package git

// limitMemory does nothing here: only Linux limits another process.
func limitMemory(int, uint64) {}
