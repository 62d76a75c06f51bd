//go:build !linux

package secret

// stepBack does nothing on systems where threads have no priority of their own.
func stepBack() {}
