// Package query runs the statements of package store on PostgreSQL or SQLite. It opens the connections, chooses one for
// each statement, repeats statements that lost a race, limits the time of requests and translates errors. No other
// package of the store knows GORM's settings, the drivers or the pools.
//
// A query is written in one of two ways.
//
// A query with optional filters is built with GORM, from DB.Read or DB.Write, and run by one of these:
//
//	Find, Take         the rows, or the first row
//	List, ListAfter    one page, by offset or after a row
//	CountUpTo          the number of rows, up to a limit
//	DeleteOne, …       a row that has not changed
//
// A statement whose text is always the same is written as SQL and run by one of these. They cost less, because no text
// is built:
//
//	DB.Row, DB.Rows            a short read by an index
//	DB.LongRow, DB.LongRows    a read that may take longer; it is cancelled with the request
//	DB.WriteRow                a statement that writes and returns a row
//	DB.Later                   a statement that returns nothing, and may be sent with the next one
//	DB.RowsTogether            several short reads, in one message
//
// All of them use the transaction of the context if there is one (see DB.Tx). Translate turns their errors into those
// that callers of the store know.
//
//	query.go                      DB, its pools, and the choice between them
//	postgres.go, sqlite*.go       connections to PostgreSQL and SQLite
//	transaction.go, retry.go      transactions, locks, repetition after deadlocks
//	limits.go, unavailable.go     limits for requests; errors of a database that cannot answer
//	errors.go                     the other errors that queries return
//	find.go, page.go              read rows, pages and totals with GORM
//	long_lists.go                 remembers which lists are too long to count
//	measure.go                    counts and times statements and waits
//	delete.go                     deletion of rows that have not changed
//	statement.go, native*.go      run statements that are written as SQL
//	postgres_conn.go, together.go send several statements to PostgreSQL in one message
package query

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"svc/store/clock"
	"svc/store/internal/sqlite"

	"gorm.io/gorm"
)

// Options selects the database and sets its limits.
type Options struct {
	URL        string // postgres://…; empty means SQLite
	SQLitePath string
	SQLiteFull bool // wait for the disk at every commit, so that a power cut loses nothing
	SmallCache bool // few SQLite connections with small caches, for many databases in one process
	Pool       int  // connections to PostgreSQL for requests; background work gets half as many in addition
	// On PostgreSQL, the longest time that a request waits for a statement and for a lock; 0 means no limit.
	StatementTimeout, LockTimeout time.Duration
	Clock                         *clock.Clock // sets the times of rows; nil means the system time
}

// DB is an open database. SQLite has a pool for reading and one connection for writing: writers that wait in Go's queue
// are served in order, those that wait for SQLite's lock are not.
type DB struct {
	reader, writer *gorm.DB
	background     *gorm.DB // for background work; only on PostgreSQL
	limits         limits   // for requests
	postgres       bool
	clock          *clock.Clock
	statements     atomic.Int64
	compiled       sqlite.Kept // only on SQLite
	measured       Measured
}

// Open prepares the connections to the database. The first statement connects.
func Open(o Options) (*DB, error) {
	db := &DB{postgres: o.URL != "", clock: o.Clock}
	open := db.openSQLite
	if db.postgres {
		open = db.openPostgres
	}
	if err := open(o); err != nil {
		return nil, err
	}
	for _, pool := range []*gorm.DB{db.reader, db.writer, db.background} {
		if pool != nil {
			pool.NowFunc = db.Now
		}
	}
	return db, db.measureStatements()
}

// Read returns the connection for reading: the transaction of the context, or the reading pool.
func (db *DB) Read(ctx context.Context) *gorm.DB { return db.in(ctx, db.reader) }

// Write returns the connection for writing: the transaction of the context, or the writing pool.
func (db *DB) Write(ctx context.Context) *gorm.DB { return db.in(ctx, db.writer) }

func (db *DB) in(ctx context.Context, pool *gorm.DB) *gorm.DB {
	if tx, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		return db.within(ctx, tx)
	}
	pool, _ = db.pool(ctx, pool)
	return db.within(ctx, pool)
}

// within returns the connection for statements of the context. On SQLite, a statement that has begun is not cancelled with
// the request: watching for that takes two goroutines, which cost more than most statements.
func (db *DB) within(ctx context.Context, conn *gorm.DB) *gorm.DB {
	if db.postgres {
		return conn.WithContext(ctx)
	}
	conn = conn.WithContext(context.WithoutCancel(ctx))
	if err := ctx.Err(); err != nil {
		_ = conn.AddError(err) // it returns the error that it adds
	}
	return conn
}

// pool returns the pool and the limits for work outside a transaction. Background work has its own pool.
func (db *DB) pool(ctx context.Context, pool *gorm.DB) (*gorm.DB, *limits) {
	if db.background != nil && isBackground(ctx) {
		return db.background, &limits{}
	}
	return pool, &db.limits
}

// Postgres reports whether the database is PostgreSQL. Several processes can share it then.
func (db *DB) Postgres() bool { return db.postgres }

// Ping checks that the database answers.
func (db *DB) Ping(ctx context.Context) error {
	for _, pool := range db.pools() {
		if err := pool.PingContext(ctx); err != nil {
			return fmt.Errorf("reach the database: %w", err)
		}
	}
	return nil
}

// Close closes all connections.
func (db *DB) Close() error {
	var errs []error
	for _, pool := range db.pools() {
		errs = append(errs, pool.Close())
	}
	return errors.Join(errs...)
}

// Pools returns the connection pools by name, for metrics.
func (db *DB) Pools() map[string]*sql.DB {
	if db.reader == db.writer {
		return map[string]*sql.DB{"main": sqlDB(db.writer), "background": sqlDB(db.background)}
	}
	return map[string]*sql.DB{"read": sqlDB(db.reader), "write": sqlDB(db.writer)}
}

// SQL returns the pool that writes. The job queue, which has its own queries, and the migrations use it.
func (db *DB) SQL() *sql.DB {
	if db.background != nil {
		return sqlDB(db.background)
	}
	return sqlDB(db.writer)
}

// Statements returns the number of statements sent so far. Tests use it to check the cost of lists.
func (db *DB) Statements() int64 { return db.statements.Load() }

// CompiledStatements returns how many statements the connections to SQLite keep compiled, and about how large they are.
func (db *DB) CompiledStatements() (entries, bytes int) {
	return int(db.compiled.Entries.Load()), int(db.compiled.Bytes.Load())
}

func (db *DB) pools() []*sql.DB {
	if db.reader == db.writer {
		return []*sql.DB{sqlDB(db.writer), sqlDB(db.background)}
	}
	return []*sql.DB{sqlDB(db.reader), sqlDB(db.writer)}
}

func sqlDB(db *gorm.DB) *sql.DB {
	pool, err := db.DB()
	if err != nil {
		panic(err) // only a transaction has no pool, and we never store one
	}
	return pool
}

// Now returns the time of the database's clock, with the precision that both databases store.
func (db *DB) Now() time.Time { return db.clock.Now().UTC().Truncate(time.Microsecond) }

// Clock returns the clock of the database; nil means the system time.
func (db *DB) Clock() *clock.Clock { return db.clock }

func config() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		Logger:                 silent{},
	}
}
