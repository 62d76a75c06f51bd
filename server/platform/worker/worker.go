// Package worker runs background jobs: it queues and retries them. Other packages define what the jobs do.
//
//	worker.go   kinds of jobs, start and stop
//	enqueue.go  adding jobs to the queue
//	lanes.go    the queues, their priorities and workers
//	lease.go    jobs of dead processes start again
//	ledger.go   the jobs that this process is running
//	log.go      the log of the queue
//	metrics.go  metrics of the queue
//	numbers.go  numbers of jobs and processes, for administrators
//	measure.go  times and traces of jobs
//	clock.go    the queue after the clock of the service was moved
//	settle.go   for tests: run everything that waits
package worker

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"svc/store"
	"svc/store/clock"
	"svc/store/observe"

	"github.com/riverqueue/river"
)

const (
	// cooldown is the shortest time between two polls of a queue. Together with the workers of the queue it limits the
	// number of jobs per second, however small they are.
	cooldown   = 10 * time.Millisecond
	jobTimeout = 10 * time.Minute
)

// Payload holds the input of a job. Kind names the job in the queue, so it must never change.
type Payload interface{ Kind() string }

// Jobs holds the kinds of jobs that a worker runs.
type Jobs struct {
	workers  *river.Workers
	periodic []*river.PeriodicJob
	ledger   *runningJobs
	lanes    map[string]Queue                                            // by kind
	runs     map[string]func(ctx context.Context, payload Payload) error // by kind
	repeated []Payload                                                   // the payloads of periodic jobs
	measured map[string]*measured                                        // by kind
	// Tracer traces the jobs; nil if they are not traced. Set it before the worker starts.
	Tracer *observe.Tracer
	// NoJobsAtStart leaves periodic jobs to their next time, instead of running them at the start. Set it before Every.
	NoJobsAtStart bool
}

// NewJobs returns an empty set of jobs.
func NewJobs() *Jobs {
	j := &Jobs{
		workers: river.NewWorkers(), ledger: newLedger(), lanes: map[string]Queue{},
		runs: map[string]func(context.Context, Payload) error{}, measured: map[string]*measured{},
	}
	Handle(j, func(context.Context, wakeJob) error { return nil })
	return j
}

// Handle sets the function that runs jobs of one kind. A job may run twice, so the function must be safe to repeat. The
// default lane is People.
func Handle[P Payload](j *Jobs, run func(ctx context.Context, payload P) error, lane ...Queue) {
	var payload P
	in := Interactive
	if len(lane) > 0 {
		in = lane[0]
	}
	j.lanes[payload.Kind()] = in
	j.runs[payload.Kind()] = func(ctx context.Context, payload Payload) error {
		given, ok := payload.(P)
		if !ok {
			return fmt.Errorf("%T is not the payload of %s", payload, payload.Kind())
		}
		return run(ctx, given)
	}
	j.measured[payload.Kind()] = &measured{}
	river.AddWorker(j.workers, &adapter[P]{run: run, jobs: j, outgoing: in.outgoing, timeout: in.timeout})
}

// options returns the queue and the priority of a job.
func (j *Jobs) options(payload Payload) river.InsertOpts {
	lane, ok := j.lanes[payload.Kind()]
	if !ok {
		lane = Interactive
	}
	return river.InsertOpts{Queue: lane.queue, Priority: lane.priority}
}

// Every queues a job at every interval, once for all processes, and at the start.
func Every(j *Jobs, interval time.Duration, payload Payload) {
	j.repeated = append(j.repeated, payload)
	j.periodic = append(j.periodic, river.NewPeriodicJob(
		river.PeriodicInterval(interval),
		func() (river.JobArgs, *river.InsertOpts) {
			// One waiting job of the kind is enough, whichever process queues it.
			options := j.options(payload)
			options.UniqueOpts = river.UniqueOpts{ByPeriod: interval}
			return payload, &options
		},
		&river.PeriodicJobOpts{RunOnStart: !j.NoJobsAtStart},
	))
}

type adapter[P Payload] struct {
	river.WorkerDefaults[P]
	run      func(ctx context.Context, payload P) error
	jobs     *Jobs
	outgoing bool
	timeout  time.Duration
}

// Timeout returns how long a job may run; 0 for the usual time.
func (a *adapter[P]) Timeout(*river.Job[P]) time.Duration { return a.timeout }

// Work runs a job.
func (a *adapter[P]) Work(ctx context.Context, job *river.Job[P]) error {
	return a.jobs.measure(ctx, job.JobRow, func(ctx context.Context) error {
		return a.jobs.ledger.run(store.Background(ctx), job.ID, a.outgoing, func(ctx context.Context) error { return a.run(ctx, job.Args) })
	})
}

// Worker runs the jobs of the queue.
type Worker struct {
	store       *store.Store
	client      *river.Client[*sql.Tx]
	jobs        *Jobs
	lease       *lease
	running     atomic.Bool
	leaving     atomic.Bool
	stopRenewal context.CancelFunc // ends the renewals of the lease
	renewal     sync.WaitGroup
	started     time.Time // when the process was prepared
}

// New prepares the queue; Start begins to run jobs.
func New(st *store.Store, logger *slog.Logger, jobs *Jobs) (*Worker, error) {
	process := processID()
	quietly := slog.New(warningHandler{logger.Handler()})
	client, err := river.NewClient(st.QueueDriver(), &river.Config{
		ID:            process,
		Queues:        workersOf,
		Workers:       jobs.workers,
		PeriodicJobs:  jobs.periodic,
		PollOnly:      true,
		FetchCooldown: cooldown,
		JobTimeout:    jobTimeout,
		Logger:        quietly,
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the job queue: %w", err)
	}
	l := &lease{leaseTimes: defaultLeaseTimes, process: process, queue: st, jobs: jobs.ledger, logger: quietly, single: !st.Postgres()}
	return &Worker{store: st, client: client, jobs: jobs, lease: l, started: clock.Now(clock.With(context.Background(), st.Clock()))}, nil
}

// processID returns a name for this process in the queue that no other process ever has.
func processID() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%.60s_%d_%s", host, os.Getpid(), rand.Text()[:12])
}

// Start begins to run jobs, first of all those that a dead process has left.
func (w *Worker) Start(ctx context.Context) error {
	if w.running.Load() {
		return nil
	}
	ctx = clock.With(ctx, w.store.Clock())
	if err := w.lease.begin(ctx); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	if err := w.client.Start(ctx); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	ctx, w.stopRenewal = context.WithCancel(context.WithoutCancel(ctx)) // the lease is renewed until the last job has ended
	ctx = store.Foreground(ctx)                                         // jobs may use all connections for background work
	w.renewal.Go(func() { w.lease.keep(ctx) })
	w.running.Store(true)
	return nil
}

// lastWait is how long cancelled jobs may take to end.
const lastWait = time.Second

// Stop lets running jobs finish and returns before the context ends. It cancels jobs that wait for other servers after
// a quarter of the time, and all others after three quarters. Cancelled jobs start again when the next process works on
// the queue.
func (w *Worker) Stop(ctx context.Context) error {
	if !w.running.Swap(false) {
		return nil
	}
	defer w.leave(ctx)
	if end, ok := ctx.Deadline(); ok {
		left := time.Until(end)
		defer time.AfterFunc(left/4, func() { w.jobs.ledger.cancelOutgoing(errStopping) }).Stop()
		defer time.AfterFunc(left*3/4, func() { w.jobs.ledger.cancel(errStopping) }).Stop()
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, left*7/8)
		defer cancel()
	}
	if err := w.client.Stop(ctx); err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWait)
	defer cancel()
	if err := w.client.StopAndCancel(ctx); err != nil {
		w.lease.logger.WarnContext(ctx, "some jobs do not stop when canceled; they will be restarted later", "error", err)
	}
	return nil
}

// leave gives the lease back, so that other processes need not wait until it expires.
func (w *Worker) leave(ctx context.Context) {
	w.stopRenewal()
	w.renewal.Wait()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := w.lease.end(ctx); err != nil {
		w.lease.logger.WarnContext(ctx, "the jobs of this process will be restarted with a delay", "error", err)
	}
}

// Leave makes Check fail from now on, although jobs still run.
func (w *Worker) Leave() { w.leaving.Store(true) }

// Check reports whether the queue is running, and will be for a while.
func (w *Worker) Check(context.Context) error {
	if w.leaving.Load() {
		return errors.New("the process is about to stop")
	}
	if !w.running.Load() {
		return errors.New("the job queue is not running")
	}
	return nil
}
