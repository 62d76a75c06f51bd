package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"svc/server/platform/outbound"
)

const (
	hookPushes     = 30
	hookDeliveries = 3000
	mostHookPush   = 1.1 // most time of a push to a project with a hook, relative to one without
	mostDelivery   = 3.0 // most CPU time of a delivery, relative to a bare request
)

// hookReceiver counts the webhooks that it receives.
type hookReceiver struct {
	received atomic.Int64
	size     atomic.Int64 // of the last body
}

func (r *hookReceiver) ServeHTTP(_ http.ResponseWriter, req *http.Request) {
	n, err := io.Copy(io.Discard, req.Body)
	if err == nil {
		r.size.Store(n)
		r.received.Add(1)
	}
}

// benchHooks measures what webhooks cost: row webhooks everything, row flood only what many deliveries do to other
// requests.
func benchHooks(ctx context.Context, o options, kind, folder string, rep *report) (err error) {
	if !o.rows["webhooks"] && !o.rows["flood"] {
		return nil
	}
	c, err := newFilledDatabase(ctx, o, kind, folder, "webhooks")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.remove()) }()
	if o.rows["webhooks"] {
		if err := benchDeliveries(ctx, o, kind, c, rep); err != nil {
			return err
		}
	}
	return benchFlood(ctx, o, kind, c, rep)
}

// benchDeliveries measures a push to a project with a webhook, and the delivery of what waits.
func benchDeliveries(ctx context.Context, o options, kind string, c *filledDatabase, rep *report) error {
	to := &hookReceiver{}
	web := httptest.NewServer(to)
	defer web.Close()
	push, err := hookPushRatio(ctx, o, c, web.URL)
	if err != nil {
		return err
	}
	rep.compared(kind, "time of a push to a project with a webhook", "one without", push, mostHookPush, "")
	delivery, bare, err := compareDelivery(ctx, o, c, to, web.URL)
	if err != nil {
		return err
	}
	fmt.Fprintf(rep.out, "\nWebhooks, %s: a delivery takes %s of CPU time, a bare request %s\n", label(kind), delivery.cpu, bare.cpu)
	rep.compared(kind, "CPU of a delivery", "a bare request by the same client", delivery.over(&bare), mostDelivery, "")
	return nil
}

// startWithHooks starts svc so that webhooks can reach this machine.
func startWithHooks(ctx context.Context, o options, c *filledDatabase) (*process, error) {
	p, err := spawnSvc(ctx, o.svc, c.dataCopy, "--webhook-allow=127.0.0.0/8")
	if err != nil {
		return nil, err
	}
	return p, p.waitReady(ctx)
}

// hookPushRatio pushes by turns to a project with a webhook and to one without, and compares the times.
func hookPushRatio(ctx context.Context, o options, c *filledDatabase, receiver string) (s spread, err error) {
	svc, err := startWithHooks(ctx, o, c)
	if err != nil {
		return s, err
	}
	defer svc.stop()
	b := &gitBench{svc: svc}
	work := filepath.Join(c.folder, "pushes")
	if err := os.MkdirAll(work, 0o755); err != nil {
		return s, err
	}
	if err := runGit(ctx, work, "init", "-q", "-b", "main"); err != nil {
		return s, err
	}
	names := []string{"plain", "hooked"}
	for _, name := range names {
		if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects", "name="+name); err != nil {
			return s, err
		}
	}
	if _, err := b.ask(ctx, http.MethodPost, "/api/v4/projects/root%2Fhooked/hooks", "url="+url.QueryEscape(receiver)); err != nil {
		return s, err
	}
	var took [2][]time.Duration
	for n := range hookPushes {
		if err := runGit(ctx, work, "--work-tree", work, "-c", "user.name=a", "-c", "user.email=a@example.com",
			"commit", "-q", "--allow-empty", "-m", strconv.Itoa(n)); err != nil {
			return s, err
		}
		for i := range names {
			i = (i + n) % 2 // by turns
			remote := strings.Replace(b.remote(svc.addr), "/bench.git", "/"+names[i]+".git", 1)
			began := time.Now()
			if err := runGit(ctx, work, "push", "-q", remote, "main"); err != nil {
				return s, err
			}
			if n > 1 { // the first ones warm up
				took[i] = append(took[i], time.Since(began))
			}
		}
	}
	return over(took[1], took[0]), nil
}

// compareDelivery measures the CPU time of a delivery and of a bare request, by turns.
func compareDelivery(
	ctx context.Context, o options, c *filledDatabase, to *hookReceiver, receiver string,
) (delivery, bare measured, err error) {
	const turns = 3
	for range turns {
		one, err := deliveryCPU(ctx, o, c, to)
		if err != nil {
			return delivery, bare, err
		}
		other, err := bareCPU(ctx, receiver, int(to.size.Load()))
		if err != nil {
			return delivery, bare, err
		}
		delivery.add(measured{requests: 1, cpu: one})
		bare.add(measured{requests: 1, cpu: other})
	}
	return delivery, bare, nil
}

// deliveryCPU lets svc deliver many copies of a delivery, and returns the CPU time of one.
func deliveryCPU(ctx context.Context, o options, c *filledDatabase, to *hookReceiver) (time.Duration, error) {
	if err := c.run(ctx, []string{
		"DELETE FROM river_job WHERE kind LIKE 'deliver%'",
		"DELETE FROM hook_deliveries WHERE id NOT IN (SELECT max(id) FROM hook_deliveries)",
		"UPDATE hooks SET leased_until = NULL, slow = (1 = 0)",
		"INSERT INTO hook_deliveries (hook_id, message_id, key, url, request_headers, response_headers, response_body, " +
			"response_status, duration) SELECT d.hook_id, d.message_id, d.key, '', '', '', '', 0, 0 FROM hook_deliveries d, " +
			c.numberRows(1, hookDeliveries),
	}); err != nil {
		return 0, err
	}
	before := to.received.Load()
	svc, err := startWithHooks(ctx, o, c)
	if err != nil {
		return 0, err
	}
	defer svc.stop()
	for to.received.Load() < before+hookDeliveries/3 { // the start of the program, and what it does then, does not count
		time.Sleep(time.Millisecond)
	}
	counted := to.received.Load()
	busy, took, err := cpuUntil(svc, func() bool { return to.received.Load() >= before+hookDeliveries })
	if err != nil {
		return 0, err
	}
	// Deliveries are spread over time, in which the program also does what it does without them.
	pause := time.Now().Add(2 * time.Second)
	idle, rest, err := cpuUntil(svc, func() bool { return time.Now().After(pause) })
	if err != nil {
		return 0, err
	}
	busy -= time.Duration(float64(idle) * float64(took) / float64(rest))
	return busy / time.Duration(before+hookDeliveries-counted), nil
}

// cpuUntil returns the CPU time that a process takes until a condition holds, and how long that is.
func cpuUntil(p *process, holds func() bool) (cpu, took time.Duration, err error) {
	began := time.Now()
	first, err := p.cpu()
	if err != nil {
		return 0, 0, err
	}
	for !holds() {
		time.Sleep(time.Millisecond)
	}
	last, err := p.cpu()
	return last - first, time.Since(began), err
}

// bareCPU returns the CPU time of a bare request of the same size by the same client, in a process of its own.
func bareCPU(ctx context.Context, receiver string, size int) (time.Duration, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, self, "post", "--url", receiver, "--size", strconv.Itoa(size))
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()) / hookDeliveries, nil
}

// post runs the command bench post: it makes bare requests with the client of webhooks.
func post(ctx context.Context, args []string, _ io.Writer) error {
	flags := flag.NewFlagSet("bench post", flag.ContinueOnError)
	address := flags.String("url", "", "receiver")
	size := flags.Int("size", 0, "bytes of the body")
	if err := flags.Parse(args); err != nil {
		return err
	}
	allow, err := outbound.ParseAllowlist([]string{"127.0.0.0/8"})
	if err != nil {
		return err
	}
	client := outbound.New(outbound.Options{Allow: allow})
	to, err := url.Parse(*address)
	if err != nil {
		return err
	}
	body := make([]byte, *size)
	for range hookDeliveries {
		if _, err := client.Post(ctx, outbound.Request{URL: to, Body: body}); err != nil {
			return err
		}
	}
	return nil
}
