//go:build !linux

package secret

// lowerPriority does nothing on systems where threads have no priority of their own.
func lowerPriority() {}
