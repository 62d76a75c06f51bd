package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"svc/store/blob"
	"svc/store/lfs"
	"svc/store/model"
)

const (
	blobPrefix = "blobs/"
	lfsPrefix  = "lfs/"
)

// files writes the files of the blob store and the Git LFS files.
func (c *creation) files(ctx context.Context, all fileList) error {
	of := len(all.blobs) + len(all.lfs)
	for i, f := range all.blobs {
		c.progress("files", i, of, c.out.Bytes)
		if err := errors.Join(ctx.Err(), c.blob(ctx, f)); err != nil {
			return fmt.Errorf("%s: %w", f.key, err)
		}
	}
	for i, o := range all.lfs {
		c.progress("files", len(all.blobs)+i, of, c.out.Bytes)
		if err := errors.Join(ctx.Err(), c.lfsObject(ctx, o)); err != nil {
			return fmt.Errorf("the Git LFS file %s: %w", o.Oid, err)
		}
	}
	c.progress("files", of, of, c.out.Bytes)
	return nil
}

func (c *creation) blob(ctx context.Context, f savedFile) error {
	name := blobPrefix + f.key
	if old, ok := c.base[name]; ok && old.Size == f.size && !f.appended {
		c.out.addBase(old)
		return nil
	}
	read := c.from.Blobs.Read
	if f.appended {
		read = c.from.Blobs.ReadAppended
	}
	from, err := read(ctx, f.key, 0, f.size)
	if errors.Is(err, blob.ErrNotFound) {
		c.out.Missing = append(c.out.Missing, name)
		return nil
	}
	if err != nil {
		return err
	}
	defer from.Close()
	return c.out.add(name, f.size, from)
}

func (c *creation) lfsObject(ctx context.Context, o model.LfsObject) error {
	name := lfsPrefix + o.Storage + "/" + o.Oid
	if old, ok := c.base[name]; ok && old.Size == o.Size {
		c.out.addBase(old)
		return nil
	}
	file, err := c.from.LFS.Open(ctx, o.Storage, o.Oid, o.Size)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, blob.ErrNotFound) {
		c.out.Missing = append(c.out.Missing, name)
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return c.out.add(name, o.Size, file)
}

// readBlob restores one file of the blob store.
func (r *restoration) readBlob(ctx context.Context, name string, size int64, from io.Reader) error {
	return blob.Restore(ctx, r.to.Blobs, strings.TrimPrefix(name, blobPrefix), size, from)
}

// readLFS restores one Git LFS file, to where files belong in the new instance. A file whose content has another digest
// than its name says was damaged when it was saved: it is left out and reported.
func (r *restoration) readLFS(ctx context.Context, name string, size int64, from io.Reader) error {
	storage, oid, ok := strings.Cut(strings.TrimPrefix(name, lfsPrefix), "/")
	if !ok {
		return fmt.Errorf("%q is not the name of a Git LFS file", name)
	}
	err := r.to.LFS.Restore(ctx, r.lfsPlace(storage), oid, size, from)
	if errors.Is(err, lfs.ErrContent) || errors.Is(err, lfs.ErrSize) {
		r.damaged = append(r.damaged, name)
		return nil
	}
	return err
}

// lfsPlace returns where a Git LFS file belongs: in the bucket if there is one, otherwise where it was. A file that was in
// a bucket goes to the default storage, if there is none any more.
func (r *restoration) lfsPlace(storage string) string {
	if target := r.to.LFS.Target(storage); target != lfs.InBucket || r.to.LFS.HasBucket() {
		return target
	}
	return model.DefaultStorage
}

// placeLFS corrects the rows of Git LFS files that were restored to another place.
func (r *restoration) placeLFS(ctx context.Context) error {
	objects := r.to.Store.LfsObjects
	if r.to.LFS.HasBucket() {
		return objects.Place(ctx, "", lfs.InBucket)
	}
	return objects.Place(ctx, lfs.InBucket, model.DefaultStorage)
}
