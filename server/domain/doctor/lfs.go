package doctor

import (
	"context"
	"fmt"

	"svc/server/domain/repository/lifecycle"
	"svc/store/blob"
	"svc/store/lfs"
	"svc/store/model"
)

// checkLFS checks that the content of all LFS objects exists with its size; a deep check reads it.
func (d *Doctor) checkLFS(ctx context.Context, r *Result) error {
	stored, err := d.lfsInBucket(ctx)
	if err != nil {
		return err
	}
	n := 0
	unknown := map[string]int{}
	err = d.store.Instance.EachLFSObject(ctx, func(row model.LfsObject) error {
		if n++; n%1000 == 0 {
			d.progress("lfs: %d objects checked", n)
		}
		if !d.hasLFSPlace(row.Storage) {
			unknown[row.Storage]++
			return nil
		}
		if size, ok := stored[blob.LFSKey(row.Oid)]; ok && row.Storage == lfs.InBucket && size == row.Size && !d.Deep {
			return nil
		}
		return d.checkObject(ctx, r, row)
	})
	for place, count := range unknown {
		repair := "Add the storage to SVC_STORAGES again."
		if place == lfs.InBucket {
			repair = "Set SVC_BLOB_URL to the bucket again."
		}
		r.problem(repair, "%d LFS objects are on the storage %s, which the settings do not have", count, place)
	}
	r.Note = fmt.Sprintf("%d objects", n)
	return err
}

// hasLFSPlace reports whether the settings have a storage, or the bucket.
func (d *Doctor) hasLFSPlace(place string) bool {
	if place == lfs.InBucket {
		return d.lfsFiles.HasBucket()
	}
	return d.repos.Has(place)
}

// lfsInBucket returns the sizes of the LFS objects in the bucket by key: a list is quicker than a request for each.
func (d *Doctor) lfsInBucket(ctx context.Context) (map[string]int64, error) {
	sizes := map[string]int64{}
	if !d.lfsFiles.HasBucket() || !d.usable[lifecycle.FilesName] {
		return sizes, nil
	}
	err := d.blobs.List(ctx, blob.LFS, func(o blob.Object) error {
		sizes[o.Key] = o.Size
		return nil
	})
	return sizes, err
}

// checkObject checks the content of one LFS object.
func (d *Doctor) checkObject(ctx context.Context, r *Result, row model.LfsObject) error {
	place, at := row.Storage, fmt.Sprintf("on the storage %s", row.Storage)
	if row.Storage == lfs.InBucket {
		place, at = lifecycle.FilesName, "in the bucket"
	}
	if !d.usable[place] {
		return nil // the check of the storages reports it
	}
	wrong, err := d.lfsFiles.Check(ctx, row.Storage, row.Oid, row.Size, d.Deep)
	if err != nil || wrong == "" {
		return err
	}
	exists, err := d.store.LfsObjects.Exists(ctx, row.Oid)
	if err != nil || !exists {
		return err
	}
	where := "the object " + blob.LFSKey(row.Oid) + " of " + d.place()
	if row.Storage != lfs.InBucket {
		where = "the file " + d.lfsFiles.Path(row.Storage, row.Oid)
	}
	r.problem(fmt.Sprintf("Restore %s from a backup, or copy it from a clone that has it: .git/lfs/objects/%s/%s/%s",
		where, row.Oid[:2], row.Oid[2:4], row.Oid), "the LFS object %s %s is wrong: %s", row.Oid, at, wrong)
	return nil
}
