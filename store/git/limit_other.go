//go:build !linux

package git

// limitMemory does nothing: only Linux can limit another process.
func limitMemory(int, uint64) {}
