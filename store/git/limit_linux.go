package git

import (
	"syscall"
	"unsafe"
)

const rlimitData = 2 // RLIMIT_DATA: what a process allocates, but not the files that it maps

// limitMemory bounds what a git that has just been started may allocate. It has read nothing yet. Where the kernel does not
// let us, there is no bound.
func limitMemory(pid int, bytes uint64) {
	limit := struct{ cur, max uint64 }{bytes, bytes}
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), rlimitData, uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
}
