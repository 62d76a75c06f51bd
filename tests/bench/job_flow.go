package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	flowRunners = 16
	flowTime    = 5 * time.Second
)

// finishJobs lets runners take jobs from the queue without a pause. A runner asks for a job, appends 16 KiB to its log and
// reports success, so this is how many short jobs a second svc can serve. A request that finds no job, because others took
// those that it tried, is sent again. docs/growth.md has the numbers.
func (b *ciBench) finishJobs(ctx context.Context) error {
	before, databaseBefore, err := b.cpuApart(ctx)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var wait sync.WaitGroup
	var all measured
	var failed error
	var missed int
	began := time.Now()
	for range flowRunners {
		wait.Go(func() {
			walls, without, err := b.runJobs(ctx, began.Add(flowTime))
			mu.Lock()
			defer mu.Unlock()
			missed += without
			all.samples, failed = append(all.samples, walls...), errors.Join(failed, err)
		})
	}
	wait.Wait()
	if failed != nil {
		return b.svc.fail(failed)
	}
	all.requests, all.elapsed = len(all.samples), time.Since(began)
	after, databaseAfter, err := b.cpuApart(ctx)
	if err != nil {
		return err
	}
	jobs := time.Duration(all.requests)
	fmt.Fprintf(b.rep.out, "%d runners finish %.0f jobs a second, p50 %.0f ms, p99 %.0f ms; CPU of svc %.2f ms, of the database %.2f ms; "+
		"%d requests got no job\n", flowRunners, all.perSecond(), millis(all.percentile(50)), millis(all.percentile(99)),
		millis((after-before)/jobs), millis((databaseAfter-databaseBefore)/jobs), missed)
	return nil
}

// runJobs is one runner. It returns how long each of its jobs took, and how many requests got none.
func (b *ciBench) runJobs(ctx context.Context, until time.Time) (walls []time.Duration, missed int, err error) {
	conn, err := dial(b.svc.addr)
	if err != nil {
		return nil, 0, err
	}
	defer conn.close()
	one := &ciBench{svc: b.svc, conn: conn}
	text := strings.Repeat("a line of a log\n", chunkSize/16)
	for time.Now().Before(until) && ctx.Err() == nil {
		began := time.Now()
		status, err := conn.do(poll(b.runner, ""))
		if err != nil {
			return walls, missed, err
		}
		if status == http.StatusNoContent {
			missed++
			continue
		}
		var job struct {
			ID    int64
			Token string
		}
		if err := json.Unmarshal(conn.body, &job); err != nil || status != http.StatusCreated {
			return walls, missed, fmt.Errorf("answered %d to a request for a job: %w", status, err)
		}
		log := fmt.Appendf(nil, "PATCH /api/v4/jobs/%d/trace HTTP/1.1\r\nHost: bench\r\nJOB-TOKEN: %s\r\nContent-Type: text/plain\r\n"+
			"Content-Range: 0-%d\r\nContent-Length: %d\r\n\r\n%s", job.ID, job.Token, len(text)-1, len(text), text)
		if err := one.call(log, http.StatusAccepted, nil); err != nil {
			return walls, missed, err
		}
		done := rawRequest(http.MethodPut, fmt.Sprintf("/api/v4/jobs/%d", job.ID), fmt.Sprintf(`{"token":%q,"state":"success"}`, job.Token))
		if err := one.call(done, http.StatusOK, nil); err != nil {
			return walls, missed, err
		}
		walls = append(walls, time.Since(began))
	}
	return walls, missed, nil
}
