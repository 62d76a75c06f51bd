package worker

import (
	"context"
	"time"

	"svc/store"

	"github.com/riverqueue/river"
)

// Enqueue queues a job in the caller's transaction: it runs if, and only if, that is committed.
func (w *Worker) Enqueue(ctx context.Context, payload Payload) error {
	return w.store.Tx(ctx, func(ctx context.Context) error {
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		options := w.jobs.options(payload)
		follow(ctx, &options)
		_, err = w.client.InsertTx(ctx, tx, payload, &options)
		return err
	})
}

// EnqueueAt is Enqueue for a job that must not run before a time, which the clock of the context shows.
func (w *Worker) EnqueueAt(ctx context.Context, payload Payload, at time.Time) error {
	return w.store.Tx(ctx, func(ctx context.Context) error {
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		options := w.jobs.options(payload)
		options.ScheduledAt = systemTime(ctx, at)
		follow(ctx, &options)
		_, err = w.client.InsertTx(ctx, tx, payload, &options)
		return err
	})
}

// EnqueueEach is Enqueue for many jobs at once. It skips a job if one with the same unique fields of the payload is
// already queued. Jobs of the kind that are queued alone go first.
func EnqueueEach[P Payload](ctx context.Context, w *Worker, payloads []P) error {
	rows := make([]river.InsertManyParams, len(payloads))
	for i, payload := range payloads {
		options := w.jobs.options(payload)
		options.Priority, options.UniqueOpts = bulkPriority, river.UniqueOpts{ByArgs: true}
		follow(ctx, &options)
		rows[i] = river.InsertManyParams{Args: payload, InsertOpts: &options}
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

// collectTime is how long EnqueueOnce collects equal jobs.
const collectTime = 5 * time.Second

// EnqueueOnce is Enqueue for a job that only has to run once after several requests for it: jobs with the same payload
// are collected for some seconds, and then one runs.
func (w *Worker) EnqueueOnce(ctx context.Context, payload Payload) error {
	return w.store.Tx(ctx, func(ctx context.Context) error {
		tx, err := store.SQLTx(ctx)
		if err != nil {
			return err
		}
		options := w.jobs.options(payload)
		options.ScheduledAt = time.Now().Truncate(collectTime).Add(collectTime)
		options.UniqueOpts = river.UniqueOpts{ByArgs: true, ByPeriod: collectTime}
		_, err = w.client.InsertTx(ctx, tx, payload, &options)
		return err
	})
}
