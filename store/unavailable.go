package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// UnavailableError is a database that is away, too slow or too busy: the same may succeed in a moment.
type UnavailableError struct{ Cause error }

func (e *UnavailableError) Error() string { return "the database is not available: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Cause }

// unavailableCodes are the errors of PostgreSQL that say nothing about the statement: limits of time, a shutdown, a standby.
var unavailableCodes = map[string]bool{
	"25006": true,                // a server that only reads, after a failover
	"40001": true, "40P01": true, // lost races, again and again
	"55P03": true,                                              // the time for a lock
	"57014": true,                                              // the time for a statement
	"57P01": true, "57P02": true, "57P03": true, "57P05": true, // it stops or starts
}

// diskFull is the error of PostgreSQL for a disk without space.
const diskFull = "53100"

// unavailableTexts are how drivers that have no codes say so. SQLite calls it an I/O error when a quota is used up or a disk fails.
var unavailableTexts = []string{"conn closed", "database is locked", "disk I/O error"}

// isUnavailable is true for failures of the database as such. What the caller itself broke off is none.
func isUnavailable(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	var known *UnavailableError
	if errors.As(err, &known) {
		return false // said already
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		// Class 08 is the connection, class 53 what the server has too little of; a full disk has an answer of its own.
		return unavailableCodes[pg.Code] || strings.HasPrefix(pg.Code, "08") || (strings.HasPrefix(pg.Code, "53") && pg.Code != diskFull)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	text := err.Error()
	return slices.ContainsFunc(unavailableTexts, func(part string) bool { return strings.Contains(text, part) })
}

// available marks a failure of the database as such.
func available(err error) error {
	if err != nil && isUnavailable(err) {
		return &UnavailableError{err}
	}
	return err
}
