package doctor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"svc/server/domain/repository/lifecycle"
	"svc/store/blob"
	"svc/store/git"
	"svc/store/lfs"
)

// checkStorages opens the storages and checks that they belong to this instance, with the rules of the start.
func (d *Doctor) checkStorages(ctx context.Context, r *Result) (err error) {
	roots := d.Config.Roots()
	if d.repos, err = git.Open(roots); err != nil {
		return err
	}
	if d.lfsFiles, err = lfs.Open(roots); err != nil {
		return err
	}
	if d.blobs, err = blob.Open(d.Config.BlobURL, d.BlobFolder); err != nil {
		r.problem(repairSettings, "%v", err)
		d.blobs = nil
	}
	marks, err := lifecycle.Marks(roots, d.instance.ID)
	if err != nil {
		return err
	}
	known, err := d.store.Instance.Storages(ctx)
	if err != nil {
		return err
	}
	names := slices.Sorted(maps.Keys(marks))
	var claims []lifecycle.Claim
	for _, name := range names {
		claims = append(claims, lifecycle.ClaimStorage(d.repos, marks[name]))
	}
	if d.blobs != nil {
		claims = append(claims, lifecycle.ClaimFiles(d.blobs))
	}
	for _, claim := range claims {
		d.checkClaim(ctx, r, claim, known[claim.Name])
	}
	d.repos.Guard(marks)
	d.lfsFiles.Guard(marks)
	if bucket, ok := d.blobs.(blob.Bucket); ok {
		d.lfsFiles.WithBucket(bucket, d.BlobFolder)
	}
	if d.usable[lifecycle.FilesName] {
		d.blobs.Guard(d.instance.ID)
	}
	r.Note = fmt.Sprintf("%s, and files in %s", strings.Join(names, ", "), d.place())
	return nil
}

// checkClaim checks one storage. A storage without a mark that the next start would accept is no problem.
func (d *Doctor) checkClaim(ctx context.Context, r *Result, claim lifecycle.Claim, before bool) {
	missing, err := claim.NeedsMark(ctx, d.store, d.instance.ID, before)
	if err != nil {
		r.problem("Mount or set the right one. If it is the right one: svc admin adopt-storage "+claim.Name, "%v", err)
		return
	}
	d.usable[claim.Name] = true
	if missing {
		r.warn("svc admin adopt-storage "+claim.Name+", or start svc serve, which marks it.",
			"the storage %s is not marked as belonging to this instance yet", claim.Name)
	}
}

// place describes where files are.
func (d *Doctor) place() string {
	if d.blobs == nil {
		return "a place that cannot be used"
	}
	return d.blobs.Place()
}
