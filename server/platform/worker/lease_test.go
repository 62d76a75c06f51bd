package worker

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"svc/store"
	"svc/store/storetest"
	"svc/tests/wait"
)

// fastLeaseTimes is a fast pace, so that tests need not wait.
var fastLeaseTimes = leaseTimes{
	beat:        20 * time.Millisecond,
	stop:        10 * time.Second,
	lease:       time.Minute,
	settleAfter: 300 * time.Millisecond,
}

// leave queues a job and marks it as begun, but not ended, by a process. This is one transaction, so that no worker takes
// the job in between.
func leave(t testing.TB, st *store.Store, w *Worker, text, process string, attempt int) {
	t.Helper()
	query := `UPDATE river_job SET state = 'running', attempt = $1, attempted_by = ARRAY['older', $2], attempted_at ` +
		`= now() - interval '1 minute' WHERE state = 'available'`
	if !st.Postgres() {
		query = `UPDATE river_job SET state = 'running', attempt = $1, attempted_by = json_array('older', $2), ` +
			`attempted_at = strftime('%Y-%m-%d %H:%M:%f', 'now', '-60 seconds') WHERE state = 'available'`
	}
	err := st.Tx(t.Context(), func(ctx context.Context) error {
		if err := w.Enqueue(ctx, note{text}); err != nil {
			return err
		}
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, query, attempt, process)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// noting returns a worker whose jobs log their texts.
func noting(t testing.TB, st *store.Store, done *log) *Worker {
	t.Helper()
	jobs := NewJobs()
	Handle(jobs, func(_ context.Context, n note) error { done.add(n.Text); return nil })
	w := newWorker(t, st, jobs)
	w.lease.leaseTimes = fastLeaseTimes
	return w
}

func TestTheJobsOfADeadProcessAreTakenUp(t *testing.T) {
	t.Parallel()
	st, done := storetest.New(t), &log{}
	w := noting(t, st, done)
	leave(t, st, w, "begun", "dead", 1)
	leave(t, st, w, "begun too often", "dead", 25)
	start(t, w)
	wait.Until(t, "it is done", func() bool {
		return one(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed' AND attempt = 2") == 1
	})
	if !done.has("begun") || done.has("begun too often") || one(t, st, "SELECT count(*) FROM river_job WHERE state = 'discarded'") != 1 {
		t.Errorf("ran: %v", done.texts)
	}
}

// Only PostgreSQL serves several processes.
func TestTheJobsOfALivingProcessAreLeftAloneUntilItDies(t *testing.T) {
	t.Parallel()
	st, done := storetest.New(t), &log{}
	w := noting(t, st, done)
	if !st.Postgres() {
		w.lease.single = false
		if err := w.lease.begin(t.Context()); err != nil || one(t, st, "SELECT count(*) FROM queue_processes") != 1 {
			t.Error(err)
		}
		return
	}
	if err := st.QueueHeartbeat(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	leave(t, st, w, "of the other", "other", 1)
	start(t, w)
	leave(t, st, w, "of the dead", "dead", 1)
	wait.Until(t, "the dead one's is done", func() bool { return done.has("of the dead") })
	if done.has("of the other") {
		t.Fatal("a job of a living process was taken up")
	}
	if err := st.QueueLeave(t.Context(), "other"); err != nil {
		t.Fatal(err)
	}
	wait.Until(t, "the other's is done", func() bool { return done.has("of the other") })
}

// The database was unreachable when the jobs ended, so the queue counts them as running.
func TestJobsWhoseEndWasNotNotedAreSettled(t *testing.T) {
	t.Parallel()
	st, done := storetest.New(t), &log{}
	w := noting(t, st, done)
	start(t, w)
	leave(t, st, w, "never began", w.lease.process, 1)
	id := one(t, st, "SELECT max(id) FROM river_job") // it may run already
	wait.Until(t, "what never began is done", func() bool { return done.has("never began") })
	wait.Until(t, "its end is noted", func() bool { return one(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed'") == 1 })

	release := make(chan struct{})
	began := make(chan struct{})
	go w.lease.jobs.run(t.Context(), id+1, false, func(context.Context) error { //nolint:errcheck // it has none
		close(began)
		<-release
		return nil
	})
	<-began
	leave(t, st, w, "done before", w.lease.process, 1)
	wait.Until(t, "it is looked at while it runs", func() bool {
		running, err := st.QueueRunning(t.Context(), w.lease.process, 0)
		return err == nil && len(running) == 1 && running[0] == id+1
	})
	close(release)
	wait.Until(t, "its end is noted", func() bool { return one(t, st, "SELECT count(*) FROM river_job WHERE state = 'completed'") == 2 })
	if done.has("done before") {
		t.Error("what was done ran again")
	}
}

// away is a database that cannot be reached.
type away struct{ processes }

func (away) QueueHeartbeat(context.Context, string) error { return errors.New("it is away") }

func TestAProcessThatCannotRenewItsLeaseBreaksItsJobsOff(t *testing.T) {
	t.Parallel()
	l := &lease{
		leaseTimes: fastLeaseTimes, process: "this", queue: away{}, jobs: newLedger(),
		logger: slog.New(slog.NewTextHandler(io.Discard, nil)), renewed: time.Now(),
	}
	var cause atomic.Value
	began, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		l.jobs.run(t.Context(), 1, false, func(ctx context.Context) error { //nolint:errcheck // looked at as the cause
			close(began)
			<-ctx.Done()
			cause.Store(context.Cause(ctx))
			return ctx.Err()
		})
	}()
	<-began
	if err := l.renew(t.Context()); err == nil || len(l.jobs.active) != 1 {
		t.Fatal("the first failure breaks jobs off", err)
	}
	l.renewed = time.Now().Add(-fastLeaseTimes.stop - time.Second)
	if err := l.renew(t.Context()); err == nil {
		t.Fatal("renewed")
	}
	<-ended
	if err, _ := cause.Load().(error); !errors.Is(err, errLeaseLost) {
		t.Error(err)
	}
}

func TestTheUsualPaceLeavesNoTimeInWhichTwoProcessesRunAJob(t *testing.T) {
	t.Parallel()
	p := defaultLeaseTimes
	if worst := p.stop + p.beat; worst >= p.lease { // the last check may be just before the limit, and its answer a beat late
		t.Errorf("jobs may go on for %s, others begin after %s", worst, p.lease)
	}
	if p.lease+2*p.beat > time.Minute {
		t.Error("taken up too late")
	}
}
