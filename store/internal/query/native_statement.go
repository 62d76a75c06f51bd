package query

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// nativeStatements holds the statements that a connection has compiled, and buffers for the values of the statement
// that it runs. A connection runs one statement at a time.
type nativeStatements struct {
	compiles bool // false if the URL asks for another mode
	byText   map[string]*nativeStatement
	made     int
	uses     int
	types    *pgtype.Map
	values   [][]byte
	formats  []int16
	buffer   []byte
}

type nativeStatement struct {
	*pgconn.StatementDescription
	names   []string
	results []int16 // the format of each column
	used    int     // the value of nativeStatements.uses when it was last used
}

const (
	nativeKey      = "svc hot statements" // the key in the connection's custom data
	nativeRoom     = 16 << 10             // the largest buffer that a connection keeps
	maxNativeTexts = 512                  // how many statements a connection keeps compiled
)

func statementsOf(c *pgx.Conn) *nativeStatements {
	data := c.PgConn().CustomData()
	if s, ok := data[nativeKey].(*nativeStatements); ok {
		return s
	}
	s := &nativeStatements{
		compiles: c.Config().DefaultQueryExecMode == pgx.QueryExecModeCacheStatement,
		byText:   map[string]*nativeStatement{}, types: c.TypeMap(),
	}
	data[nativeKey] = s
	return s
}

func (n *nativeStatements) statement(ctx context.Context, c *pgx.Conn, query string) (*nativeStatement, error) {
	n.uses++
	if s := n.byText[query]; s != nil {
		s.used = n.uses
		return s, nil
	}
	if err := n.makeRoom(ctx, c); err != nil {
		return nil, err
	}
	n.made++ // a name is never used twice, because the old statement may still exist
	described, err := c.PgConn().Prepare(ctx, "svc_"+strconv.Itoa(n.made), NumberPlaceholders(query), nil)
	if err != nil {
		return nil, err
	}
	s := &nativeStatement{
		StatementDescription: described, names: columnNames(described.Fields), results: make([]int16, len(described.Fields)), used: n.uses,
	}
	for i, field := range described.Fields {
		s.results[i] = n.types.FormatCodeForOID(field.DataTypeOID)
		if field.DataTypeOID == pgtype.TextOID || field.DataTypeOID == pgtype.VarcharOID {
			s.results[i] = pgtype.BinaryFormatCode // the same bytes, and a format that Scan decodes
		}
	}
	n.byText[query] = s
	return s, nil
}

func columnNames(fields []pgconn.FieldDescription) []string {
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.Name
	}
	return names
}

// makeRoom removes the statement that was not used for the longest time, if the connection keeps too many.
func (n *nativeStatements) makeRoom(ctx context.Context, c *pgx.Conn) error {
	if len(n.byText) < maxNativeTexts {
		return nil
	}
	oldest, used := "", n.uses
	for text, s := range n.byText {
		if s.used < used {
			oldest, used = text, s.used
		}
	}
	name := n.byText[oldest].Name
	delete(n.byText, oldest)
	return c.PgConn().Deallocate(ctx, name)
}

// forget removes a statement that has failed, if the cause may be the statement itself.
func (n *nativeStatements) forget(ctx context.Context, c *pgx.Conn, query string, err error) {
	s := n.byText[query]
	if s == nil || !isStale(err) {
		return
	}
	delete(n.byText, query)
	_ = c.PgConn().Deallocate(ctx, s.Name) // it may be gone already
}

// isStale reports whether a compiled statement no longer fits the tables, or is gone.
func isStale(err error) bool {
	var e *pgconn.PgError
	const changedResult, noSuchStatement = "0A000", "26000"
	return errors.As(err, &e) && (e.Code == changedResult || e.Code == noSuchStatement)
}
