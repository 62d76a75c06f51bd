package filemove

import (
	"context"
	"errors"
	"fmt"
	"io"

	"svc/store/blob"
)

// copyFiles copies the files that the target does not have.
func (m *Move) copyFiles(ctx context.Context) error {
	for _, kind := range blob.Kinds {
		if kind == blob.LFS {
			continue // copyLarge moves them by their rows
		}
		err := m.From.List(ctx, kind, func(o blob.Object) error {
			copied, err := m.copyFile(ctx, kind, o)
			if errors.Is(err, blob.ErrNotFound) {
				return nil // removed meanwhile
			}
			if err != nil {
				return fmt.Errorf("copy %s: %w", o.Key, err)
			}
			m.count(kind, copied, o.Size)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// copyFile copies a file unless the target has one of the same size. Files never change, except that logs grow.
func (m *Move) copyFile(ctx context.Context, kind string, o blob.Object) (copied bool, err error) {
	size, err := m.To.Size(ctx, o.Key)
	if err == nil && size == o.Size {
		return false, nil
	}
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return false, err
	}
	if kind == blob.Logs {
		return true, m.copyLog(ctx, o)
	}
	from, err := m.From.Read(ctx, o.Key, 0, o.Size)
	if err != nil {
		return false, err
	}
	defer from.Close()
	n, err := m.To.Put(ctx, o.Key, from)
	if err == nil && n != o.Size {
		err = errors.Join(fmt.Errorf("%d of %d bytes were read", n, o.Size), m.To.Delete(ctx, o.Key))
	}
	return true, err
}

// logPart is how many bytes of a log are appended at once. In a bucket this is the size of an object.
const logPart = 4 << 20

// copyLog copies a log anew: a bucket that has the log from an earlier run may have it in other parts.
func (m *Move) copyLog(ctx context.Context, o blob.Object) error {
	if err := m.To.Delete(ctx, o.Key); err != nil {
		return err
	}
	from, err := m.From.ReadAppended(ctx, o.Key, 0, o.Size)
	if err != nil {
		return err
	}
	defer from.Close()
	part := make([]byte, min(logPart, o.Size))
	for at := int64(0); at < o.Size; {
		n, err := io.ReadFull(from, part[:min(int64(len(part)), o.Size-at)])
		if err != nil {
			return err
		}
		if err := m.To.Append(ctx, o.Key, at, part[:n]); err != nil {
			return err
		}
		at += int64(n)
	}
	return nil
}

// removeGone removes files from the target that an earlier run copied and that were removed from the source since.
func (m *Move) removeGone(ctx context.Context) error {
	for _, kind := range blob.Kinds {
		if kind == blob.LFS {
			continue // the service removes those without a row
		}
		var gone []string
		err := m.To.List(ctx, kind, func(o blob.Object) error {
			_, err := m.From.Size(ctx, o.Key)
			if errors.Is(err, blob.ErrNotFound) {
				gone = append(gone, o.Key)
				return nil
			}
			return err
		})
		if err != nil {
			return err
		}
		for _, key := range gone {
			if err := m.To.Delete(ctx, key); err != nil {
				return err
			}
		}
	}
	return nil
}
