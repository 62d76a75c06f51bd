package lfs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"svc/store/blob"
)

// Check returns what is wrong with the content of an LFS object on a storage or in the bucket, or an empty text. A deep
// check reads the whole content.
func (f *Files) Check(ctx context.Context, place, oid string, size int64, deep bool) (string, error) {
	found, err := f.size(ctx, place, oid)
	switch {
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrNotFound):
		return "it does not exist", nil
	case err != nil:
		return "", err
	case found != size:
		return fmt.Sprintf("it has %d bytes instead of %d", found, size), nil
	case !deep:
		return "", nil
	}
	content, err := f.Open(ctx, place, oid, size)
	if err != nil {
		return "", err
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{sum}, struct{ io.Reader }{content}, make([]byte, chunk)); err != nil {
		return "", err
	}
	if hex.EncodeToString(sum.Sum(nil)) != oid {
		return "its content has changed", nil
	}
	return "", nil
}

// size returns how many bytes the content of an LFS object has.
func (f *Files) size(ctx context.Context, place, oid string) (int64, error) {
	if place == InBucket {
		if f.bucket == nil {
			return 0, errNoBucket()
		}
		return f.bucket.Size(ctx, blob.LFSKey(oid))
	}
	file, err := f.Read(place, oid)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
