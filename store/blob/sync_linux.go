package blob

import (
	"os"
	"syscall"
)

// syncData waits for the bytes and the length of a file, not for its times.
func syncData(file *os.File) error {
	for {
		if err := syscall.Fdatasync(int(file.Fd())); err != syscall.EINTR {
			return err
		}
	}
}
