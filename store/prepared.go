package store

import (
	"context"
	"database/sql"
	"slices"
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

// first scans the single row of a hot query that uses an index.
func (b *base) first(ctx context.Context, query string, args []any, dest ...any) error {
	ctx, err := b.indexedReadContext(ctx)
	if err != nil {
		return err
	}
	return b.hotRow(ctx, preparedKey{false, query}, args, dest)
}

// aggregate is like first, for a query that reads many rows. It is cancelled with the request.
func (b *base) aggregate(ctx context.Context, query string, args []any, dest ...any) error {
	return b.hotRow(ctx, preparedKey{false, query}, args, dest)
}

// firstWritten is like first, for a statement that writes and returns the row.
func (b *base) firstWritten(ctx context.Context, query string, args []any, dest ...any) error {
	return b.hotRow(ctx, preparedKey{true, query}, args, dest)
}

// indexedReadContext returns the context for a short read by index. On SQLite such a read is done sooner than the two goroutines
// could start that watch for the end of the request, so it is not cancelled with the request.
func (b *base) indexedReadContext(ctx context.Context) (context.Context, error) {
	if b.postgres {
		return ctx, nil
	}
	return context.WithoutCancel(ctx), ctx.Err()
}

func (b *base) hotRow(ctx context.Context, key preparedKey, args, dest []any) error {
	found := false
	err := b.hotRows(ctx, key, args, func(row scanner) error {
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

// few calls scan for every row of a hot query that finds a few rows by an index.
func (b *base) few(ctx context.Context, query string, args []any, scan func(row scanner) error) error {
	ctx, err := b.indexedReadContext(ctx)
	if err != nil {
		return err
	}
	return b.hotRows(ctx, preparedKey{false, query}, args, scan)
}

// each is like few, for queries that may take longer. They are cancelled with the request.
func (b *base) each(ctx context.Context, query string, args []any, scan func(row scanner) error) error {
	return b.hotRows(ctx, preparedKey{false, query}, args, scan)
}

func (b *base) hotRows(ctx context.Context, key preparedKey, args []any, scan func(row scanner) error) error {
	b.statements.Add(1)
	_, inTx := ctx.Value(txKey{}).(*gorm.DB)
	if b.postgres && !inTx {
		return b.native(ctx, key.text, args, scan)
	}
	rows, err := b.hotQuery(ctx, key, args, inTx)
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

func (b *base) hotQuery(ctx context.Context, key preparedKey, args []any, inTx bool) (*sql.Rows, error) {
	// A transaction holds SQLite's only writing connection. A statement that asked the pool for another one would wait
	// forever.
	if inTx {
		tx, err := SQLTx(ctx)
		if err != nil {
			return nil, err
		}
		// PostgreSQL's driver caches the compiled statement for the connection. With an explicit prepare, it would drop
		// the statement at the end.
		return tx.QueryContext(ctx, b.text(key.text), args...)
	}
	b.hot.mu.RLock()
	s := b.hot.statements[key]
	b.hot.mu.RUnlock()
	if s == nil {
		var err error
		if s, err = b.prepare(ctx, key); err != nil {
			return nil, err
		}
	}
	return s.QueryContext(ctx, args...)
}

func (b *base) prepare(ctx context.Context, key preparedKey) (*sql.Stmt, error) {
	pool := b.reader
	if key.writes {
		pool = b.writer
	}
	s, err := sqlDB(pool).PrepareContext(ctx, key.text)
	if err != nil {
		return nil, err
	}
	b.hot.mu.Lock()
	defer b.hot.mu.Unlock()
	if other := b.hot.statements[key]; other != nil {
		s.Close() // another request was faster
		return other, nil
	}
	if b.hot.statements == nil {
		b.hot.statements = map[preparedKey]*sql.Stmt{}
	}
	b.hot.statements[key] = s
	return s, nil
}

// assignments returns the SET clause of an update and its arguments. The columns have a fixed order, so that equal sets
// give equal texts.
func assignments(set map[string]any) (string, []any) {
	var text strings.Builder
	text.Grow(128)
	columns, args := make([]string, 0, 8), make([]any, 0, len(set)+2)
	for column := range set {
		columns = append(columns, column)
	}
	slices.Sort(columns)
	for _, column := range columns {
		text.WriteString(column)
		text.WriteString(" = ?, ")
		args = append(args, set[column])
	}
	text.WriteString("updated_at = ?")
	return text.String(), append(args, now())
}

// opaqueNumber is a placeholder for a number that PostgreSQL's planner cannot see. So the generic plan costs as much as a plan
// for this value. PostgreSQL then keeps the generic plan and does not plan the statement again at every call.
const opaqueNumber = "(SELECT CAST(? AS bigint))"

// opaqueText is like given, for a text.
const opaqueText = "(SELECT CAST(? AS text))"

// inIDs returns a condition of a hot query that matches the given ids. There must be at least one id. The list is
// filled up to a multiple of twenty, so that a few statements serve all lengths.
func inIDs(ids []int64) condition {
	const step = 20
	args := make([]any, 0, len(ids)+step)
	for _, id := range ids {
		args = append(args, id)
	}
	for len(args)%step != 0 {
		args = append(args, ids[0])
	}
	return condition{"IN (?" + strings.Repeat(", ?", len(args)-1) + ")", args}
}

// withLimit adds LIMIT and OFFSET to a hot query. The limit is part of the text: SQLite uses the limit in its plan and
// would compile the statement again if it were bound. See writeLimit.
func withLimit(query string, limit int) string {
	return query + " LIMIT " + strconv.Itoa(limit) + " OFFSET ?"
}

// text returns a query with the placeholders of the database. The result is cached.
func (b *base) text(query string) string {
	if !b.postgres {
		return query
	}
	b.hot.mu.RLock()
	text, ok := b.hot.texts[query]
	b.hot.mu.RUnlock()
	if ok {
		return text
	}
	text = numberPlaceholders(query)
	b.hot.mu.Lock()
	defer b.hot.mu.Unlock()
	if b.hot.texts == nil {
		b.hot.texts = map[string]string{}
	}
	b.hot.texts[query] = text
	return text
}

// numberPlaceholders replaces ? with the $1, $2, … of PostgreSQL.
func numberPlaceholders(query string) string {
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
