package lfs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"svc/store/blob"
	"svc/store/storage"
)

// InBucket is the storage of LFS objects that are in the bucket. No storage can be called so: names contain no @.
const InBucket = "@bucket"

// WithBucket stores new objects in a bucket. Objects on storages can still be read. drafts is a local folder for files on
// their way to the bucket.
func (f *Files) WithBucket(bucket blob.Bucket, drafts string) {
	f.bucket, f.local = bucket, drafts
}

// HasBucket reports whether objects can be in a bucket.
func (f *Files) HasBucket() bool { return f.bucket != nil }

// Target returns where a new object of a repository on a storage belongs.
func (f *Files) Target(storage string) string {
	if f.bucket != nil {
		return InBucket
	}
	return storage
}

// Open opens an LFS object on a storage or in the bucket.
func (f *Files) Open(ctx context.Context, place, oid string, size int64) (io.ReadSeekCloser, error) {
	if place != InBucket {
		return f.Read(place, oid)
	}
	if f.bucket == nil {
		return nil, errNoBucket()
	}
	content := &bucketContent{ctx: ctx, bucket: f.bucket, key: blob.LFSKey(oid), size: size}
	return content, content.open() // a missing object is an error now, not in the middle of an answer
}

func errNoBucket() error {
	return &storage.Error{Name: InBucket, Folder: "the bucket", Reason: "the settings have no bucket"}
}

// Upload puts the content into the bucket, unless the bucket has it.
func (d *Draft) Upload(ctx context.Context) error {
	key := blob.LFSKey(d.oid)
	size, err := d.files.bucket.Size(ctx, key)
	if err == nil && size == d.size {
		return nil
	}
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return d.files.bucket.PutVerified(ctx, key, d.file, d.size, d.oid)
}

func (f *Files) removeFromBucket(ctx context.Context, oid string) error {
	if f.bucket == nil {
		return errNoBucket()
	}
	return f.bucket.Delete(ctx, blob.LFSKey(oid))
}

// sweptAtOnce is how many objects of the bucket eachOlderInBucket passes on together.
const sweptAtOnce = 500

func (f *Files) eachOlderInBucket(ctx context.Context, before time.Time, see func(oids []string) error) error {
	var oids []string
	err := f.bucket.List(ctx, blob.LFS, func(o blob.Object) error {
		oid := o.Key[len(blob.LFS)+1:]
		if !IsOID(oid) || !o.Modified.Before(before) {
			return nil
		}
		if oids = append(oids, oid); len(oids) < sweptAtOnce {
			return nil
		}
		some := oids
		oids = nil
		return see(some)
	})
	if err != nil || len(oids) == 0 {
		return err
	}
	return see(oids)
}

// bucketContent reads an object of the bucket. After a Seek, the next Read asks the bucket for the rest from there.
type bucketContent struct {
	ctx    context.Context
	bucket blob.Bucket
	key    string
	size   int64

	at     int64 // position of the next Read
	body   io.ReadCloser
	bodyAt int64 // position of the body
}

// open asks for the object from the position on.
func (c *bucketContent) open() error {
	if c.at >= c.size {
		return nil
	}
	if err := c.Close(); err != nil {
		return err
	}
	body, err := c.bucket.Read(c.ctx, c.key, c.at, c.size-c.at)
	if errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("the LFS object %s is not in the bucket: %w", c.key, err)
	}
	if err != nil {
		return err
	}
	c.body, c.bodyAt = body, c.at
	return nil
}

// Read reads at the position.
func (c *bucketContent) Read(p []byte) (int, error) {
	if c.at >= c.size {
		return 0, io.EOF
	}
	if c.body == nil || c.bodyAt != c.at {
		if err := c.open(); err != nil {
			return 0, err
		}
	}
	n, err := c.body.Read(p)
	c.at += int64(n)
	c.bodyAt = c.at
	if errors.Is(err, io.EOF) && c.at < c.size {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// Seek sets the position.
func (c *bucketContent) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += c.at
	case io.SeekEnd:
		offset += c.size
	}
	if offset < 0 {
		return 0, errors.New("the position is before the beginning")
	}
	c.at = offset
	return offset, nil
}

// Close ends the request to the bucket.
func (c *bucketContent) Close() error {
	if c.body == nil {
		return nil
	}
	body := c.body
	c.body = nil
	return body.Close()
}
