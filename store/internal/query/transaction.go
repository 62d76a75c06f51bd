package query

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"gorm.io/gorm"
)

type (
	txKey    struct{}
	hooksKey struct{}
)

// hooks are functions to call at the end of a transaction.
type hooks struct{ committed, undone []func() }

// Tx runs f in one transaction, which the context carries. Inside another transaction it joins that one. If PostgreSQL
// rolls the transaction back because of others, f runs again, a few times. So f must set anew, or undo, whatever it
// changes besides rows.
func (db *DB) Tx(ctx context.Context, f func(ctx context.Context) error) error {
	if _, ok := ctx.Value(txKey{}).(*gorm.DB); ok {
		return f(ctx)
	}
	return retryLostRace(ctx, func() error { return db.attempt(ctx, f) })
}

// attempt makes one attempt at a transaction.
func (db *DB) attempt(ctx context.Context, f func(ctx context.Context) error) error {
	pool, limits := db.pool(ctx, db.writer)
	began := time.Now()
	within, begun, end, err := limits.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	var then hooks
	err = Translate(pool.WithContext(within).Transaction(func(tx *gorm.DB) error {
		waited(ctx, &db.measured.Begins, began)
		if !begun() {
			return context.Cause(within)
		}
		if err := f(context.WithValue(context.WithValue(ctx, txKey{}, tx), hooksKey{}, &then)); err != nil {
			return err
		}
		return context.Cause(ctx) // a request that has ended changes nothing
	}))
	if err != nil && ctx.Err() == nil && within.Err() != nil { // it could not begin in time
		err = &UnavailableError{context.Cause(within)}
	}
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil { // the caller has left: the rollback came before f noticed
		err = context.Cause(ctx)
	}
	if err != nil {
		for _, undo := range slices.Backward(then.undone) {
			undo()
		}
		return err
	}
	for _, do := range then.committed {
		do()
	}
	return nil
}

// OnRollback registers a function that reverts a change besides rows, if the transaction of the context is rolled back.
func OnRollback(ctx context.Context, do func()) {
	if then, ok := ctx.Value(hooksKey{}).(*hooks); ok {
		then.undone = append(then.undone, do)
	}
}

// InTransactionOf returns a copy of ctx in the transaction of tx, for several callers that share a transaction.
func InTransactionOf(ctx, tx context.Context) context.Context {
	for _, key := range []any{txKey{}, hooksKey{}} {
		ctx = context.WithValue(ctx, key, tx.Value(key))
	}
	return ctx
}

// Snapshot runs f on a consistent view of the database, however long f takes. f must only read.
func (db *DB) Snapshot(ctx context.Context, f func(ctx context.Context) error) error {
	pool, _ := db.pool(ctx, db.reader)
	return Translate(pool.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		return f(context.WithValue(ctx, txKey{}, tx))
	}, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}))
}

// AfterCommit calls do once the transaction of the context has been committed, or at once if there is none. Use it to notify
// other parts of this process, which then read the database themselves. Work that must not be lost belongs in the job
// queue.
func AfterCommit(ctx context.Context, do func()) {
	if then, ok := ctx.Value(hooksKey{}).(*hooks); ok {
		then.committed = append(then.committed, do)
		return
	}
	do()
}

// SQLTx returns the transaction of the context, for the job queue.
func SQLTx(ctx context.Context) (*sql.Tx, error) {
	tx, ok := ctx.Value(txKey{}).(*gorm.DB)
	if !ok {
		return nil, errors.New("no transaction in this context")
	}
	switch direct := tx.Statement.ConnPool.(type) {
	case *sqliteTx:
		return direct.Tx, nil
	case *nativeTx:
		return direct.Tx, nil
	}
	return nil, errors.New("the transaction is not a database/sql transaction")
}

// Lock and LockShared are the statements of the methods with these names, for transactions that read or write rows at once
// afterwards.
const (
	Lock       = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))"
	LockShared = "SELECT pg_advisory_xact_lock_shared(hashtextextended(?, 0))"
)

// Lock makes transactions that use the same name wait for each other. On SQLite they do anyway, because there is one
// writer.
func (db *DB) Lock(ctx context.Context, name string) error {
	if !db.postgres {
		return nil
	}
	return Translate(db.Write(ctx).Exec(Lock, name).Error)
}

// LockShared is like Lock, but transactions that call LockShared with the same name do not wait for each other. They
// wait for those that call Lock.
func (db *DB) LockShared(ctx context.Context, name string) error {
	if !db.postgres {
		return nil
	}
	return Translate(db.Write(ctx).Exec(LockShared, name).Error)
}

// Exclusive runs f in a transaction. Transactions with the same name run one after the other, in all processes.
func (db *DB) Exclusive(ctx context.Context, name string, f func(ctx context.Context) error) error {
	return db.Tx(ctx, func(ctx context.Context) error {
		if err := db.Lock(ctx, name); err != nil {
			return err
		}
		return f(ctx)
	})
}
