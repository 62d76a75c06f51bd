package blob

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"svc/store/storage"
)

// restorePart is how many bytes of a log are written together.
const restorePart = 1 << 20

// Restore writes a file of a backup into a store that nobody else uses yet. In a folder it is not on disk when Restore
// returns: the caller syncs all files at the end.
func Restore(ctx context.Context, to Store, key string, size int64, from io.Reader) error {
	if f, ok := to.(*folder); ok {
		return f.restore(key, from)
	}
	if !strings.HasPrefix(key, Logs+"/") {
		_, err := to.Put(ctx, key, from)
		return err
	}
	part := make([]byte, min(size, restorePart))
	for at := int64(0); at < size; {
		n, err := io.ReadFull(from, part[:min(size-at, restorePart)])
		if err != nil {
			return err
		}
		if err := to.Append(ctx, key, at, part[:n]); err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// restore writes a file that does not exist yet.
func (f *folder) restore(key string, from io.Reader) error {
	place, err := f.place(key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	size, err := io.Copy(file, from)
	if err != nil {
		file.Close()
		return err
	}
	storage.StartWriteback(file, 0, size)
	return file.Close()
}
