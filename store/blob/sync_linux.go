package blob

import (
	"os"
	"syscall"
)

// syncData syncs the bytes and the length of a file to disk, but not its times.
func syncData(file *os.File) error {
	for {
		if err := syscall.Fdatasync(int(file.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
