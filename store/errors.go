package store

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

// NotFoundError is a row that is not there.
type NotFoundError struct{ Resource string }

func (e *NotFoundError) Error() string { return e.Resource + " not found" }

// ConflictError is a row that breaks a unique index, named by the index.
type ConflictError struct{ Constraint string }

func (e *ConflictError) Error() string { return "conflict on " + e.Constraint }

// ChangedError is a row that was changed since the caller saw it.
type ChangedError struct{ Resource string }

func (e *ChangedError) Error() string { return e.Resource + " was changed" }

// GoneError is a row that could not be written because a row that it refers to is not there any more.
type GoneError struct{ cause error }

func (e *GoneError) Error() string { return "what it belongs to is gone: " + e.cause.Error() }

func (e *GoneError) Unwrap() error { return e.cause }

// IsGone is true if a write failed because what it belongs to, such as a user, was deleted meanwhile.
func IsGone(err error) bool { return refersToNothing(err) }

// IsNotFound tells whether the failure is a row that is not there.
func IsNotFound(err error) bool {
	var missing *NotFoundError
	return errors.As(err, &missing)
}

var sqliteUnique = regexp.MustCompile(`UNIQUE constraint failed: (?:index '([^']+)'|([^ ,]+))`)

// translate turns the drivers' errors into ours; resource names what was looked for.
func translate(err error, resource ...string) error {
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
	if refersToNothing(err) {
		var gone *GoneError
		if errors.As(err, &gone) {
			return err
		}
		return &GoneError{err}
	}
	if m := sqliteUnique.FindStringSubmatch(err.Error()); m != nil {
		// An index on a plain column is named by the column: users.email is our index users_email.
		return &ConflictError{Constraint: m[1] + strings.Replace(m[2], ".", "_", 1)}
	}
	return available(err)
}

// refersToNothing tells whether a row could not be added because one that it names is not there.
func refersToNothing(err error) bool {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg.Code == "23503" && !strings.HasPrefix(pg.Message, "update or delete") // which would be a row that others refer to
	}
	return err != nil && strings.Contains(err.Error(), "FOREIGN KEY constraint failed")
}

// silent keeps GORM from logging: errors are returned, and the request log says the rest.
type silent struct{}

func (s silent) LogMode(logger.LogLevel) logger.Interface                      { return s }
func (silent) Info(context.Context, string, ...any)                            {}
func (silent) Warn(context.Context, string, ...any)                            {}
func (silent) Error(context.Context, string, ...any)                           {}
func (silent) Trace(context.Context, time.Time, func() (string, int64), error) {}
