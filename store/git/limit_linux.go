package git

import (
	"syscall"
	"unsafe"
)

const rlimitData = 2 // RLIMIT_DATA: what a process allocates, without the files that it maps

// limitMemory limits what a git that has just started, and has read nothing yet, may allocate. If the kernel refuses,
// there is no limit.
func limitMemory(pid int, bytes uint64) {
	limit := struct{ cur, max uint64 }{bytes, bytes}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), rlimitData, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
}
