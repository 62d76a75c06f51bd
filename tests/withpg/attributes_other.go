//go:build !linux

package main

import "syscall"

// serverAttributes gives the server its own process group, so that Ctrl-C in the terminal does not stop it while the
// command still runs.
func serverAttributes(who *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: who, Setpgid: true}
}
