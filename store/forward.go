package store

import (
	"context"
	"database/sql"
	"time"

	"svc/store/internal/query"
)

// Options selects the database and sets its limits.
type Options = query.Options

// Page selects a part of an ordered list.
type Page = query.Page

// Total is the number of rows of a list.
type Total = query.Total

// Keyset selects the rows after a given row.
type Keyset = query.Keyset

// Key identifies a row by the columns that order it.
type Key = query.Key

// CountCap is the number of rows above which lists give no total. A client with that many pages follows links.
const CountCap = query.CountCap

// NotFoundError says that a row does not exist.
type NotFoundError = query.NotFoundError

// ConflictError says that a row violates a unique index, and names the index.
type ConflictError = query.ConflictError

// ChangedError says that a row was changed since the caller read it.
type ChangedError = query.ChangedError

// GoneError says that a row could not be written because a row that it refers to no longer exists.
type GoneError = query.GoneError

// UnavailableError means that the database is down, too slow or too busy.
type UnavailableError = query.UnavailableError

// IsNotFound reports whether err is a *NotFoundError.
func IsNotFound(err error) bool { return query.IsNotFound(err) }

// IsGone reports whether a write failed because a row that it refers to, such as a user, was deleted in the meantime.
func IsGone(err error) bool { return query.IsGone(err) }

// ChangedAfter reports whether a row with the given change time was changed after the time in the condition of a
// delete. Without a condition it returns false.
func ChangedAfter(changed time.Time, since *time.Time) bool {
	return query.ChangedAfter(changed, since)
}

// Background marks the context as background work, which no request waits for.
func Background(ctx context.Context) context.Context { return query.Background(ctx) }

// Foreground removes the mark that Background sets.
func Foreground(ctx context.Context) context.Context { return query.Foreground(ctx) }

// AfterCommit calls do once the transaction of the context has been committed, or at once if there is none. Use it to
// notify other parts of this process, which then read the database themselves. Work that must not be lost belongs in
// the job queue.
func AfterCommit(ctx context.Context, do func()) { query.AfterCommit(ctx, do) }

// InTransactionOf returns a copy of ctx in the transaction of tx, for several callers that share a transaction.
func InTransactionOf(ctx, tx context.Context) context.Context { return query.InTransactionOf(ctx, tx) }

// SQLTx returns the transaction of the context, for the job queue.
func SQLTx(ctx context.Context) (*sql.Tx, error) { return query.SQLTx(ctx) }
