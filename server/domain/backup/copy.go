package backup

import (
	"context"

	"svc/store"
)

// CopyDatabase copies all rows of a database into another one, which must be empty and may be of the other kind. Nothing
// may write to the first one meanwhile: its copy would miss that.
func CopyDatabase(ctx context.Context, from, to *store.Store, progress Progress) (rows int64, err error) {
	ctx = store.Background(ctx) // a table may take longer than a request may
	version, err := from.SchemaVersion(ctx)
	if err != nil {
		return 0, err
	}
	if err := to.MigrateTo(ctx, version); err != nil {
		return 0, err
	}
	err = from.Snapshot(ctx, func(reading context.Context) error {
		tables, err := from.DumpTables(reading)
		if err != nil {
			return err
		}
		return to.Load(ctx, tables, func(writing context.Context, l *store.Loader) error {
			for i, t := range tables {
				progress("tables", i, len(tables), 0)
				n, err := copyTable(reading, writing, from, l, t)
				if rows += n; err != nil {
					return err
				}
			}
			return nil
		})
	})
	return rows, err
}

// copyTable copies the rows of one table.
func copyTable(reading, writing context.Context, from *store.Store, l *store.Loader, t store.DumpTable) (n int64, err error) {
	var some [][]any
	flush := func() error {
		n += int64(len(some))
		err := l.Insert(writing, t, some)
		some = some[:0]
		return err
	}
	err = from.DumpRows(reading, t, func(row []any) error {
		if some = append(some, row); len(some) < rowsAtOnce {
			return nil
		}
		return flush()
	})
	if err != nil {
		return n, err
	}
	return n, flush()
}
