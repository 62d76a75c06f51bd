// Package worker runs background jobs: it knows how to queue and retry, not what it runs.
package worker

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"svc/store"

	"github.com/riverqueue/river"
)

const (
	atOnce     = 4                      // jobs that one process works at a time
	poll       = 500 * time.Millisecond // how long a queued job may go unseen
	jobTimeout = 10 * time.Minute
)

// Payload is what a job needs to know; Kind names the job in the queue, so it must never change.
type Payload interface{ Kind() string }

// Jobs are the jobs that a worker runs.
type Jobs struct {
	workers  *river.Workers
	periodic []*river.PeriodicJob
}

// NewJobs starts with none.
func NewJobs() *Jobs { return &Jobs{workers: river.NewWorkers()} }

// Handle says how jobs of one kind are run. A job may run twice and must be safe to.
func Handle[P Payload](j *Jobs, run func(ctx context.Context, payload P) error) {
	river.AddWorker(j.workers, &adapter[P]{run: run})
}

// Every queues a job at every interval, once for all processes, and at the first start.
func Every(j *Jobs, interval time.Duration, payload Payload) {
	j.periodic = append(j.periodic, river.NewPeriodicJob(
		river.PeriodicInterval(interval),
		func() (river.JobArgs, *river.InsertOpts) {
			// One waiting job of the kind suffices, whoever queues it.
			return payload, &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByPeriod: interval}}
		},
		&river.PeriodicJobOpts{RunOnStart: true},
	))
}

type adapter[P Payload] struct {
	river.WorkerDefaults[P]
	run func(ctx context.Context, payload P) error
}

func (a *adapter[P]) Work(ctx context.Context, job *river.Job[P]) error { return a.run(ctx, job.Args) }

// Worker works the queue.
type Worker struct {
	store   *store.Store
	client  *river.Client[*sql.Tx]
	running atomic.Bool
}

// New prepares the queue; Start begins to work it.
func New(st *store.Store, logger *slog.Logger, jobs *Jobs) (*Worker, error) {
	client, err := river.NewClient(st.QueueDriver(), &river.Config{
		Queues:            map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: atOnce}},
		Workers:           jobs.workers,
		PeriodicJobs:      jobs.periodic,
		PollOnly:          true,
		FetchPollInterval: poll,
		JobTimeout:        jobTimeout,
		Logger:            slog.New(quiet{logger.Handler()}),
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the job queue: %w", err)
	}
	return &Worker{store: st, client: client}, nil
}

// Start begins to work jobs.
func (w *Worker) Start(ctx context.Context) error {
	if err := w.client.Start(ctx); err != nil {
		return fmt.Errorf("start the job queue: %w", err)
	}
	w.running.Store(true)
	return nil
}

// Stop lets running jobs finish, until the context ends; then it cancels them, and they run again later.
func (w *Worker) Stop(ctx context.Context) error {
	if !w.running.Swap(false) {
		return nil
	}
	if err := w.client.Stop(ctx); err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return w.client.StopAndCancel(ctx)
}

// Check tells whether jobs are being worked.
func (w *Worker) Check(context.Context) error {
	if !w.running.Load() {
		return errors.New("the job queue is not running")
	}
	return nil
}

// Enqueue queues a job in the caller's transaction: it runs if, and only if, that is committed.
func (w *Worker) Enqueue(ctx context.Context, payload Payload) error {
	return w.store.Tx(ctx, func(ctx context.Context) error {
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		_, err = w.client.InsertTx(ctx, tx, payload, nil)
		return err
	})
}

// EnqueueAt is Enqueue for a job that is not to run before a time.
func (w *Worker) EnqueueAt(ctx context.Context, payload Payload, at time.Time) error {
	return w.store.Tx(ctx, func(ctx context.Context) error {
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		_, err = w.client.InsertTx(ctx, tx, payload, &river.InsertOpts{ScheduledAt: at})
		return err
	})
}

// EnqueueEach is Enqueue for many jobs at once, of which none is queued that is there already, by the fields that make its kind unique.
func EnqueueEach[P Payload](ctx context.Context, w *Worker, payloads []P) error {
	rows := make([]river.InsertManyParams, len(payloads))
	for i, payload := range payloads {
		rows[i] = river.InsertManyParams{Args: payload, InsertOpts: &river.InsertOpts{UniqueOpts: river.UniqueOpts{ByArgs: true}}}
	}
	return w.store.Tx(ctx, func(ctx context.Context) error {
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		_, err = w.client.InsertManyTx(ctx, tx, rows)
		return err
	})
}

// gathered is how long jobs that are queued again and again are gathered.
const gathered = 5 * time.Second

// EnqueueOnce is Enqueue for a job of which one suffices, after all that asks for it: those with the same payload are gathered
// for some seconds, and then one runs.
func (w *Worker) EnqueueOnce(ctx context.Context, payload Payload) error {
	return w.store.Tx(ctx, func(ctx context.Context) error {
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		_, err = w.client.InsertTx(ctx, tx, payload, &river.InsertOpts{
			ScheduledAt: time.Now().Truncate(gathered).Add(gathered),
			UniqueOpts:  river.UniqueOpts{ByArgs: true, ByPeriod: gathered},
		})
		return err
	})
}
