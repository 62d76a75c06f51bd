package query

import (
	"context"
	"errors"
	"time"

	"svc/store/observe"

	"gorm.io/gorm"
)

// Measured holds the times of everything that the database was asked for since the start. The statements of the job queue
// are not among them, because the queue sends them itself.
type Measured struct {
	Statements  observe.Times // from asking for a statement to reading its last row
	Connections observe.Times // waits for a connection; only on PostgreSQL, outside transactions
	Begins      observe.Times // from asking for a transaction to its begin, including the wait for a connection
}

// Measured returns the times of statements and waits.
func (db *DB) Measured() *Measured { return &db.measured }

// ended counts a statement that has ended.
func (db *DB) ended(ctx context.Context, began time.Time) {
	took := time.Since(began)
	db.statements.Add(1)
	db.measured.Statements.Observe(took)
	observe.Of(ctx).Statement(took)
}

// waited counts a wait.
func waited(ctx context.Context, times *observe.Times, began time.Time) {
	took := time.Since(began)
	times.Observe(took)
	observe.Of(ctx).Wait(took)
}

// measureStatements makes GORM count and time its statements.
func (db *DB) measureStatements() error {
	all := []*gorm.DB{db.reader, db.writer}
	if db.reader == db.writer {
		all[0] = db.background
	}
	for _, pool := range all {
		cb := pool.Callback()
		err := errors.Join(
			cb.Query().Replace("gorm:query", db.timed(db.readRows)),
			cb.Create().Replace("gorm:create", db.timed(cb.Create().Get("gorm:create"))),
			cb.Update().Replace("gorm:update", db.timed(cb.Update().Get("gorm:update"))),
			cb.Delete().Replace("gorm:delete", db.timed(cb.Delete().Get("gorm:delete"))),
			cb.Row().Replace("gorm:row", db.timed(cb.Row().Get("gorm:row"))),
			cb.Raw().Replace("gorm:raw", db.timed(cb.Raw().Get("gorm:raw"))),
		)
		if err != nil {
			return err
		}
	}
	return nil
}

// timed returns a step of GORM that counts and times the step that sends the statement. A subquery only builds text.
func (db *DB) timed(send func(*gorm.DB)) func(*gorm.DB) {
	return func(tx *gorm.DB) {
		if tx.DryRun {
			send(tx)
			return
		}
		began := time.Now()
		send(tx)
		db.ended(tx.Statement.Context, began)
	}
}
