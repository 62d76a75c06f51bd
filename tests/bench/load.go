package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// measured is the result of one or more measurements of a line on one server.
type measured struct {
	requests int
	elapsed  time.Duration
	cpu      time.Duration   // per request, of the best measurement
	cpus     []time.Duration // per request, of each measurement
	samples  []time.Duration
}

// add joins another measurement. It shows the least CPU time, because noise only adds. It keeps all latencies, because
// they should show stalls.
func (m *measured) add(other measured) {
	m.cpus = append(m.cpus, other.cpu)
	if m.requests == 0 || other.cpu < m.cpu {
		m.cpu = other.cpu
	}
	m.requests += other.requests
	m.elapsed += other.elapsed
	m.samples = append(m.samples, other.samples...)
}

// spread is how the ratio of two measurements varies: the median, and the lower and upper quartile.
type spread struct{ low, median, high float64 }

// over compares the CPU time per request of two sides that were measured by turns. It compares each measurement with the one
// right before it, because the speed of the machine changes within a run.
func (m *measured) over(floor *measured) spread { return over(m.cpus, floor.cpus) }

// over compares times that were measured by turns.
func over(times, floor []time.Duration) spread {
	ratios := make([]float64, min(len(times), len(floor)))
	if len(ratios) == 0 {
		return spread{}
	}
	for i := range ratios {
		ratios[i] = float64(times[i]) / float64(floor[i])
	}
	slices.Sort(ratios)
	n := len(ratios)
	return spread{ratios[n/4], (ratios[(n-1)/2] + ratios[n/2]) / 2, ratios[(3*n-1)/4]}
}

// overOnce compares two times that are the best or the middle of several.
func overOnce(took, floor time.Duration) spread {
	r := float64(took) / float64(floor)
	return spread{r, r, r}
}

func (s spread) String() string { return fmt.Sprintf("%5.2f (%.2f to %.2f)", s.median, s.low, s.high) }

func (m *measured) perSecond() float64 { return float64(m.requests) / m.elapsed.Seconds() }

// percentile returns the latency that p percent of the requests did not exceed.
func (m *measured) percentile(p int) time.Duration {
	slices.Sort(m.samples)
	return m.samples[min(len(m.samples)*p/100, len(m.samples)-1)]
}

// measure loads a server over a number of connections for the given duration.
func measure(ctx context.Context, p *process, requests [][]byte, concurrency int, duration time.Duration) (measured, error) {
	workers := make([]*worker, concurrency)
	for i := range workers {
		w, err := newWorker(p.addr, requests, i)
		if err != nil {
			return measured{}, p.fail(err)
		}
		defer w.client.close()
		workers[i] = w
	}
	before, err := p.cpu()
	if err != nil {
		return measured{}, err
	}
	start := time.Now()
	var wait sync.WaitGroup
	for _, w := range workers {
		wait.Go(func() { w.run(ctx, start.Add(duration)) })
	}
	wait.Wait()
	m := measured{elapsed: time.Since(start)}
	after, err := p.cpu()
	if err != nil {
		return measured{}, err
	}
	for _, w := range workers {
		if w.err != nil {
			return measured{}, p.fail(w.err)
		}
		m.samples = append(m.samples, w.samples...)
	}
	if err := ctx.Err(); err != nil {
		return measured{}, err
	}
	m.requests = len(m.samples)
	m.cpu = (after - before) / time.Duration(m.requests)
	return m, nil
}

// numberMark stands in a request for a number of as many digits that no other request has.
var numberMark = []byte("{number}")

var lastNumber atomic.Int64

// withNumber returns a request with a number of its own.
func withNumber(request []byte) []byte {
	if !bytes.Contains(request, numberMark) {
		return request
	}
	return bytes.ReplaceAll(request, numberMark, fmt.Appendf(nil, "%0*d", len(numberMark), lastNumber.Add(1)))
}

// worker sends one request after the other over its connection.
type worker struct {
	client   *client
	requests [][]byte
	next     int
	samples  []time.Duration
	err      error
}

// newWorker connects and sends one request, so that the measurement begins with an open connection.
func newWorker(addr string, requests [][]byte, first int) (*worker, error) {
	c, err := dial(addr)
	if err != nil {
		return nil, err
	}
	w := &worker{client: c, requests: requests, next: first, samples: make([]time.Duration, 0, 4096)}
	return w, w.ask()
}

func (w *worker) run(ctx context.Context, until time.Time) {
	for w.err == nil && ctx.Err() == nil {
		start := time.Now()
		if start.After(until) && len(w.samples) > 0 {
			return
		}
		w.err = w.ask()
		w.samples = append(w.samples, time.Since(start))
	}
}

// ask sends the next request. An answer that is no success ends the bench, because it would make the numbers worthless.
func (w *worker) ask() error {
	status, err := w.client.do(withNumber(w.requests[w.next%len(w.requests)]))
	w.next++
	if err != nil {
		return err
	}
	if status != http.StatusOK && status != http.StatusCreated {
		return fmt.Errorf("answered %d: %.300s", status, w.client.body)
	}
	return nil
}
