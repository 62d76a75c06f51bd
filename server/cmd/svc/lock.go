package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// lockFile is the file in the data folder that a running server has locked.
const lockFile = "svc.lock"

// lockData makes sure that only one server uses a data folder. The lock ends with the process, even if the process
// crashes.
func lockData(folder string) (*os.File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create the data folder: %w", err)
	}
	path := filepath.Join(folder, lockFile)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		owner, _ := os.ReadFile(path) // best effort: it only makes the message more helpful
		f.Close()
		return nil, fmt.Errorf(
			"the data folder %s is in use by another svc%s; stop that process, or choose another folder with --data",
			folder, processName(string(owner)),
		)
	}
	if err := f.Truncate(0); err == nil {
		fmt.Fprintf(f, "%d\n", os.Getpid())
	}
	return f, nil
}

func processName(pid string) string {
	if pid = strings.TrimSpace(pid); pid == "" {
		return ""
	}
	return " (process " + pid + ")"
}
