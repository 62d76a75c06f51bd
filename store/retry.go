package store

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// tries is the maximum number of attempts for a statement or transaction that PostgreSQL rolls back because of others.
const tries = 6

// isLostRace reports whether PostgreSQL rolled back because of other transactions: a deadlock or a serialization
// failure. The statement or transaction can then be tried again.
func isLostRace(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}

// again calls do until it loses no race, at most tries times. Between two attempts it waits for a random time, so that
// competing callers do not try again together.
func again(ctx context.Context, do func() error) error {
	for try := 1; ; try++ {
		err := do()
		if try == tries || !isLostRace(err) {
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

// retrying is a pool for single statements. It repeats statements that lose a race and limits their time. Transactions
// are started by Tx, which repeats them as a whole.
type retrying struct {
	*sql.DB
	limits *limits
}

// ExecContext runs a statement.
func (p retrying) ExecContext(ctx context.Context, query string, args ...any) (res sql.Result, err error) {
	ctx, leave, err := p.limits.enter(ctx, query)
	if err != nil {
		return nil, err
	}
	defer leave()
	err = again(ctx, func() error {
		res, err = p.DB.ExecContext(ctx, query, args...)
		return err
	})
	return res, available(err)
}

// QueryContext runs a statement that returns rows. The driver reads the first row at once, so a lost race is noticed
// before rows are returned.
func (p retrying) QueryContext(ctx context.Context, query string, args ...any) (rows *sql.Rows, err error) {
	ctx, leave, err := p.limits.enterRows(ctx, query)
	if err != nil {
		return nil, err
	}
	defer leave()
	err = again(ctx, func() error {
		rows, err = p.DB.QueryContext(ctx, query, args...) //nolint:sqlclosecheck,rowserrcheck // the caller's
		return err
	})
	return rows, available(err)
}

// GetDBConn gives GORM the underlying pool.
func (p retrying) GetDBConn() (*sql.DB, error) { return p.DB, nil }
