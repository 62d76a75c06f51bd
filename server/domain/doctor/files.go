package doctor

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"svc/server/domain/repository/lifecycle"
	"svc/store/blob"
	"svc/store/model"
)

// removalDelay is how long --fix leaves files that nothing refers to.
const removalDelay = 7 * 24 * time.Hour

// fileNames are the kinds of files in the words of people.
var fileNames = map[string]string{
	"logs": "the log of job %d", "artifacts": "artifact %d", "exports": "the file of export or import %d",
	"pages": "the site of project %d", "packages": "file %d of a package", "uploads": "upload %d",
}

// checkFiles compares the files of the blob store with the rows that refer to them.
func (d *Doctor) checkFiles(ctx context.Context, r *Result) error {
	if !d.usable[lifecycle.FilesName] {
		r.Note = "the place of the files cannot be used"
		return nil
	}
	total := 0
	for _, kind := range blob.Kinds {
		if kind == blob.LFS {
			continue // checkLFS compares them with their rows; the service removes those without one
		}
		n, err := d.checkFilesOf(ctx, r, kind)
		if err != nil {
			return fmt.Errorf("%s: %w", kind, err)
		}
		total += n
	}
	r.Note = fmt.Sprintf("%d files", total)
	return nil
}

// expected is a file that a row refers to.
type expected struct {
	id   int64
	seen bool
}

// checkFilesOf compares the files of one kind. It keeps the keys of that kind in memory.
func (d *Doctor) checkFilesOf(ctx context.Context, r *Result, kind string) (int, error) {
	rows, err := d.expectedFiles(ctx, kind)
	if err != nil {
		return 0, err
	}
	before, n := d.Now().Add(-orphanFileAge), 0
	var unknown []string
	err = d.blobs.List(ctx, kind, func(o blob.Object) error {
		if n++; n%1000 == 0 {
			d.progress("files: %d %s seen", n, kind)
		}
		if row, ok := rows[o.Key]; ok {
			row.seen = true
		} else if !o.Modified.IsZero() && o.Modified.Before(before) {
			unknown = append(unknown, o.Key)
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	if err := d.reportUnknown(ctx, r, kind, unknown); err != nil {
		return n, err
	}
	return n, d.reportLost(ctx, r, kind, rows)
}

// expectedFiles returns the files of a kind that rows refer to, by key.
func (d *Doctor) expectedFiles(ctx context.Context, kind string) (map[string]*expected, error) {
	rows := map[string]*expected{}
	err := d.store.Instance.EachFile(ctx, kind, func(f model.StoredFile) error {
		// A job without a log need not have a file, but may have one.
		rows[f.Key] = &expected{id: f.ID, seen: kind == "logs" && f.Size == 0}
		return nil
	})
	return rows, err
}

// reportLost reports rows whose files are missing. It looks again for each of them: a file may have been written, or a row
// deleted, meanwhile.
func (d *Doctor) reportLost(ctx context.Context, r *Result, kind string, rows map[string]*expected) error {
	lost := map[string]bool{}
	for key, row := range rows {
		if row.seen {
			continue
		}
		_, err := d.blobs.Size(ctx, key)
		if errors.Is(err, blob.ErrNotFound) {
			lost[key] = true
		} else if err != nil {
			return err
		}
	}
	if len(lost) == 0 {
		return nil
	}
	now, err := d.expectedFiles(ctx, kind)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(lost)) {
		if row, ok := now[key]; ok && !(kind == "logs" && row.seen) {
			r.problem("Restore the file "+key+" in "+d.blobs.Place()+" from a backup. Until then it is answered with an error.",
				"%s is lost: its file %s does not exist", fmt.Sprintf(fileNames[kind], row.id), key)
		}
	}
	return nil
}

// removalBatch is how many keys are compared with the planned removals at a time.
const removalBatch = 500

// reportUnknown reports files that no row refers to, as one finding for each kind.
func (d *Doctor) reportUnknown(ctx context.Context, r *Result, kind string, keys []string) error {
	var unknown []string
	for some := range slices.Chunk(keys, removalBatch) {
		planned, err := d.store.Instance.PlannedRemovals(ctx, some)
		if err != nil {
			return err
		}
		for _, key := range some {
			if !planned[key] {
				unknown = append(unknown, key)
			}
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	r.addFixable(
		Warning, fmt.Sprintf("nothing refers to %d files of the kind %s, such as %s in %s", len(unknown), kind, unknown[0],
			d.blobs.Place()),
		"svc doctor --fix --only files schedules their removal in 7 days",
		func(ctx context.Context) (string, error) { return d.scheduleRemoval(ctx, kind, unknown) },
	)
	return nil
}

// scheduleRemoval lets the job that removes files remove them later. A row that refers to a file meanwhile, for example
// after the database was restored, does not take it back, so it looks for rows once more.
func (d *Doctor) scheduleRemoval(ctx context.Context, kind string, keys []string) (string, error) {
	rows, err := d.expectedFiles(ctx, kind)
	if err != nil {
		return "", err
	}
	due, n := d.Now().Add(removalDelay).UTC(), 0
	err = d.store.Tx(ctx, func(ctx context.Context) error {
		n = 0
		for _, key := range keys {
			if rows[key] != nil {
				continue
			}
			if err := d.store.ScheduleBlobRemoval(ctx, key, due); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return fmt.Sprintf("scheduled the removal of %d files on %s", n, due.Format(time.DateOnly)), err
}
