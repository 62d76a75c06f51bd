package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

const (
	queueWriters = 4
	queueTime    = 3 * time.Second
	queueJobs    = 3000
	queueGain    = 2.0 // least rate of jobs, relative to the issues that cause them
)

// benchQueue measures how many small jobs svc finishes in a second: notification jobs for issues, as many at once as
// after a busy minute. It compares them with the issues that a few callers create in a second. Each issue causes such a
// job, so the queue must not fall behind.
func benchQueue(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["queue"] {
		return nil
	}
	c, err := newFilledDatabase(ctx, o, kind, folder, "queue")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	made, err := makeIssues(ctx, o, c)
	if err != nil {
		return err
	}
	// The server has stopped. Delete all of its remaining jobs but one, and insert that one many times.
	if err := c.run(ctx, []string{
		"DELETE FROM river_job WHERE kind = 'tell_news' AND id NOT IN (SELECT max(id) FROM river_job WHERE kind = 'tell_news')",
		"INSERT INTO river_job (args, kind, max_attempts, metadata, priority, queue, state, tags, scheduled_at) " +
			"SELECT j.args, j.kind, j.max_attempts, j.metadata, j.priority, j.queue, 'available', j.tags, " +
			"j.scheduled_at FROM river_job j, " +
			c.numberRows(1, queueJobs) + " WHERE j.kind = 'tell_news'",
	}); err != nil {
		return err
	}
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return err
	}
	defer svc.stop()
	began, first, err := time.Now(), 0, error(nil)
	if first, err = c.jobsLeft(ctx); err != nil {
		return err
	}
	for left := first; left > 0; {
		time.Sleep(20 * time.Millisecond)
		if left, err = c.jobsLeft(ctx); err != nil {
			return err
		}
	}
	done := float64(first) / time.Since(began).Seconds()
	fmt.Fprintf(
		rep.out, "\nSmall jobs, %s: %.0f a second; %d callers make %.0f issues a second, each with such a job\n",
		label(kind), done, queueWriters, made,
	)
	rep.number(
		done >= queueGain*made,
		fmt.Sprintf("small jobs a second at least %.1f times the issues that %d callers make, %s", queueGain, queueWriters, label(kind)),
		fmt.Sprintf("%.1f times", done/made),
	)
	return nil
}

// makeIssues lets callers create issues for queueTime, and returns how many they create in a second.
func makeIssues(ctx context.Context, o options, c *filledDatabase) (float64, error) {
	svc, err := startSvc(ctx, o.svc, c.dataCopy)
	if err != nil {
		return 0, err
	}
	defer svc.stop()
	b := &gitBench{svc: svc}
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=bench"); err != nil {
		return 0, err
	}
	var wait sync.WaitGroup
	var made atomic.Int64
	errs := make([]error, queueWriters)
	began := time.Now()
	for i := range errs {
		wait.Go(func() {
			for time.Since(began) < queueTime && errs[i] == nil {
				_, errs[i] = b.ask(ctx, http.MethodPost, "/api/v4/projects/root%2Fbench/issues", fmt.Sprintf(
					"title=Issue+%d&description=Hello+@root", made.Add(1),
				))
			}
		})
	}
	wait.Wait()
	return float64(made.Load()) / time.Since(began).Seconds(), errors.Join(errs...)
}

// jobsLeft counts the notification jobs that are not finished.
func (c *filledDatabase) jobsLeft(ctx context.Context) (int, error) {
	left := 0
	err := c.sql.QueryRowContext(ctx, "SELECT count(*) FROM river_job WHERE kind = 'tell_news' AND state <> 'completed'").Scan(&left)
	return left, err
}
