// Package telemetry sends traces to a collector, with OTLP over HTTP as JSON.
//
//	exporter.go  the queue of spans and the requests to the collector
//	otlp.go      spans in the form of OTLP
//	headers.go   headers that the administrator has set
package telemetry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"svc/store/observe"
)

const (
	queueSize   = 8192 // spans that wait to be sent; a span has a few hundred bytes
	batchSize   = 512  // spans in one request
	batchTime   = 2 * time.Second
	sendTimeout = 10 * time.Second
	lastSend    = 3 * time.Second // for the spans that are left when the service stops
	attempts    = 3
	maxAnswer   = 64 << 10
)

// Options configures an exporter.
type Options struct {
	Endpoint string // URL of the collector; /v1/traces is appended unless it is there
	Headers  string // name=value, separated by commas
	Instance string // names this process
	Version  string
	Logger   *slog.Logger
}

// Exporter collects spans and sends them together. If the collector is too slow, or away, it drops spans: they never hold
// up what they measure, and they never fill the memory.
type Exporter struct {
	url      string
	header   http.Header
	resource resource
	client   *http.Client
	logger   *slog.Logger
	queue    chan observe.Span
	failing  bool // the last request failed; only Run uses it

	sent, dropped atomic.Int64
}

// New returns an exporter. Run sends the spans.
func New(o Options) (*Exporter, error) {
	to, err := url.Parse(o.Endpoint)
	if err != nil || to.Hostname() == "" {
		return nil, errors.New("the endpoint of the collector is not an absolute URL")
	}
	if !strings.HasSuffix(to.Path, tracesPath) {
		to = to.JoinPath(tracesPath)
	}
	header, err := ParseHeaders(o.Headers)
	if err != nil {
		return nil, err
	}
	header.Set("Content-Type", "application/json")
	return &Exporter{
		url: to.String(), header: header, resource: newResource(o.Instance, o.Version), logger: o.Logger,
		queue: make(chan observe.Span, queueSize),
		client: &http.Client{
			Timeout:       sendTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

const tracesPath = "/v1/traces"

// Add queues a span, or drops it if the queue is full.
func (e *Exporter) Add(s observe.Span) {
	select {
	case e.queue <- s:
	default:
		e.dropped.Add(1)
	}
}

// Counts returns how many spans the collector has accepted, and how many were dropped.
func (e *Exporter) Counts() (sent, dropped int64) { return e.sent.Load(), e.dropped.Load() }

// Run sends spans until the context ends, and then those that are left.
func (e *Exporter) Run(ctx context.Context) {
	tick := time.NewTicker(batchTime)
	defer tick.Stop()
	batch := make([]observe.Span, 0, batchSize)
	for {
		select {
		case s := <-e.queue:
			if batch = append(batch, s); len(batch) < batchSize {
				continue
			}
		case <-tick.C:
		case <-ctx.Done():
			e.sendRest(ctx, batch)
			return
		}
		if !e.send(ctx, batch) {
			e.sendRest(ctx, batch)
			return
		}
		batch = batch[:0]
	}
}

// sendRest sends the spans that are left when the service stops.
func (e *Exporter) sendRest(ctx context.Context, batch []observe.Span) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSend)
	defer cancel()
	for {
		for len(batch) < batchSize && len(e.queue) > 0 {
			batch = append(batch, <-e.queue)
		}
		if !e.send(ctx, batch) {
			e.dropped.Add(int64(len(batch) + len(e.queue)))
			return
		}
		if batch = batch[:0]; len(e.queue) == 0 {
			return
		}
	}
}

// send sends a batch, and tries again if the collector may accept it later. It returns false if the context ended before.
func (e *Exporter) send(ctx context.Context, batch []observe.Span) bool {
	if len(batch) == 0 {
		return true
	}
	body, err := json.Marshal(newRequest(e.resource, batch))
	if err == nil {
		err = e.tryPost(ctx, body, int64(len(batch)))
	}
	switch {
	case err == nil && e.failing:
		e.failing = false
		e.logger.InfoContext(ctx, "the collector accepts traces again")
	case err != nil && ctx.Err() != nil:
		return false
	case err != nil:
		e.dropped.Add(int64(len(batch)))
		if !e.failing {
			e.failing = true
			e.logger.WarnContext(ctx, "cannot send traces to the collector; they are dropped until it accepts them", "error", err)
		}
	}
	return true
}

// tryPost sends the body of a number of spans, a few times if need be.
func (e *Exporter) tryPost(ctx context.Context, body []byte, spans int64) error {
	for try := 1; ; try++ {
		rejected, again, err := e.post(ctx, body)
		if err == nil {
			e.sent.Add(spans - rejected)
			e.dropped.Add(rejected)
			return nil
		}
		if !again || try == attempts || !pause(ctx, time.Duration(try)*time.Second) {
			return err
		}
	}
}

// pause waits, and reports whether the context is still alive.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// post makes one request. It returns how many spans the collector rejected for good, or an error and whether another
// attempt may succeed.
func (e *Exporter) post(ctx context.Context, body []byte) (rejected int64, again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return 0, false, err
	}
	req.Header = e.header.Clone()
	res, err := e.client.Do(req)
	if err != nil {
		return 0, true, withoutURL(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	switch {
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode >= http.StatusBadGateway:
		return 0, true, fmt.Errorf("the collector answered %d", res.StatusCode)
	case res.StatusCode < 200 || res.StatusCode > 299:
		return 0, false, fmt.Errorf("the collector answered %d", res.StatusCode)
	case err != nil:
		return 0, false, err // it has accepted the spans; only its remarks are lost
	}
	return rejectedSpans(answer), false, nil
}

// withoutURL returns the cause of a failed request. The URL may have a password.
func withoutURL(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
