package query

import (
	"context"
	"hash/maphash"
	"time"
)

// On PostgreSQL, requests and background work have separate pools. A request must be answered within seconds, if need
// be with an error, so its statements, its waits for locks and its waits for a connection are limited. Background work
// may take longer, and it takes no connections from requests.

type backgroundKey struct{}

// Background marks the context as background work, which no request waits for.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

// Foreground removes the mark that Background sets.
func Foreground(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, false)
}

func isBackground(ctx context.Context) bool {
	patient, _ := ctx.Value(backgroundKey{}).(bool)
	return patient
}

// limits restricts how much of the database requests may use. The zero value restricts nothing.
type limits struct {
	time time.Duration // for a statement, including the wait for a connection; also for the start of a transaction
	// limits concurrent transactions, so that transactions that wait for locks leave connections for readers
	transactions chan struct{}
	statements   []chan struct{}
	seed         maphash.Seed
}

// sameStatements is the number of groups into which statements are hashed. Each group may use only a part of the pool.
// So a locked table blocks only the requests that read it.
const sameStatements = 1024

// newLimits divides a pool: three eighths for transactions, a quarter for statements with the same text.
func newLimits(most time.Duration, pool int) limits {
	if most <= 0 {
		return limits{}
	}
	l := limits{
		time: most, transactions: make(chan struct{}, max(pool*3/8, 1)),
		statements: make([]chan struct{}, sameStatements), seed: maphash.MakeSeed(),
	}
	for i := range l.statements {
		l.statements[i] = make(chan struct{}, max(pool/4, 1))
	}
	return l
}

// enter waits until a statement may use a connection. The caller calls leave when the statement is done. The returned
// context ends when the statement must end.
func (l *limits) enter(ctx context.Context, query string) (in context.Context, leave func(), err error) {
	if l.time == 0 {
		return ctx, func() {}, nil
	}
	in, cancel := context.WithTimeout(ctx, l.time)
	group := l.statements[maphash.String(l.seed, query)%sameStatements]
	if err := acquire(in, group); err != nil {
		cancel()
		return nil, nil, err
	}
	return in, func() { <-group; cancel() }, nil
}

// enterRows is like enter, for a statement whose rows are read after leave.
func (l *limits) enterRows(ctx context.Context, query string) (in context.Context, leave func(), err error) {
	if l.time == 0 {
		return ctx, func() {}, nil
	}
	in, cancel := context.WithTimeout(ctx, l.time)
	context.AfterFunc(in, cancel) // the rows end when the time is over
	group := l.statements[maphash.String(l.seed, query)%sameStatements]
	if err := acquire(in, group); err != nil {
		cancel()
		return nil, nil, err
	}
	return in, func() { <-group }, nil
}

// begin waits until a transaction may begin. The transaction must use the returned context. That context ends after the
// limit, unless begun is called first. The caller must call end after the transaction.
func (l *limits) begin(ctx context.Context) (in context.Context, begun func() bool, end func(), err error) {
	if l.time == 0 {
		return ctx, func() bool { return true }, func() {}, nil
	}
	in, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(l.time, func() { cancel(context.DeadlineExceeded) })
	if err := acquire(in, l.transactions); err != nil {
		timer.Stop()
		cancel(nil)
		return nil, nil, nil, err
	}
	return in, timer.Stop, func() { timer.Stop(); cancel(nil); <-l.transactions }, nil
}

// acquire takes one free place in places. It waits until there is one, or until the context ends.
func acquire(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	default:
	}
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return &UnavailableError{context.Cause(ctx)}
	}
}
