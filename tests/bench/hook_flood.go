package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"time"
)

const (
	floodHooks      = 8
	floodDeliveries = 10_000
	floodTime       = 3 * time.Second // length of one measurement
	floodLead       = 2 * time.Second // from the first statement of a flood to its first delivery
	mostFloodGrowth = 2.0             // most p99 of GET /user in a flood, relative to the time without
)

// benchFlood measures the tail of GET /user while 10,000 deliveries wait for the hooks of a project, by turns with the
// tail without them.
func benchFlood(ctx context.Context, o options, kind string, c *filledDatabase, rep *report) error {
	to := &hookReceiver{}
	web := httptest.NewServer(to)
	defer web.Close()
	svc, err := startWithHooks(ctx, o, c)
	if err != nil {
		return err
	}
	defer svc.stop()
	f := &flood{b: &gitBench{svc: svc}, database: c, to: to}
	if err := f.addHooks(ctx, web.URL); err != nil {
		return err
	}
	reader := [][]byte{rawRequest(http.MethodGet, "/api/v4/user", "")}
	if _, err := paced(ctx, svc, reader, time.Second); err != nil { // warms up
		return err
	}
	var quiet, loud measured
	var drained time.Duration
	rounds := max(1, o.rounds/2)
	for range rounds {
		m, err := paced(ctx, svc, reader, floodTime)
		if err != nil {
			return err
		}
		quiet.add(m)
		if err := f.begin(ctx); err != nil {
			return err
		}
		began := time.Now()
		if m, err = paced(ctx, svc, reader, floodTime); err != nil {
			return err
		}
		loud.add(m)
		if err := f.wait(ctx); err != nil {
			return err
		}
		drained += time.Since(began)
	}
	growth := float64(loud.percentile(99)) / float64(quiet.percentile(99))
	rep.number(growth <= mostFloodGrowth, fmt.Sprintf("10,000 webhook deliveries: p99 of GET user, 200 a second, at most x 2, %s",
		label(kind)), fmt.Sprintf("%.1f: %.2f to %.2f ms (p50 %.2f to %.2f ms; all delivered after %.1f s)", growth,
		millis(quiet.percentile(99)), millis(loud.percentile(99)), millis(quiet.percentile(50)), millis(loud.percentile(50)),
		(drained/time.Duration(rounds)).Seconds()))
	return nil
}

// flood makes many deliveries wait at once.
type flood struct {
	b        *gitBench
	database *filledDatabase
	to       *hookReceiver
	issues   string
	want     int64 // deliveries that the receiver has got when everything is delivered
}

// addHooks adds hooks for issues to a new project.
func (f *flood) addHooks(ctx context.Context, receiver string) error {
	if _, err := f.b.ask(ctx, http.MethodPost, "/api/v4/projects", "name=flood"); err != nil {
		return err
	}
	f.issues = "/api/v4/projects/root%2Fflood/issues"
	for n := range floodHooks {
		form := fmt.Sprintf("push_events=false&issues_events=true&url=%s", url.QueryEscape(fmt.Sprintf("%s/%d", receiver, n)))
		if _, err := f.b.ask(ctx, http.MethodPost, "/api/v4/projects/root%2Fflood/hooks", form); err != nil {
			return err
		}
	}
	return nil
}

// begin lets an issue cause one delivery for each hook, adds copies of them while the hooks are leased, and returns when
// the first of them has arrived.
func (f *flood) begin(ctx context.Context) error {
	before := f.to.received.Load()
	until := time.Now().UTC().Add(floodLead).Format("2006-01-02 15:04:05.000000-07:00")
	lease := "UPDATE hooks SET leased_until = '" + until + "' WHERE url LIKE '%/_'"
	if err := f.database.run(ctx, []string{lease}); err != nil {
		return err
	}
	if _, err := f.b.ask(ctx, http.MethodPost, f.issues, "title=Flood"); err != nil {
		return err
	}
	const copies = floodDeliveries/floodHooks - 1
	if err := f.database.run(ctx, []string{
		"INSERT INTO hook_deliveries (hook_id, message_id, key, url, request_headers, response_headers, response_body, " +
			"response_status, duration) SELECT d.hook_id, d.message_id, d.key, '', '', '', '', 0, 0 FROM hook_deliveries d, " +
			f.database.numberRows(1, copies) + " WHERE d.delivered_at IS NULL",
	}); err != nil {
		return err
	}
	if f.to.received.Load() > before {
		return errors.New("the flood began too early")
	}
	f.want = before + floodDeliveries
	return f.waitFor(ctx, before+1)
}

// wait returns when everything is delivered.
func (f *flood) wait(ctx context.Context) error { return f.waitFor(ctx, f.want) }

func (f *flood) waitFor(ctx context.Context, n int64) error {
	for until := time.Now().Add(3 * time.Minute); f.to.received.Load() < n; time.Sleep(time.Millisecond) {
		if ctx.Err() != nil || time.Now().After(until) {
			return fmt.Errorf("%d of %d deliveries came", f.to.received.Load(), n)
		}
	}
	return nil
}
