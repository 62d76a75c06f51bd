package store

import (
	"context"
	"hash/maphash"
	"time"
)

// Requests and background work have pools of their own on PostgreSQL. A request is answered within seconds, with an error if need
// be: its statements, its waits for locks and its waits for a connection are limited. Background work may take longer, and what
// it takes is not missing elsewhere.

type patientKey struct{}

// Patient marks background work: no request waits for it.
func Patient(ctx context.Context) context.Context { return context.WithValue(ctx, patientKey{}, true) }

// Prompt takes the mark of background work away.
func Prompt(ctx context.Context) context.Context { return context.WithValue(ctx, patientKey{}, false) }

func isPatient(ctx context.Context) bool {
	patient, _ := ctx.Value(patientKey{}).(bool)
	return patient
}

// limits bound what a request may take of the database. The zero value bounds nothing.
type limits struct {
	time         time.Duration // for a statement, with the wait for a connection; and for the begin of a transaction
	transactions chan struct{} // transactions at once, so that those that wait for locks leave connections to readers
	statements   []chan struct{}
	seed         maphash.Seed
}

// sameStatements is the number of groups that statements fall into. The statements of one group have a part of the pool, so that
// a table that is locked stops those who read it, and nobody else.
const sameStatements = 1024

// newLimits shares a pool out: three eighths of it to transactions, a quarter to statements of the same text.
func newLimits(most time.Duration, pool int) limits {
	if most <= 0 {
		return limits{}
	}
	l := limits{time: most, transactions: make(chan struct{}, max(pool*3/8, 1)), statements: make([]chan struct{}, sameStatements), seed: maphash.MakeSeed()}
	for i := range l.statements {
		l.statements[i] = make(chan struct{}, max(pool/4, 1))
	}
	return l
}

// enter waits until a statement may take a connection; leave ends that. The context ends when the statement must.
func (l *limits) enter(ctx context.Context, query string) (in context.Context, leave func(), err error) {
	if l.time == 0 {
		return ctx, func() {}, nil
	}
	in, cancel := context.WithTimeout(ctx, l.time)
	group := l.statements[maphash.String(l.seed, query)%sameStatements]
	if err := take1(in, group); err != nil {
		cancel()
		return nil, nil, err
	}
	return in, func() { <-group; cancel() }, nil
}

// enterRows is enter for a statement whose rows are read after leave.
func (l *limits) enterRows(ctx context.Context, query string) (in context.Context, leave func(), err error) {
	if l.time == 0 {
		return ctx, func() {}, nil
	}
	in, cancel := context.WithTimeout(ctx, l.time)
	context.AfterFunc(in, cancel) // the rows end with the time
	group := l.statements[maphash.String(l.seed, query)%sameStatements]
	if err := take1(in, group); err != nil {
		cancel()
		return nil, nil, err
	}
	return in, func() { <-group }, nil
}

// begin waits until a transaction may begin. The transaction lives in the returned context, which ends in time unless begun is
// called first; end must be called after it.
func (l *limits) begin(ctx context.Context) (in context.Context, begun func() bool, end func(), err error) {
	if l.time == 0 {
		return ctx, func() bool { return true }, func() {}, nil
	}
	in, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(l.time, func() { cancel(context.DeadlineExceeded) })
	if err := take1(in, l.transactions); err != nil {
		timer.Stop()
		cancel(nil)
		return nil, nil, nil, err
	}
	return in, timer.Stop, func() { timer.Stop(); cancel(nil); <-l.transactions }, nil
}

// take1 takes one of some places, and waits for it until the context ends.
func take1(ctx context.Context, places chan struct{}) error {
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
