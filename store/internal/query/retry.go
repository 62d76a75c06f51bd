package query

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// maxAttempts is the maximum number of attempts for a statement or transaction that PostgreSQL rolls back because of others.
const maxAttempts = 6

// isLostRace reports whether PostgreSQL rolled back because of other transactions: a deadlock or a serialization
// failure. The statement or transaction can then be tried again.
func isLostRace(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}

// retryLostRace calls do until it loses no race, at most maxAttempts times. It also repeats a statement that was compiled
// before the migration of a newer program, which runs beside this one, has changed its tables. Between two attempts it
// waits for a random time, so that competing callers do not try again together.
func retryLostRace(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		if try == maxAttempts || !isLostRace(err) && !isStale(err) {
			return err
		}
		pause := time.Duration(try) * (10*time.Millisecond + rand.N(20*time.Millisecond)) //nolint:gosec // nobody gains by guessing it
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// retryPool is a pool for single statements. It repeats statements that lose a race and limits their time. Transactions
// are started by Tx, which repeats them as a whole.
type retryPool struct {
	*sql.DB
	limits *limits
}

// ExecContext runs a statement.
func (p retryPool) ExecContext(ctx context.Context, query string, args ...any) (res sql.Result, err error) {
	ctx, leave, err := p.limits.enter(ctx, query)
	if err != nil {
		return nil, err
	}
	defer leave()
	err = retryLostRace(ctx, func() error {
		res, err = p.DB.ExecContext(ctx, query, args...)
		return err
	})
	return res, markUnavailable(err)
}

// QueryContext runs a statement that returns rows. The driver reads the first row at once, so a lost race is noticed
// before rows are returned.
func (p retryPool) QueryContext(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	ctx, leave, err := p.limits.enterRows(ctx, query)
	if err != nil {
		return nil, err
	}
	defer leave()
	err = retryLostRace(ctx, func() error {
		rows, err = p.DB.QueryContext(ctx, query, args...) //nolint:sqlclosecheck,rowserrcheck // the caller's
		return err
	})
	return rows, markUnavailable(err)
}

// each runs a statement without database/sql.
func (p retryPool) each(ctx context.Context, db *DB, f fixed) error { return db.native(ctx, p, f) }

// GetDBConn gives GORM the underlying pool.
func (p retryPool) GetDBConn() (*sql.DB, error) { return p.DB, nil }
