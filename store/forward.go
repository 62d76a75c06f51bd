package store

import (
	"context"
	"database/sql"
	"time"

	"svc/store/internal/query"
)

// Options selects the database and sets its limits.
type Options = query.Options

// These types select and describe parts of lists.
type (
	Page   = query.Page   // selects a part of an ordered list
	Total  = query.Total  // the number of rows of a list
	Keyset = query.Keyset // selects the rows after a given row
	Key    = query.Key    // identifies a row by the columns that order it
)

// CountCap is the number of rows above which lists give no total. A client with that many pages follows links.
const CountCap = query.CountCap

// These errors are returned by queries of all tables.
type (
	NotFoundError    = query.NotFoundError    // a row does not exist
	ConflictError    = query.ConflictError    // a row violates a unique index
	ChangedError     = query.ChangedError     // a row was changed since the caller read it
	GoneError        = query.GoneError        // a row that the written row refers to no longer exists
	UnavailableError = query.UnavailableError // the database is down, too slow or too busy
)

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
