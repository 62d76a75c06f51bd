package lfs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Restore writes an LFS object of a backup to a storage or a bucket that nobody else uses yet, and checks its digest. On a
// storage it is not on disk when Restore returns: the caller syncs all files at the end.
func (f *Files) Restore(ctx context.Context, storage, oid string, size int64, from io.Reader) error {
	if !IsOID(oid) {
		return fmt.Errorf("%q is not the name of an LFS object", oid)
	}
	if storage == InBucket {
		return f.restoreToBucket(ctx, oid, size, from)
	}
	if f.roots[storage] == "" {
		return fmt.Errorf("there is no storage %q", storage)
	}
	place := f.place(storage, oid)
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(place, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(file, sum), from)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if n != size || hex.EncodeToString(sum.Sum(nil)) != oid {
		return errors.Join(ErrContent, os.Remove(place))
	}
	return nil
}

// restoreToBucket writes an LFS object to the bucket.
func (f *Files) restoreToBucket(ctx context.Context, oid string, size int64, from io.Reader) error {
	draft, err := f.Receive(InBucket, oid, size, from)
	if err != nil {
		return err
	}
	defer draft.Discard()
	return draft.Upload(ctx)
}
