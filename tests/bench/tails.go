package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	tailRows     = 100 // issues: more than callers, so that few of them wait for the same row
	tailReaders  = 16
	tailWriters  = 16
	mostWaiting  = 3.0             // most p99 of reads beside writers, relative to the same reads beside as many other readers
	leastDefault = 0.9             // least rate with the default pool, relative to the best of the pools
	poolWarmUp   = 2 * time.Second // in which every connection prepares its statements
	tailTime     = 2               // a measurement is so many times longer than in other rows: a hundredth of its requests must be many
)

// poolSizes are the measured numbers of connections to PostgreSQL.
var poolSizes = []int{4, poolSize, 64}

// benchTails measures latency with many callers: of reads and of writes, of reads beside writers, and on PostgreSQL with
// several numbers of connections.
func benchTails(ctx context.Context, o options, kind, folder string, rep *report) error {
	o.duration *= tailTime
	return benchAlone(ctx, o, kind, folder, "tails", rep, func(b *ciBench) error {
		if err := b.fillTails(); err != nil {
			return err
		}
		lines := tailLines()
		if err := b.tails(ctx, o, lines); err != nil {
			return err
		}
		if err := b.readsBesideWriters(ctx, o); err != nil {
			return err
		}
		if kind != postgres {
			return nil
		}
		return b.comparePools(ctx, o, lines)
	})
}

// fillTails creates a public project with issues, and instance variables, of which svc allows fewer than there are callers.
func (b *ciBench) fillTails() error {
	if err := b.send(http.MethodPost, projectsPath, `{"name":"tails","visibility":"public"}`); err != nil {
		return err
	}
	for n := range tailRows {
		issue := fmt.Sprintf(`{"title":"Issue %d","description":"Something is wrong."}`, n+1)
		if err := b.send(http.MethodPost, projectsPath+"/1/issues", issue); err != nil {
			return err
		}
	}
	for n := range variables {
		if err := b.send(http.MethodPost, listPath, fmt.Sprintf(`{"key":%q,"value":"a value"}`, variableKey(n))); err != nil {
			return err
		}
	}
	return nil
}

// tailLine is a kind of request, sent to many rows in turn.
type tailLine struct {
	label    string
	raw      [][]byte
	found    measured
	database measured // only its CPU time
}

func newTailLine(method, path, body string) *tailLine {
	l := &tailLine{label: method + " " + strings.TrimPrefix(path, "/api/v4")}
	for n := range tailRows {
		one := strings.NewReplacer("{n}", fmt.Sprint(n+1), "{key}", variableKey(n%variables)).Replace(path)
		l.raw = append(l.raw, rawRequest(method, one, body))
	}
	return l
}

// tailLines returns two reads and three writes.
func tailLines() []*tailLine {
	const issues = projectsPath + "/1/issues"
	return []*tailLine{
		newTailLine(http.MethodGet, issues+"/{n}", ""),
		newTailLine(http.MethodGet, issues, ""),
		newTailLine(http.MethodPut, listPath+"/{key}", `{"value":"a value {number}"}`),
		newTailLine(http.MethodPut, issues+"/{n}", `{"description":"Something is wrong: {number}"}`),
		newTailLine(http.MethodPost, issues+"/{n}/notes", `{"body":"I see it, too: {number}"}`),
	}
}

// tails measures each request with many callers, all of whom send the same kind.
func (b *ciBench) tails(ctx context.Context, o options, lines []*tailLine) error {
	for round := range o.rounds + 1 { // the first round warms up
		for _, l := range lines {
			m, database, err := b.measureApart(ctx, b.svc, l.raw, tailAt, o.duration)
			if err != nil {
				return fmt.Errorf("%s: %w", l.label, err)
			}
			if round > 0 {
				l.found.add(m)
				l.database.add(measured{requests: 1, cpu: database})
			}
		}
	}
	fmt.Fprintf(b.rep.out, "\n%s, %d callers; CPU of svc and of the database's processes\n%-34s %7s %8s %8s %6s %8s %8s\n",
		label(b.kind), tailAt, "request", "req/s", "p50 ms", "p99 ms", "99/50", "svc µs", "and µs")
	for _, l := range lines {
		m := &l.found
		fmt.Fprintf(b.rep.out, "%-34s %7.0f %8.3f %8.3f %6.1f %8.1f %8.1f\n", l.label, m.perSecond(),
			millis(m.percentile(50)), millis(m.percentile(99)), tail(m), micros(m.cpu), micros(l.database.cpu))
		b.rep.number(tail(m) <= maxTail, fmt.Sprintf("%s, %d callers: p99 at most 10 x p50, %s", l.label, tailAt, label(b.kind)),
			fmt.Sprintf("%.1f", tail(m)))
	}
	return nil
}

// readsBesideWriters measures readers of issues beside callers who write new notes without a pause. The same readers beside
// as many other readers are the comparison: in both measurements as many callers share the processors, and only the requests
// of the others differ. A read that waits until a transaction has reached the disk takes longer than the three times that are
// allowed, and one that waits until it is its turn among the writers many times longer.
func (b *ciBench) readsBesideWriters(ctx context.Context, o options) error {
	lines := tailLines()
	read, write := lines[0].raw, lines[4].raw
	var alone, besideReaders, besideWriters measured
	var written int
	for round := range o.rounds + 1 { // the first round warms up
		for _, step := range []struct {
			others [][]byte
			to     *measured
		}{{nil, &alone}, {read, &besideReaders}, {write, &besideWriters}} {
			m, others, err := b.measureBeside(ctx, read, step.others, o.duration)
			if err != nil {
				return err
			}
			if round == 0 {
				continue
			}
			step.to.add(m)
			if step.to == &besideWriters {
				written += others
			}
		}
	}
	show := func(m *measured) string {
		return fmt.Sprintf("p50 %.2f, p99 %.2f ms", millis(m.percentile(50)), millis(m.percentile(99)))
	}
	growth := float64(besideWriters.percentile(99)) / float64(besideReaders.percentile(99))
	fmt.Fprintf(b.rep.out, "%d readers: %s; beside %d more: %s; beside %d writers (%.0f notes a second): %s\n", tailReaders, show(&alone),
		tailReaders, show(&besideReaders), tailWriters, float64(written)/besideWriters.elapsed.Seconds(), show(&besideWriters))
	b.rep.number(growth <= mostWaiting, fmt.Sprintf("p99 of reads beside %d writers at most %.0f x beside %d more readers, %s",
		tailWriters, mostWaiting, tailReaders, label(b.kind)), fmt.Sprintf("%.2f", growth))
	return nil
}

// measureBeside measures readers while others send requests without a pause, and returns how many those were.
func (b *ciBench) measureBeside(ctx context.Context, read, others [][]byte, duration time.Duration) (m measured, sent int, err error) {
	during, stop := context.WithCancel(ctx)
	defer stop()
	var wait sync.WaitGroup
	var workers []*worker
	for i := range tailWriters {
		if others == nil {
			break
		}
		w, err := newWorker(b.svc.addr, others, i*tailRows/tailWriters)
		if err != nil {
			return m, 0, b.svc.fail(err)
		}
		defer w.client.close()
		workers = append(workers, w)
		wait.Go(func() { w.run(during, time.Now().Add(patience)) })
	}
	m, err = measure(ctx, b.svc, read, tailReaders, duration)
	stop()
	wait.Wait()
	for _, w := range workers {
		sent += len(w.samples)
		if w.err != nil && err == nil {
			err = b.svc.fail(w.err)
		}
	}
	return m, sent, err
}

// comparePools measures a mix of reads and writes with several numbers of connections to PostgreSQL, by turns.
func (b *ciBench) comparePools(ctx context.Context, o options, lines []*tailLine) error {
	b.svc.stop()
	var mix [][]byte
	for n := range tailRows {
		for _, l := range append(lines, lines[0]) { // as many reads as writes
			mix = append(mix, l.raw[n])
		}
	}
	found := make([]measured, len(poolSizes))
	for round := range o.rounds {
		for i := range poolSizes {
			i = (i + round) % len(poolSizes)
			m, err := b.measurePool(ctx, o, poolSizes[i], mix)
			if err != nil {
				return fmt.Errorf("%d connections: %w", poolSizes[i], err)
			}
			found[i].add(m)
		}
	}
	fmt.Fprintf(b.rep.out, "\n%d callers, as many reads as writes\n%-34s %7s %8s %8s\n",
		tailAt, "connections to PostgreSQL", "req/s", "p50 ms", "p99 ms")
	best, usual := 0.0, 0.0
	for i, size := range poolSizes {
		m := &found[i]
		fmt.Fprintf(b.rep.out, "%-34d %7.0f %8.3f %8.3f\n", size, m.perSecond(), millis(m.percentile(50)), millis(m.percentile(99)))
		best = max(best, m.perSecond())
		if size == poolSize {
			usual = m.perSecond()
		}
	}
	b.rep.number(usual >= leastDefault*best, fmt.Sprintf("requests a second with %d connections at least %.1f x those with %d or %d",
		poolSize, leastDefault, poolSizes[0], poolSizes[2]), fmt.Sprintf("%.2f", usual/best))
	return nil
}

// measurePool starts svc with a number of connections. Only one svc runs at a time, because each keeps its connections.
func (b *ciBench) measurePool(ctx context.Context, o options, size int, mix [][]byte) (m measured, err error) {
	svc, err := spawnSvc(ctx, o.svc, b.dataCopy, fmt.Sprintf("--database-pool=%d", size))
	if err != nil {
		return m, err
	}
	defer svc.stop()
	if err := svc.waitReady(ctx); err != nil {
		return m, err
	}
	if _, err := measure(ctx, svc, mix, tailAt, poolWarmUp); err != nil { // fills the caches and opens the connections
		return m, err
	}
	return measure(ctx, svc, mix, tailAt, o.duration)
}
