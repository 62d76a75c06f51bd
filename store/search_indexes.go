package store

import (
	"context"
	"fmt"

	"svc/store/internal/query"
)

const (
	// fewPieces is the number of index segments up to which a search table is left as it is.
	fewPieces = 3
	// piecePages is the number of pages to merge in one transaction, before others may write.
	piecePages = 64
)

// MergeSearchIndexes merges the index segments of SQLite's search tables, because each search looks into all of them.
// PostgreSQL does this itself. If it is interrupted, the next call continues.
func (b *base) MergeSearchIndexes(ctx context.Context) error {
	if b.Postgres() {
		return nil
	}
	for _, table := range []string{"user_search", "project_search"} {
		if err := b.mergeSearchIndex(ctx, table); err != nil {
			return fmt.Errorf("clean up %s: %w", table, err)
		}
	}
	return nil
}

func (b *base) mergeSearchIndex(ctx context.Context, table string) error {
	var pieces int
	if err := query.ScanFirst(b.db.Read(ctx).Raw("SELECT count(DISTINCT segid) FROM "+table+"_idx"), &pieces); err != nil ||
		pieces <= fewPieces {
		return err
	}
	pages := -piecePages // negative to start a merge of all segments; later calls continue that merge
	for {
		done, err := b.mergePieces(ctx, table, pages)
		if err != nil || done {
			return err
		}
		pages = piecePages
	}
}

// mergePieces merges up to the given number of pages. done reports that nothing was left to merge.
func (b *base) mergePieces(ctx context.Context, table string, pages int) (done bool, err error) {
	err = b.Tx(ctx, func(ctx context.Context) error {
		var before, after int64
		if err := query.ScanFirst(b.db.Write(ctx).Raw("SELECT total_changes()"), &before); err != nil {
			return err
		}
		if err := b.db.Write(ctx).Exec("INSERT INTO "+table+" ("+table+", rank) VALUES ('merge', ?)", pages).Error; err != nil {
			return err
		}
		err := query.ScanFirst(b.db.Write(ctx).Raw("SELECT total_changes()"), &after)
		done = after-before < 2 // the statement itself counts as one
		return err
	})
	return done, err
}
