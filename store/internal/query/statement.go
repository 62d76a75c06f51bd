package query

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
)

// Row scans the single row of a statement that uses an index.
func (db *DB) Row(ctx context.Context, statement string, args []any, dest ...any) error {
	ctx, err := db.shortContext(ctx)
	if err != nil {
		return err
	}
	return db.runOne(ctx, db.reader, fixed{text: statement, args: args, short: true}, dest)
}

// LongRow is like Row, for a query that reads many rows. It is cancelled with the request.
func (db *DB) LongRow(ctx context.Context, statement string, args []any, dest ...any) error {
	return db.runOne(ctx, db.reader, fixed{text: statement, args: args}, dest)
}

// WriteRow is like Row, for a statement that writes and returns the row.
func (db *DB) WriteRow(ctx context.Context, statement string, args []any, dest ...any) error {
	ctx, err := db.shortContext(ctx)
	if err != nil {
		return err
	}
	return db.runOne(ctx, db.writer, fixed{text: statement, args: args}, dest)
}

// Later runs a statement that returns no rows, in the transaction of the context. On PostgreSQL it is sent with the next
// statement or the end of the transaction, and if it fails, these return its error. So it must be one that fails only if
// nothing else would work either, or whose failure undoes the whole transaction without another message.
func (db *DB) Later(ctx context.Context, statement string, args []any) error {
	return db.LaterRows(ctx, statement, args, func(Scanner) error { return nil })
}

// LaterRows is like Later, for a statement whose rows are read when it has been sent.
func (db *DB) LaterRows(ctx context.Context, statement string, args []any, scan func(row Scanner) error) error {
	f := fixed{text: statement, args: args, scan: scan}
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		if on, ok := tx.Statement.ConnPool.(*nativeTx); ok {
			defer db.ended(ctx, time.Now())
			return on.later(ctx, f)
		}
	}
	ctx, err := db.shortContext(ctx)
	if err != nil {
		return err
	}
	return db.runAll(ctx, db.writer, f)
}

// Rows calls scan for every row of a statement that finds a few rows by an index.
func (db *DB) Rows(ctx context.Context, statement string, args []any, scan func(row Scanner) error) error {
	ctx, err := db.shortContext(ctx)
	if err != nil {
		return err
	}
	return db.runAll(ctx, db.reader, fixed{text: statement, args: args, scan: scan, short: true})
}

// LongRows is like Rows, for queries that may take longer. They are cancelled with the request.
func (db *DB) LongRows(ctx context.Context, statement string, args []any, scan func(row Scanner) error) error {
	return db.runAll(ctx, db.reader, fixed{text: statement, args: args, scan: scan})
}

// fixed is a statement whose text was not built for this call.
type fixed struct {
	text  string
	args  []any
	scan  func(row Scanner) error // reads a row
	short bool                    // it finds a few rows by an index
	inTx  bool                    // it must run in a transaction

	before []fixed // statements that are sent with it, and run before it
}

// shortContext returns the context for a short statement. On SQLite such a statement is done sooner than the goroutines
// could start that watch for the end of the request, so it is not cancelled with the request.
func (db *DB) shortContext(ctx context.Context) (context.Context, error) {
	if db.postgres {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), ctx.Err()
}

func (db *DB) runOne(ctx context.Context, pool *gorm.DB, f fixed, dest []any) error {
	found := false
	f.scan = func(row Scanner) error {
		if found {
			return nil
		}
		found = true
		return row.Scan(dest...)
	}
	err := db.runAll(ctx, pool, f)
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// runAll runs a statement in the transaction of the context, or on the pool.
func (db *DB) runAll(ctx context.Context, pool *gorm.DB, f fixed) error {
	began := time.Now()
	defer db.ended(ctx, began)
	return db.runnerOf(ctx, pool).each(ctx, db, f)
}

// runnerOf returns the transaction of the context, or else the pool.
func (db *DB) runnerOf(ctx context.Context, pool *gorm.DB) nativeRunner {
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		pool = tx
	} else {
		pool, _ = db.pool(ctx, pool)
	}
	on, ok := pool.Statement.ConnPool.(nativeRunner)
	if !ok {
		panic(fmt.Sprintf("statements run on a %T", pool.Statement.ConnPool)) // openSQLite and openPostgres make no other
	}
	return on
}

// NumberPlaceholders replaces ? with the $1, $2, … of PostgreSQL.
func NumberPlaceholders(query string) string {
	var out strings.Builder
	n := 0
	for part := range strings.SplitSeq(query, "?") {
		if n > 0 {
			out.WriteString("$" + strconv.Itoa(n))
		}
		out.WriteString(part)
		n++
	}
	return out.String()
}
