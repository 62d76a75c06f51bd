// Package cputime measures the CPU time of processes.
package cputime

import (
	"syscall"
	"time"
	"unsafe"
)

// Of returns the CPU time of a process with all its threads, including those that ended. The kernel's clock of the
// process counts nanoseconds; /proc counts hundredths of a second, which is too coarse for short measurements.
func Of(pid int) (time.Duration, error) {
	const scheduled = 2 // CPUCLOCK_SCHED of clock_getcpuclockid(3)
	clock := uintptr(^pid<<3 | scheduled)
	var t syscall.Timespec
	if _, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clock, uintptr(unsafe.Pointer(&t)), 0); failed != 0 {
		return 0, failed
	}
	return time.Duration(t.Nano()), nil
}
