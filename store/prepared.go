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

// prepared are the statements that many requests need. They are compiled once per connection and skip GORM, which
// would write out their text anew each time. Their number is bounded: a text is made of constants and columns.
type prepared struct {
	mu         sync.RWMutex
	statements map[preparedKey]*sql.Stmt
	texts      map[string]string // as PostgreSQL wants them, inside transactions
}

type preparedKey struct {
	writes bool
	text   string
}

// first scans the one row of a hot query that an index leads to.
func (b *base) first(ctx context.Context, query string, args []any, dest ...any) error {
	ctx, err := b.unwatched(ctx)
	if err != nil {
		return err
	}
	return b.hotRow(ctx, preparedKey{false, query}, args, dest)
}

// tally is first for a query that goes through many rows; it ends with the request.
func (b *base) tally(ctx context.Context, query string, args []any, dest ...any) error {
	return b.hotRow(ctx, preparedKey{false, query}, args, dest)
}

// firstWritten is first for a statement that writes and returns the row.
func (b *base) firstWritten(ctx context.Context, query string, args []any, dest ...any) error {
	return b.hotRow(ctx, preparedKey{true, query}, args, dest)
}

// unwatched is for reading what an index leads to. On SQLite that is done sooner than the two goroutines are started that
// would watch for the end of the request.
func (b *base) unwatched(ctx context.Context) (context.Context, error) {
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

// few calls scan for every row of a hot query of a few rows that an index leads to.
func (b *base) few(ctx context.Context, query string, args []any, scan func(row scanner) error) error {
	ctx, err := b.unwatched(ctx)
	if err != nil {
		return err
	}
	return b.hotRows(ctx, preparedKey{false, query}, args, scan)
}

// each is few for queries that may take longer; they end with the request.
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
	// A transaction holds SQLite's one writing connection: asking the pool for another would wait for ever.
	if inTx {
		tx, err := SQLTx(ctx)
		if err != nil {
			return nil, err
		}
		// PostgreSQL's driver keeps what it compiles for a connection, unless it is told to prepare: that it would undo at the end.
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
		s.Close() // another request was quicker
		return other, nil
	}
	if b.hot.statements == nil {
		b.hot.statements = map[preparedKey]*sql.Stmt{}
	}
	b.hot.statements[key] = s
	return s, nil
}

// assignments is the SET of an update: the columns in a fixed order, so that equal sets give equal texts.
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

// given is a place for a number that PostgreSQL's planner cannot look at. So the plan for any value, which is kept, costs
// as much as one for this value, and no statement is planned anew at every call.
const given = "(SELECT CAST(? AS bigint))"

// givenText is given for a text.
const givenText = "(SELECT CAST(? AS text))"

// oneOf is the condition of a hot query to be one of some ids, of which there is at least one. They are filled up to a multiple of
// twenty, so that few statements serve all.
func oneOf(ids []int64) condition {
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

// limited ends a hot query. SQLite plans by the limit and compiles the statement anew when it is bound; see writeLimit.
func limited(query string, limit int) string {
	return query + " LIMIT " + strconv.Itoa(limit) + " OFFSET ?"
}

// text is a query as the database wants it; each is worked out once.
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
	text = numbered(query)
	b.hot.mu.Lock()
	defer b.hot.mu.Unlock()
	if b.hot.texts == nil {
		b.hot.texts = map[string]string{}
	}
	b.hot.texts[query] = text
	return text
}

// numbered turns ? into $1, $2, … as PostgreSQL wants them.
func numbered(query string) string {
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
