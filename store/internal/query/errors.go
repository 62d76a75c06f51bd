package query

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// NotFoundError says that a row does not exist.
type NotFoundError struct{ Resource string }

func (e *NotFoundError) Error() string { return e.Resource + " not found" }

// ConflictError says that a row violates a unique index, and names the index.
type ConflictError struct{ Constraint string }

func (e *ConflictError) Error() string { return "conflict on " + e.Constraint }

// ChangedError says that a row was changed since the caller read it.
type ChangedError struct{ Resource string }

func (e *ChangedError) Error() string { return e.Resource + " was changed" }

// GoneError says that a row could not be written because a row that it refers to no longer exists.
type GoneError struct{ cause error }

func (e *GoneError) Error() string { return "the parent row does not exist: " + e.cause.Error() }

func (e *GoneError) Unwrap() error { return e.cause }

// IsGone reports whether a write failed because a row that it refers to, such as a user, was deleted in the meantime.
func IsGone(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23503" && !strings.HasPrefix(pg.Message, "update or delete") // a row that others refer to
	}
	return err != nil && strings.Contains(err.Error(), "FOREIGN KEY constraint failed")
}

// IsNotFound reports whether err is a *NotFoundError.
func IsNotFound(err error) bool {
	var missing *NotFoundError
	return errors.As(err, &missing)
}

var sqliteUnique = regexp.MustCompile(`UNIQUE constraint failed: (?:index '([^']+)'|([^ ,]+))`)

// Translate turns the errors of the drivers into ours. resource names the missing row in a *NotFoundError.
func Translate(err error, resource ...string) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, gorm.ErrRecordNotFound) || errors.Is(err, sql.ErrNoRows) {
		return &NotFoundError{Resource: strings.Join(resource, " ")}
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == "23505" {
		return &ConflictError{Constraint: pg.ConstraintName}
	}
	if IsGone(err) {
		var gone *GoneError
		if errors.As(err, &gone) {
			return err
		}
		return &GoneError{err}
	}
	if m := sqliteUnique.FindStringSubmatch(err.Error()); m != nil {
		// SQLite names an index on a plain column by the column: users.email is our index users_email.
		return &ConflictError{Constraint: m[1] + strings.Replace(m[2], ".", "_", 1)}
	}
	return markUnavailable(err)
}

// silent keeps GORM from logging. Errors are returned to the caller, and the request log has the rest.
type silent struct{}

func (s silent) LogMode(logger.LogLevel) logger.Interface                      { return s }
func (silent) Info(context.Context, string, ...any)                            {}
func (silent) Warn(context.Context, string, ...any)                            {}
func (silent) Error(context.Context, string, ...any)                           {}
func (silent) Trace(context.Context, time.Time, func() (string, int64), error) {}
