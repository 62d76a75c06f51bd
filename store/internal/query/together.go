package query

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Reading is one of several short statements that are sent to PostgreSQL in one message.
type Reading struct {
	Text string
	Args []any
	Scan func(row Scanner) error // called for each row
}

// RowsTogether runs several statements that find a few rows by an index, one after the other. It calls readings again if it has
// to try again, so that the statements begin with empty results.
func (db *DB) RowsTogether(ctx context.Context, readings func() []Reading) error {
	defer db.ended(ctx, time.Now())
	return db.runnerOf(ctx, db.reader).together(ctx, db, readings)
}

func (p retryPool) together(ctx context.Context, db *DB, readings func() []Reading) error {
	f := joined(readings())
	f.short = p.limits.time > 0 // else nothing would end it
	ctx, leave, err := p.limits.enter(ctx, f.text)
	if err != nil {
		return err
	}
	defer leave()
	err = db.nativeOnce(ctx, p.DB, f)
	if err != nil && (isLostRace(err) || isStale(err) || pgconn.SafeToRetry(err)) {
		err = retryLostRace(ctx, func() error { return db.nativeOnce(ctx, p.DB, joined(readings())) })
	}
	return markUnavailable(err)
}

func (t *nativeTx) together(ctx context.Context, db *DB, readings func() []Reading) error {
	return t.each(ctx, db, joined(readings()))
}

// joined returns the last statement, with which the others are sent.
func joined(readings []Reading) fixed {
	all := make([]fixed, len(readings))
	for i, r := range readings {
		all[i] = fixed{text: r.Text, args: r.Args, scan: r.Scan}
	}
	last := all[len(all)-1]
	last.before = all[:len(all)-1]
	return last
}
