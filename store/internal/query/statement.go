package query

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
	"sync"

	"gorm.io/gorm"
)

// prepared holds the statements that many requests need. They are compiled once per connection. They skip GORM, which
// would build their text each time. Their number is bounded, because their texts consist of constants and column names.
type prepared struct {
	mu         sync.RWMutex
	statements map[preparedKey]*sql.Stmt
	texts      map[string]string // with PostgreSQL placeholders, for use in transactions
}

type preparedKey struct {
	writes bool
	text   string
}

// Row scans the single row of a statement that uses an index.
func (db *DB) Row(ctx context.Context, query string, args []any, dest ...any) error {
	ctx, err := db.indexedReadContext(ctx)
	if err != nil {
		return err
	}
	return db.runOne(ctx, preparedKey{false, query}, args, dest)
}

// LongRow is like Row, for a query that reads many rows. It is cancelled with the request.
func (db *DB) LongRow(ctx context.Context, query string, args []any, dest ...any) error {
	return db.runOne(ctx, preparedKey{false, query}, args, dest)
}

// WriteRow is like Row, for a statement that writes and returns the row.
func (db *DB) WriteRow(ctx context.Context, query string, args []any, dest ...any) error {
	return db.runOne(ctx, preparedKey{true, query}, args, dest)
}

// indexedReadContext returns the context for a short read by index. On SQLite such a read is done sooner than the two goroutines
// could start that watch for the end of the request, so it is not cancelled with the request.
func (db *DB) indexedReadContext(ctx context.Context) (context.Context, error) {
	if db.postgres {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), ctx.Err()
}

func (db *DB) runOne(ctx context.Context, key preparedKey, args, dest []any) error {
	found := false
	err := db.runAll(ctx, key, args, func(row Scanner) error {
		if found {
			return nil
		}
		found = true
		return row.Scan(dest...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// Rows calls scan for every row of a statement that finds a few rows by an index.
func (db *DB) Rows(ctx context.Context, query string, args []any, scan func(row Scanner) error) error {
	ctx, err := db.indexedReadContext(ctx)
	if err != nil {
		return err
	}
	return db.runAll(ctx, preparedKey{false, query}, args, scan)
}

// LongRows is like Rows, for queries that may take longer. They are cancelled with the request.
func (db *DB) LongRows(ctx context.Context, query string, args []any, scan func(row Scanner) error) error {
	return db.runAll(ctx, preparedKey{false, query}, args, scan)
}

func (db *DB) runAll(ctx context.Context, key preparedKey, args []any, scan func(row Scanner) error) error {
	db.statements.Add(1)
	_, inTx := ctx.Value(txKey{}).(*gorm.DB)
	if db.postgres && !inTx {
		return db.native(ctx, key.text, args, scan)
	}
	rows, err := db.start(ctx, key, args, inTx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (db *DB) start(ctx context.Context, key preparedKey, args []any, inTx bool) (*sql.Rows, error) {
	// A transaction holds SQLite's only writing connection. A statement that asked the pool for another one would wait
	// forever.
	if inTx {
		tx, err := SQLTx(ctx)
		if err != nil {
			return nil, err
		}
		// PostgreSQL's driver caches the compiled statement for the connection. With an explicit prepare, it would drop
		// the statement at the end.
		return tx.QueryContext(ctx, db.text(key.text), args...)
	}
	db.hot.mu.RLock()
	s := db.hot.statements[key]
	db.hot.mu.RUnlock()
	if s == nil {
		var err error
		if s, err = db.prepare(ctx, key); err != nil {
			return nil, err
		}
	}
	return s.QueryContext(ctx, args...)
}

func (db *DB) prepare(ctx context.Context, key preparedKey) (*sql.Stmt, error) {
	pool := db.reader
	if key.writes {
		pool = db.writer
	}
	s, err := sqlDB(pool).PrepareContext(ctx, key.text)
	if err != nil {
		return nil, err
	}
	db.hot.mu.Lock()
	defer db.hot.mu.Unlock()
	if other := db.hot.statements[key]; other != nil {
		s.Close() // another request was faster
		return other, nil
	}
	if db.hot.statements == nil {
		db.hot.statements = map[preparedKey]*sql.Stmt{}
	}
	db.hot.statements[key] = s
	return s, nil
}

// text returns a query with the placeholders of the database. The result is cached.
func (db *DB) text(query string) string {
	if !db.postgres {
		return query
	}
	db.hot.mu.RLock()
	text, ok := db.hot.texts[query]
	db.hot.mu.RUnlock()
	if ok {
		return text
	}
	text = NumberPlaceholders(query)
	db.hot.mu.Lock()
	defer db.hot.mu.Unlock()
	if db.hot.texts == nil {
		db.hot.texts = map[string]string{}
	}
	db.hot.texts[query] = text
	return text
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
