//go:build !linux

package main

import "log/slog"

// releaseProgram does nothing on other systems than Linux.
func releaseProgram(*slog.Logger) {}
