package query

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

// UnavailableError means that the database is down, too slow or too busy. The same request may succeed a moment later.
type UnavailableError struct{ Cause error }

func (e *UnavailableError) Error() string { return "the database is not available: " + e.Cause.Error() }

// Unwrap returns the cause.
func (e *UnavailableError) Unwrap() error { return e.Cause }

// unavailableCodes are the PostgreSQL errors that do not depend on the statement: timeouts, a shutdown, a standby.
var unavailableCodes = map[string]bool{
	"25006": true,                // the server is read-only, after a failover
	"40001": true, "40P01": true, // lost races, repeatedly
	"55P03": true,                                              // lock timeout
	"57014": true,                                              // statement timeout
	"57P01": true, "57P02": true, "57P03": true, "57P05": true, // the server stops or starts
}

// diskFull is the PostgreSQL error code for a full disk.
const diskFull = "53100"

// unavailableTexts are the messages of drivers that have no error codes. SQLite reports an I/O error if a quota is used
// up or a disk fails.
var unavailableTexts = []string{"conn closed", "database is locked", "disk I/O error"}

// IsUnavailable reports whether the database itself failed. It is false if the caller cancelled the request.
func IsUnavailable(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	var known *UnavailableError
	if errors.As(err, &known) {
		return false // already marked
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		// Class 08 means connection errors, class 53 a lack of resources on the server. A full disk has its own
		// response.
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

// markUnavailable wraps the error in an *UnavailableError if the database itself failed.
func markUnavailable(err error) error {
	if err != nil && IsUnavailable(err) {
		return &UnavailableError{err}
	}
	return err
}
