package packages

import (
	"context"
	"crypto/md5"  //nolint:gosec // package managers compare these checksums; nothing relies on them for security
	"crypto/sha1" //nolint:gosec // the same
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strings"
	"syscall"
	"time"

	"svc/server/platform/apierr"
	"svc/store/blob"
	"svc/store/clock"
	"svc/store/model"
)

// uploadTime is the longest time that an upload may take. After that, the bytes of an unfinished upload are removed.
const uploadTime = 24 * time.Hour

// ErrTooLarge refuses a file that is larger than the limit of its type.
func ErrTooLarge() error { return apierr.BadRequest("File is too large") }

// errLimit ends an upload that is larger than its limit.
var errLimit = errors.New("the file is too large")

// Checksums are the digests that a client expects of a file, in hexadecimal. Empty ones are not compared.
type Checksums struct{ MD5, SHA1, SHA256 string }

// Receive stores the bytes of a file and returns the file with its size and checksums. The file belongs to no package
// yet: unless Add adds it to one, its bytes are removed within a day, and Discard removes them at once.
func (s *Service) Receive(ctx context.Context, kind string, from io.Reader, want Checksums) (model.PackageFile, error) {
	file := model.PackageFile{Key: blob.PackageKey(), Metadata: "{}"}
	if err := s.store.ScheduleBlobRemoval(ctx, file.Key, clock.Now(ctx).UTC().Add(uploadTime)); err != nil {
		return file, err
	}
	sums := newDigests()
	size, err := s.blobs.Put(ctx, file.Key, io.TeeReader(blob.LimitReader(from, s.MaxSize(kind), errLimit), sums))
	switch {
	case errors.Is(err, errLimit):
		return file, ErrTooLarge()
	case errors.Is(err, syscall.ENOSPC):
		return file, &apierr.Error{Status: 507, Body: apierr.Body{Message: "There is not enough space for this file"}}
	case err != nil:
		return file, err
	}
	file.Size = size
	file.FileMD5, file.FileSHA1, file.FileSHA256 = sums.text()
	if err := want.Check(file); err != nil {
		return file, errors.Join(err, s.Discard(ctx, file))
	}
	return file, nil
}

// Discard removes the bytes of a file that was received and that no package has.
func (s *Service) Discard(ctx context.Context, file model.PackageFile) error {
	return s.store.ScheduleBlobRemoval(context.WithoutCancel(ctx), file.Key, clock.Now(ctx).UTC())
}

// Check compares the checksums of a file with those that the client expects.
func (c Checksums) Check(file model.PackageFile) error {
	for _, pair := range []struct{ name, want, got string }{
		{"MD5", c.MD5, file.FileMD5}, {"SHA-1", c.SHA1, file.FileSHA1}, {"SHA-256", c.SHA256, file.FileSHA256},
	} {
		if pair.want != "" && !strings.EqualFold(pair.want, pair.got) {
			return apierr.BadRequest("The " + pair.name + " checksum of the file is " + pair.got + ", not the given one")
		}
	}
	return nil
}

// digests computes three checksums at once.
type digests struct{ md5, sha1, sha256 hash.Hash }

func newDigests() digests {
	return digests{md5.New(), sha1.New(), sha256.New()} //nolint:gosec // see the imports
}

// Write adds bytes to the checksums.
func (d digests) Write(p []byte) (int, error) {
	d.md5.Write(p)
	d.sha1.Write(p)
	return d.sha256.Write(p)
}

// text returns the checksums in hexadecimal.
func (d digests) text() (md5, sha1, sha256 string) {
	return hex.EncodeToString(d.md5.Sum(nil)), hex.EncodeToString(d.sha1.Sum(nil)), hex.EncodeToString(d.sha256.Sum(nil))
}
