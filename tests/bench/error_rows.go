package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const errorLimit = 1500 * time.Microsecond

// benchErrors measures the cost of one error report.
func benchErrors(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "errors", rep, func(b *ciBench) error { return b.errors(ctx) })
}

func (b *ciBench) errors(ctx context.Context) error {
	const tracking = "/api/v4/projects/1/error_tracking"
	var key struct {
		PublicKey string `json:"public_key"`
	}
	if err := errors.Join(
		b.call(rawRequest(http.MethodPost, projectsPath, `{"name":"bench"}`), http.StatusCreated, nil),
		b.call(rawRequest(http.MethodPut, tracking+"/settings", `{"active":true,"integrated":true}`), http.StatusOK, nil),
		b.call(rawRequest(http.MethodPost, tracking+"/client_keys", ""), http.StatusCreated, &key),
	); err != nil {
		return err
	}
	fmt.Fprintf(b.rep.out, "\n%s, errors; CPU with the database's\n", label(b.kind))
	sent := 0
	took, err := b.measureCPU(ctx, 3, 50, func() error { // stays below the limit of a project per minute
		sent++
		return b.call(errorReport(key.PublicKey, sent), http.StatusOK, nil)
	})
	if err != nil {
		return err
	}
	b.judge("event of an error", took, errorLimit)
	return nil
}

// errorReport returns a request with an error as a client library sends it. Errors and their places repeat every 50
// requests.
func errorReport(key string, n int) []byte {
	event := fmt.Sprintf(`{"event_id":"%032x","platform":"go","level":"error","timestamp":"2026-05-01T10:00:00Z",`+
		`"environment":"production","exception":{"values":[{"type":"*errors.Error%d",`+
		`"value":"no such row","stacktrace":{"frames":[{"function":"main","module":"shop","filename":"main.go",`+
		`"lineno":12},{"function":"Find","module":"shop/cart","filename":"cart.go","lineno":%d}]}}]}}`,
		n, n%50, 100+n%50)
	body := fmt.Sprintf("{\"event_id\":\"%032x\"}\n{\"type\":\"event\",\"length\":%d}\n%s\n", n, len(event), event)
	return fmt.Appendf(nil,
		"POST /api/v4/error_tracking/collector/api/1/envelope/?sentry_key=%s HTTP/1.1\r\nHost: "+
			"bench\r\nContent-Type: application/x-sentry-envelope\r\nContent-Length: %d\r\n\r\n%s",
		key, len(body), body)
}
