package blob

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"svc/store/storage"
)

// folder stores files in a folder.
type folder struct {
	root string
	mark *storage.Mark // nil if the folder is not marked
}

func newFolder(root string) (*folder, error) {
	abs, err := filepath.Abs(root)
	return &folder{root: abs}, err
}

// place returns the path of a file. It spreads the files over folders by the end of their names, where they differ
// most.
func (f *folder) place(key string) (string, error) {
	if err := check(key); err != nil {
		return "", err
	}
	kind, name, _ := strings.Cut(key, "/")
	end := "0000" + name
	end = end[len(end)-4:]
	return filepath.Join(f.root, kind, end[2:], end[:2], name), nil
}

// chunk is how many bytes of a file are in memory at a time.
const chunk = 256 << 10

// draft writes a temporary file. The caller closes and removes it.
func (f *folder) draft(from io.Reader) (*os.File, int64, error) {
	drafts := filepath.Join(f.root, "drafts")
	if err := os.MkdirAll(drafts, 0o700); err != nil {
		return nil, 0, err
	}
	file, err := os.CreateTemp(drafts, "")
	if err != nil {
		return nil, 0, err
	}
	n, err := io.CopyBuffer(struct{ io.Writer }{file}, from, make([]byte, chunk))
	if err != nil {
		discard(file)
		return nil, 0, err
	}
	return file, n, nil
}

func discard(file *os.File) {
	file.Close()
	os.Remove(file.Name()) // Tidy removes what is left
}

// Put writes a draft and renames it.
func (f *folder) Put(_ context.Context, key string, from io.Reader) (int64, error) {
	place, err := f.place(key)
	if err == nil {
		err = f.mark.Check()
	}
	if err != nil {
		return 0, err
	}
	file, n, err := f.draft(from)
	if err != nil {
		return 0, err
	}
	if err := errors.Join(file.Sync(), os.MkdirAll(filepath.Dir(place), 0o700)); err != nil {
		discard(file)
		return 0, err
	}
	if err := os.Rename(file.Name(), place); err != nil {
		discard(file)
		return 0, err
	}
	return n, errors.Join(file.Close(), f.syncFolders(place))
}

// Append writes into the file.
func (f *folder) Append(_ context.Context, key string, offset int64, p []byte) error {
	place, err := f.place(key)
	if err == nil {
		err = f.mark.Check()
	}
	if err != nil {
		return err
	}
	file, err := os.OpenFile(place, os.O_WRONLY, 0)
	fresh := errors.Is(err, fs.ErrNotExist)
	if fresh {
		if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
			return err
		}
		file, err = os.OpenFile(place, os.O_WRONLY|os.O_CREATE, 0o600)
	}
	if err != nil {
		return err
	}
	_, err = file.WriteAt(p, offset)
	if err == nil {
		err = syncData(file)
	}
	if err = errors.Join(err, file.Close()); err == nil && fresh {
		err = f.syncFolders(place)
	}
	return err
}

// syncFolders makes the names of a file and of its folders survive a power cut.
func (f *folder) syncFolders(place string) error {
	for at := filepath.Dir(place); ; at = filepath.Dir(at) {
		opened, err := os.Open(at)
		if err != nil {
			return err
		}
		if err := errors.Join(opened.Sync(), opened.Close()); err != nil || at == f.root {
			return err
		}
	}
}

// Read reads a part of a file.
func (f *folder) Read(_ context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	place, err := f.place(key)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(place)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, f.mark.Missing(ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	return part{io.NewSectionReader(file, offset, length), file}, nil
}

// part is a part of a file. Closing it closes the file.
type part struct {
	io.Reader
	io.Closer
}

// ReadAppended does the same as Read: in a folder both kinds of files are the same.
func (f *folder) ReadAppended(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	return f.Read(ctx, key, offset, length)
}

// Delete removes a file.
func (f *folder) Delete(_ context.Context, key string) error {
	place, err := f.place(key)
	if err != nil {
		return err
	}
	err = os.Remove(place)
	if errors.Is(err, fs.ErrNotExist) {
		return f.mark.Check()
	}
	return err
}

// Place returns the folder.
func (f *folder) Place() string { return f.root }

// Mark reads the file that names the instance.
func (f *folder) Mark(_ context.Context) (string, error) { return storage.Read(f.root) }

// SetMark writes the mark.
func (f *folder) SetMark(_ context.Context, id string) error { return f.expect(id).Write() }

// Unmark removes the mark.
func (f *folder) Unmark(context.Context) error {
	err := os.Remove(filepath.Join(f.root, storage.File))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Guard makes the folder check for the mark from now on.
func (f *folder) Guard(id string) { f.mark = f.expect(id) }

func (f *folder) expect(id string) *storage.Mark {
	return &storage.Mark{Name: "blobs", Folder: f.root, Instance: id}
}

// Check returns an error unless the folder has its mark.
func (f *folder) Check(context.Context) error { return f.mark.Check() }

// Tidy removes old drafts.
func (f *folder) Tidy(before time.Time) error {
	drafts := filepath.Join(f.root, "drafts")
	entries, err := os.ReadDir(drafts)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.ModTime().Before(before) {
			if err := os.Remove(filepath.Join(drafts, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return err
}
