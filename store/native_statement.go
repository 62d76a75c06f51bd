package store

import (
	"context"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"
)

// nativeStatements are the hot statements that a connection has compiled, and room for the values of the one that it
// runs: a connection runs one at a time.
type nativeStatements struct {
	compiles bool // unless the URL asks for another mode
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
	nativeKey  = "svc hot statements" // in the connection's own data
	nativeRoom = 16 << 10             // bytes of values that a connection keeps room for
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
	n.made++ // a name is never used twice: the one before may still be there
	described, err := c.PgConn().Prepare(ctx, "svc_"+strconv.Itoa(n.made), numbered(query), nil)
	if err != nil {
		return nil, err
	}
	s := &nativeStatement{StatementDescription: described, results: make([]int16, len(described.Fields))}
	for i, field := range described.Fields {
		s.results[i] = n.types.FormatCodeForOID(field.DataTypeOID)
		if field.DataTypeOID == pgtype.TextOID || field.DataTypeOID == pgtype.VarcharOID {
			s.results[i] = pgtype.BinaryFormatCode // the same bytes, and what Scan knows
		}
	}
	n.byText[query] = s
	return s, nil
}

// forget drops a statement that has failed, if the fault may be its own.
func (n *nativeStatements) forget(ctx context.Context, c *pgx.Conn, query string, err error) {
	s := n.byText[query]
	if s == nil || !isStale(err) {
		return
	}
	delete(n.byText, query)
	_ = c.PgConn().Deallocate(ctx, s.Name) // if it is gone already, all the better
}

// isStale tells whether a compiled statement does not fit the tables any more, or is gone.
func isStale(err error) bool {
	var e *pgconn.PgError
	const changedResult, noSuchStatement = "0A000", "26000"
	return errors.As(err, &e) && (e.Code == changedResult || e.Code == noSuchStatement)
}
