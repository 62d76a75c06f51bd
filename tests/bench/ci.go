package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	pendingJobs    = 10_000
	idleRunners    = 100
	runnerPause    = 3 * time.Second // between two requests, as in the official runner
	idleFor        = 6 * time.Second
	chunkSize      = 16 << 10
	longLog        = 100 << 20
	longChunk      = 1 << 20
	maxLogGrowth   = 32 << 20
	emptyPollLimit = 300 * time.Microsecond
	queuePollLimit = 3 * time.Millisecond
	appendLimit    = time.Millisecond
	pipelineLimit  = 150 * time.Millisecond
	compileLimit   = 50 * time.Millisecond
	maxIdleCPU     = 0.05
)

// ciBench measures the requests of runners.
type ciBench struct {
	*filledDatabase
	svc    *process
	rep    *report
	conn   *client
	runner string // token of a runner that takes every job
	other  string // token of a runner that takes no job
}

// benchCI measures the job queue, logs and pipelines.
func benchCI(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "ci", rep, func(b *ciBench) error {
		fmt.Fprintf(rep.out, "\n%s, runners and pipelines; CPU with the database's\n", label(kind))
		return b.each(ctx, b.prepare, b.idlePolls, b.idleRunners, b.pipelines, b.compile, b.queue, b.finishJobs, b.logs)
	})
}

// benchAlone measures a row with a server and a database of its own.
func benchAlone(ctx context.Context, o options, kind, folder, row string, rep *report, measure func(b *ciBench) error) (err error) {
	if !o.rows[row] {
		return nil
	}
	at, err := newFilledDatabase(ctx, o, kind, folder, row)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, at.remove()) }()
	b := &ciBench{filledDatabase: at, rep: rep}
	if b.svc, err = startSvc(ctx, o.svc, at.dataCopy); err != nil {
		return err
	}
	defer b.svc.stop()
	if b.conn, err = dial(b.svc.addr); err != nil {
		return b.svc.fail(err)
	}
	defer b.conn.close()
	return measure(b)
}

// each runs steps until one fails.
func (*ciBench) each(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// call sends one request, checks the status and decodes the answer unless into is nil. The token is part of the
// request.
func (b *ciBench) call(raw []byte, want int, into any) error {
	status, err := b.conn.do(raw)
	if err == nil && status != want {
		err = fmt.Errorf("answered %d to %.80q: %.300s", status, raw, b.conn.body)
	}
	if err == nil && into != nil {
		err = json.Unmarshal(b.conn.body, into)
	}
	if err != nil {
		return b.svc.fail(err)
	}
	return nil
}

func (b *ciBench) prepare(context.Context) error {
	if err := b.call(rawRequest(http.MethodPost, projectsPath, `{"name":"bench"}`), http.StatusCreated, nil); err != nil {
		return err
	}
	for _, r := range []struct {
		body string
		to   *string
	}{
		{`{"runner_type":"instance_type"}`, &b.runner},
		{`{"runner_type":"instance_type","run_untagged":false,"tag_list":["nothing-wants-it"]}`, &b.other},
	} {
		var made struct{ Token string }
		if err := b.call(rawRequest(http.MethodPost, "/api/v4/user/runners", r.body), http.StatusCreated, &made); err != nil {
			return err
		}
		*r.to = made.Token
	}
	return nil
}

func poll(token, rest string) []byte {
	return rawRequest(http.MethodPost, "/api/v4/jobs/request", fmt.Sprintf(
		`{"token":%q,"info":{"name":"bench","version":"17.0.0","executor":"shell"}%s}`, token, rest,
	))
}

// measureCPU returns the CPU time of svc and the database for one call of one: the least of a few rounds.
func (b *ciBench) measureCPU(ctx context.Context, rounds, times int, one func() error) (time.Duration, error) {
	var least time.Duration
	for round := range rounds + 1 { // the first round warms up
		cpu, err := b.totalCPU(ctx)
		if err != nil {
			return 0, err
		}
		for range times {
			if err := one(); err != nil {
				return 0, err
			}
		}
		after, err := b.totalCPU(ctx)
		if err != nil {
			return 0, err
		}
		if took := (after - cpu) / time.Duration(times); round > 0 && (least == 0 || took < least) {
			least = took
		}
	}
	return least, nil
}

// totalCPU returns the CPU time that svc and the database processes have used so far.
func (b *ciBench) totalCPU(ctx context.Context) (time.Duration, error) {
	total, err := b.svc.cpu()
	if err != nil {
		return 0, err
	}
	backends, err := b.backends(ctx)
	for _, used := range backends {
		total += time.Duration(used)
	}
	return total, err
}

// judge prints a CPU time and compares it with its limit.
func (b *ciBench) judge(what string, took, limit time.Duration) {
	fmt.Fprintf(b.rep.out, "%-46s %9.3f ms CPU\n", what, millis(took))
	b.rep.number(took <= limit, fmt.Sprintf("%s at most %v CPU, %s", what, limit, label(b.kind)), fmt.Sprintf("%.3f ms", millis(took)))
}

func (b *ciBench) idlePolls(ctx context.Context) error {
	raw := poll(b.runner, "")
	took, err := b.measureCPU(ctx, 3, 500, func() error { return b.call(raw, http.StatusNoContent, nil) })
	if err != nil {
		return err
	}
	b.judge("job request, nothing to do", took, emptyPollLimit)
	return nil
}

// idleRunners lets runners request jobs as the official runner does, with and without waiting at the server.
func (b *ciBench) idleRunners(ctx context.Context) error {
	for _, way := range []struct{ name, rest string }{{"they wait", `,"last_update":"wait"`}, {"every 3 s", ""}} {
		ctx, stop := context.WithCancel(ctx)
		var wait sync.WaitGroup
		for i := range idleRunners {
			c, err := dial(b.svc.addr)
			if err != nil {
				stop()
				return b.svc.fail(err)
			}
			wait.Go(func() {
				defer c.close()
				for pause := runnerPause * time.Duration(i) / idleRunners; ; pause = runnerPause {
					select {
					case <-ctx.Done():
						return
					case <-time.After(pause):
					}
					if _, err := c.do(poll(b.runner, way.rest)); err != nil {
						return // the measurement is over
					}
				}
			})
			context.AfterFunc(ctx, c.close)
		}
		time.Sleep(runnerPause)
		before, err := b.totalCPU(ctx)
		time.Sleep(idleFor)
		after, failed := b.totalCPU(ctx)
		stop()
		wait.Wait()
		if err := errors.Join(err, failed); err != nil {
			return err
		}
		share := (after - before).Seconds() / idleFor.Seconds()
		b.rep.number(
			share < maxIdleCPU,
			fmt.Sprintf("100 idle runners, %s, under 5 %% of a core, %s", way.name, label(b.kind)),
			fmt.Sprintf("%.1f %%", share*100),
		)
	}
	return nil
}

// ciFile returns a CI file with the given number of jobs in three stages.
func ciFile(jobs int) string {
	var s strings.Builder
	s.WriteString("stages: [build, test, deploy]\ndefault: {image: alpine, retry: 1}\n.base: {script: [echo hello], variables: {A: b}}\n")
	for i := range jobs {
		fmt.Fprintf(
			&s,
			"job %d:\n  extends: .base\n  stage: %s\n  rules: [{if: '$CI_COMMIT_BRANCH == \"main\"'}]\n  artifacts: "+
				"{paths: [out/], expire_in: 1 day}\n",
			i, []string{"build", "test", "deploy"}[i*3/jobs],
		)
	}
	return s.String()
}

func (b *ciBench) compile(ctx context.Context) error {
	content, err := json.Marshal(map[string]string{"content": ciFile(500)})
	if err != nil {
		return err
	}
	raw := rawRequest(http.MethodPost, "/api/v4/projects/1/ci/lint", string(content))
	took, err := b.measureCPU(ctx, 3, 5, func() error {
		var linted struct{ Valid bool }
		if err := b.call(raw, http.StatusOK, &linted); err != nil {
			return err
		}
		if !linted.Valid {
			return fmt.Errorf("the CI file is not valid: %.300s", b.conn.body)
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.judge("CI file of 500 jobs", took, compileLimit)
	return nil
}

// pipelines creates pipelines until 10,000 jobs are pending. All jobs are in one stage, so that none waits for others.
func (b *ciBench) pipelines(context.Context) error {
	var file strings.Builder
	for i := range perPipeline {
		fmt.Fprintf(&file, "job %d: {script: [echo hello], variables: {A: b}}\n", i)
	}
	content, err := json.Marshal(map[string]string{"branch": "main", "content": file.String(), "commit_message": "Jobs"})
	if err != nil {
		return err
	}
	if err := b.call(
		rawRequest(http.MethodPost, "/api/v4/projects/1/repository/files/.gitlab-ci.yml", string(content)),
		http.StatusCreated, nil,
	); err != nil {
		return err
	}
	var walls []time.Duration
	for range pendingJobs / perPipeline {
		began := time.Now()
		if err := b.call(
			rawRequest(http.MethodPost, "/api/v4/projects/1/pipeline", `{"ref":"main"}`), http.StatusCreated, nil,
		); err != nil {
			return err
		}
		walls = append(walls, time.Since(began))
	}
	slices.Sort(walls)
	middle := walls[len(walls)/2]
	b.rep.number(middle < pipelineLimit, "pipeline of 100 jobs made under 150 ms, "+label(b.kind), fmt.Sprintf(
		"%.1f ms, %.1f at worst", millis(middle), millis(walls[len(walls)-1]),
	))
	return nil
}

func (b *ciBench) queue(ctx context.Context) error {
	raw := poll(b.other, "")
	took, err := b.measureCPU(ctx, 2, 200, func() error { return b.call(raw, http.StatusNoContent, nil) })
	if err != nil {
		return err
	}
	b.judge("job request, 10,000 wait for others", took, queuePollLimit)
	raw = poll(b.runner, "")
	if took, err = b.measureCPU(ctx, 2, 100, func() error { return b.call(raw, http.StatusCreated, nil) }); err != nil {
		return err
	}
	b.judge("job request, one of 10,000 is given", took, queuePollLimit)
	return nil
}

// logs appends to a log and reads a long one.
func (b *ciBench) logs(ctx context.Context) error {
	var job struct {
		ID    int64
		Token string
	}
	if err := b.call(poll(b.runner, ""), http.StatusCreated, &job); err != nil {
		return err
	}
	size := 0
	text := strings.Repeat("a line of a log that is as long as lines are, more or less\n", longChunk/59+1)
	add := func(n int) error {
		raw := fmt.Appendf(nil,
			"PATCH /api/v4/jobs/%d/trace HTTP/1.1\r\nHost: bench\r\nJOB-TOKEN: %s\r\nContent-Type: "+
				"text/plain\r\nContent-Range: %d-%d\r\nContent-Length: %d\r\n\r\n%s",
			job.ID, job.Token, size, size+n-1, n, text[:n])
		size += n
		return b.call(raw, http.StatusAccepted, nil)
	}
	took, err := b.measureCPU(ctx, 3, 100, func() error { return add(chunkSize) })
	if err != nil {
		return err
	}
	b.judge("log append of 16 KiB", took, appendLimit)
	for size+longChunk <= longLog {
		if err := add(longChunk); err != nil {
			return err
		}
	}
	return b.longLog(job.ID, size)
}

// longLog reads the log with ten readers at once and measures how much the memory of svc grows.
func (b *ciBench) longLog(id int64, size int) error {
	before, err := b.svc.rss()
	if err != nil {
		return err
	}
	var wait sync.WaitGroup
	failed := make([]error, 10)
	for i := range failed {
		wait.Go(func() { failed[i] = b.readLog(id, size) })
	}
	most, ended := before, make(chan struct{})
	go func() { wait.Wait(); close(ended) }()
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-time.After(10 * time.Millisecond):
		}
		now, err := b.svc.rss()
		if err != nil {
			return err
		}
		most = max(most, now)
	}
	grown := most - before
	b.rep.number(
		grown <= maxLogGrowth, "100 MB log to ten readers: memory grows at most 32 MiB, "+label(b.kind),
		fmt.Sprintf("%.1f MiB", float64(grown)/(1<<20)),
	)
	return errors.Join(failed...)
}

func (b *ciBench) readLog(id int64, size int) error {
	req, err := http.NewRequest(http.MethodGet, fmt.Sprintf("http://%s/api/v4/projects/1/jobs/%d/trace", b.svc.addr, id), http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("PRIVATE-TOKEN", token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return b.svc.fail(err)
	}
	defer res.Body.Close()
	read := 0
	buffer := make([]byte, 64<<10)
	for {
		n, err := res.Body.Read(buffer)
		read += n
		if err != nil {
			break
		}
	}
	if res.StatusCode != http.StatusOK || read != size {
		return b.svc.fail(fmt.Errorf("the log came with status %d and %d of %d bytes", res.StatusCode, read, size))
	}
	return nil
}
