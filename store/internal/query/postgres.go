package query

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// These times limit how long a request waits for a server that is down or does not answer.
const (
	connectTime = 4 * time.Second
	grace       = time.Second // lets the server end a statement itself before the connection is closed
)

func (db *DB) openPostgres(o Options) (err error) {
	pool := max(o.Pool, 1)
	if o.StatementTimeout > 0 {
		db.limits = newLimits(o.StatementTimeout+grace/2, pool)
	}
	if db.writer, err = openPostgres(o, pool, &db.limits); err != nil {
		return err
	}
	db.reader = db.writer
	// Migrations use two connections at once.
	db.background, err = openPostgres(Options{URL: o.URL}, max(pool/2, 4), &limits{})
	return err
}

// openPostgres opens one pool.
func openPostgres(o Options, size int, within *limits) (*gorm.DB, error) {
	settings, err := pgx.ParseConfig(o.URL)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	if settings.ConnectTimeout == 0 {
		settings.ConnectTimeout = connectTime
	}
	limitTime(settings, "statement_timeout", o.StatementTimeout)
	limitTime(settings, "lock_timeout", o.LockTimeout)
	if o.StatementTimeout > 0 {
		dial, most := settings.DialFunc, o.StatementTimeout+grace
		settings.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
			conn, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return &timeoutConn{conn, most}, nil
		}
	}
	pool := sql.OpenDB(postgresConnector{stdlib.GetConnector(*settings)})
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: retryPool{pool, within}}), config())
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	db.ClauseBuilders["LIMIT"] = writeLimit
	return db, nil
}

// limitTime sets a time limit on the server, unless the URL sets it.
func limitTime(settings *pgx.ConnConfig, name string, most time.Duration) {
	if _, ok := settings.RuntimeParams[name]; !ok && most > 0 {
		settings.RuntimeParams[name] = strconv.FormatInt(most.Milliseconds(), 10)
	}
}

// timeoutConn is a connection that fails if the server does not answer for too long. A server that hangs does not enforce
// its own limits.
type timeoutConn struct {
	net.Conn
	most time.Duration
}

// Read fails if the server sends nothing within the limit.
func (c *timeoutConn) Read(p []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.most)); err != nil {
		return 0, err
	}
	return c.Conn.Read(p)
}
