package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"syscall"
)

// releaseProgram removes the pages of the program's file from the memory of the process: many hold what only the start
// needs. Pages that are needed again come back from the system's cache.
func releaseProgram(logger *slog.Logger) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err == nil {
		err = releasePages(string(maps))
	}
	if err != nil {
		logger.Debug("the pages that only the start needed stay in memory", "error", err)
	}
}

var errNoPages = errors.New("/proc/self/maps does not have the program's file")

// releasePages does so for the parts of the program's file that nobody can write to. maps is as in proc(5).
func releasePages(maps string) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	released := errNoPages
	for line := range strings.Lines(maps) {
		part, found := strings.CutSuffix(line, " "+program+"\n")
		if !found {
			continue
		}
		from, to, rights, err := mappedAt(part)
		if err != nil || strings.Contains(rights, "w") {
			continue
		}
		if _, _, errno := syscall.Syscall(syscall.SYS_MADVISE, from, to-from, syscall.MADV_DONTNEED); errno != 0 {
			return errno
		}
		released = nil
	}
	return released
}

// mappedAt returns where the part of a file is in memory, and with which rights.
func mappedAt(part string) (from, to uintptr, rights string, err error) {
	_, err = fmt.Sscanf(part, "%x-%x %s", &from, &to, &rights)
	return from, to, rights, err
}
