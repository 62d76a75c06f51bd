//go:build !linux

// Package cputime measures the CPU time of processes.
package cputime

import (
	"errors"
	"time"
)

// Of fails, except on Linux.
func Of(int) (time.Duration, error) { return 0, errors.New("CPU time is measured on Linux only") }
