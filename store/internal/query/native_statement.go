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
	types    *pgtype.Map
	values   [][]byte
	formats  []int16
	buffer   []byte
}

type nativeStatement struct {
	*pgconn.StatementDescription
	results []int16 // the format of each column
}

const (
	nativeKey  = "svc hot statements" // the key in the connection's custom data
	nativeRoom = 16 << 10             // the largest buffer that a connection keeps
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
	if s := n.byText[query]; s != nil {
		return s, nil
	}
	n.made++ // a name is never used twice, because the old statement may still exist
	described, err := c.PgConn().Prepare(ctx, "svc_"+strconv.Itoa(n.made), NumberPlaceholders(query), nil)
	if err != nil {
		return nil, err
	}
	s := &nativeStatement{StatementDescription: described, results: make([]int16, len(described.Fields))}
	for i, field := range described.Fields {
		s.results[i] = n.types.FormatCodeForOID(field.DataTypeOID)
		if field.DataTypeOID == pgtype.TextOID || field.DataTypeOID == pgtype.VarcharOID {
			s.results[i] = pgtype.BinaryFormatCode // the same bytes, and a format that Scan decodes
		}
	}
	n.byText[query] = s
	return s, nil
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
