package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

const (
	triesPerSecond   = 200
	pacedPerSecond   = 200 // GET /user
	pacedAtOnce      = 4
	passwordTime     = 2 * time.Second // length of one measurement
	maxLatencyGrowth = 3.0
)

// signInLoad sends sign-ins with a password at a steady rate, without waiting for earlier answers.
type signInLoad struct {
	mu             sync.Mutex
	done, rejected int
	failed         error
}

// passwords measures the tail of GET /user while 200 sign-ins a second arrive: Git requests with a wrong name and
// password, which take as long to check as correct ones. Sign-ins that the gate rejects with 503 count as well.
func passwords(ctx context.Context, o options, kind string, svc *process, rep *report) error {
	reader := [][]byte{rawAs(personToken, http.MethodGet, "/api/v4/user", "")}
	if _, err := paced(ctx, svc, reader, time.Second); err != nil { // warms up
		return err
	}
	var quiet, loud, full, fullLoud measured
	var done, turned int
	for range max(1, o.rounds*2/3) {
		for _, step := range []struct {
			loud bool
			to   *measured
			run  func(context.Context, *process, [][]byte, time.Duration) (measured, error)
		}{{false, &quiet, paced}, {true, &loud, paced}, {false, &full, saturated}, {true, &fullLoud, saturated}} {
			t := &signInLoad{}
			stop := func() error { return nil }
			if step.loud {
				stop = t.start(ctx, svc)
			}
			m, err := step.run(ctx, svc, reader, passwordTime)
			if failed := stop(); err == nil {
				err = failed
			}
			if err != nil {
				return err
			}
			step.to.add(m)
			done, turned = done+t.done, turned+t.rejected
		}
	}
	for _, c := range []struct {
		how         string
		quiet, loud *measured
	}{{"200 a second", &quiet, &loud}, {"16 at once", &full, &fullLoud}} {
		growth := float64(c.loud.percentile(99)) / float64(c.quiet.percentile(99))
		rep.number(growth <= maxLatencyGrowth, fmt.Sprintf("200 passwords a second: p99 of GET user, %s, at most x 3,"+
			" %s", c.how, label(kind)),
			fmt.Sprintf(
				"%.1f: %.2f to %.2f ms (%d hashed, %d turned away)", growth, millis(c.quiet.percentile(99)),
				millis(c.loud.percentile(99)), done, turned,
			))
	}
	return nil
}

func saturated(ctx context.Context, p *process, requests [][]byte, duration time.Duration) (measured, error) {
	return measure(ctx, p, requests, atOnce, duration)
}

// paced sends requests at a steady rate, which leaves the server idle time. A late answer delays only its own
// connection.
func paced(ctx context.Context, p *process, requests [][]byte, duration time.Duration) (measured, error) {
	var m measured
	var mu sync.Mutex
	var wait sync.WaitGroup
	var failed error
	start := time.Now()
	for i := range pacedAtOnce {
		w, err := newWorker(p.addr, requests, i)
		if err != nil {
			return m, p.fail(err)
		}
		wait.Go(func() {
			defer w.client.close()
			tick := time.NewTicker(time.Second * pacedAtOnce / pacedPerSecond)
			defer tick.Stop()
			for range tick.C {
				began := time.Now()
				if w.err != nil || ctx.Err() != nil || began.Sub(start) > duration {
					break
				}
				w.err = w.ask()
				w.samples = append(w.samples, time.Since(began))
			}
			mu.Lock()
			defer mu.Unlock()
			m.samples = append(m.samples, w.samples...)
			if w.err != nil {
				failed = p.fail(w.err)
			}
		})
	}
	wait.Wait()
	m.requests, m.elapsed = len(m.samples), time.Since(start)
	if failed == nil {
		failed = ctx.Err()
	}
	return m, failed
}

// start sends sign-ins until the caller calls stop, which waits for the last answers.
func (t *signInLoad) start(ctx context.Context, p *process) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	var wait sync.WaitGroup
	wait.Go(func() {
		var under sync.WaitGroup
		defer under.Wait()
		tick := time.NewTicker(time.Second / triesPerSecond)
		defer tick.Stop()
		for n := 0; ctx.Err() == nil; n++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				under.Go(func() { t.one(p, n) })
			}
		}
	})
	return func() error {
		cancel()
		wait.Wait()
		return t.failed
	}
}

// signIn returns a sign-in request. Each has another username, so that no account gets locked.
func signIn(n int) []byte {
	basic := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "somebody.%d:correct horse battery", n))
	return fmt.Appendf(
		nil,
		"GET /some/project.git/info/refs?service=git-upload-pack HTTP/1.1\r\nHost: bench\r\nAuthorization: Basic %s\r\n\r\n",
		basic,
	)
}

// one sends a sign-in and counts the result. Each comes from another address, because svc counts wrong passwords by
// address.
func (t *signInLoad) one(p *process, n int) {
	c, err := dialFrom(p.addr, &net.TCPAddr{IP: net.IPv4(127, byte(1+n>>16), byte(n>>8), byte(n))})
	status := 0
	if err == nil {
		defer c.close()
		status, err = c.do(signIn(n))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case err != nil:
		t.failed = p.fail(err)
	case status == http.StatusUnauthorized:
		t.done++
	case status == http.StatusServiceUnavailable:
		t.rejected++
	default:
		t.failed = p.fail(fmt.Errorf("answered %d to a password: %.300s", status, c.body))
	}
}
