package store

import (
	"context"
	"fmt"
)

const (
	// fewPieces is how many pieces of a search table are left as they are.
	fewPieces = 3
	// piecePages is how much is put together before others may write.
	piecePages = 64
)

// TidySearch puts together what SQLite's search tables hold in many pieces, for each search looks into all of them. PostgreSQL
// does so itself. Broken off, it goes on the next time.
func (b *base) TidySearch(ctx context.Context) error {
	if b.postgres {
		return nil
	}
	for _, table := range []string{"user_search", "project_search"} {
		if err := b.tidy(ctx, table); err != nil {
			return fmt.Errorf("put %s in order: %w", table, err)
		}
	}
	return nil
}

func (b *base) tidy(ctx context.Context, table string) error {
	var pieces int
	if err := one(b.read(ctx).Raw("SELECT count(DISTINCT segid) FROM "+table+"_idx"), &pieces); err != nil || pieces <= fewPieces {
		return err
	}
	pages := -piecePages // all pieces at first, and then those that were begun with
	for {
		done, err := b.mergePieces(ctx, table, pages)
		if err != nil || done {
			return err
		}
		pages = piecePages
	}
}

// mergePieces does so much of the work; done says that nothing was left.
func (b *base) mergePieces(ctx context.Context, table string, pages int) (done bool, err error) {
	err = b.Tx(ctx, func(ctx context.Context) error {
		var before, after int64
		if err := one(b.write(ctx).Raw("SELECT total_changes()"), &before); err != nil {
			return err
		}
		if err := b.write(ctx).Exec("INSERT INTO "+table+" ("+table+", rank) VALUES ('merge', ?)", pages).Error; err != nil {
			return err
		}
		err := one(b.write(ctx).Raw("SELECT total_changes()"), &after)
		done = after-before < 2 // the statement itself counts as one
		return err
	})
	return done, err
}
