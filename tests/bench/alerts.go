package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

const (
	intakeLimit   = time.Millisecond
	alertsASecond = 500
	alertSenders  = 16
	alertFamilies = 50 // fingerprints that repeat
	maxAlertDelay = 2 * time.Second
)

// alertSeconds is how long alerts come in: a minute, or the value of SVC_BENCH_ALERTS, to try the row out.
var alertSeconds = func() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_ALERTS")); err == nil && n > 0 {
		return n
	}
	return 60
}()

// alertBench measures the intake of alerts.
type alertBench struct {
	*ciBench
	path, key string
	sent      atomic.Int64
}

// benchAlerts measures the cost of one alert, and whether svc stores all alerts at a sustained rate.
func benchAlerts(ctx context.Context, o options, kind, folder string, rep *report) error {
	return benchAlone(ctx, o, kind, folder, "alerts", rep, func(alone *ciBench) error {
		b := &alertBench{ciBench: alone}
		fmt.Fprintf(rep.out, "\n%s, alerts; CPU with the database's\n", label(kind))
		return b.each(ctx, b.integrate, b.single, b.sustained)
	})
}

// integrate creates a project with an alert integration.
func (b *alertBench) integrate(context.Context) error {
	if err := b.call(rawRequest(http.MethodPost, projectsPath, `{"name":"bench"}`), http.StatusCreated, nil); err != nil {
		return err
	}
	var made struct{ URL, Key string }
	if err := b.call(
		rawRequest(http.MethodPost, "/api/v4/projects/1/alert_integrations", `{"type":"http","name":"Bench"}`),
		http.StatusCreated, &made,
	); err != nil {
		return err
	}
	at, err := url.Parse(made.URL)
	if err != nil {
		return err
	}
	b.path, b.key = at.Path, made.Key
	return nil
}

// next returns a request with an alert. Every second request has a new fingerprint; the others repeat one of
// alertFamilies.
func (b *alertBench) next() []byte {
	n := b.sent.Add(1)
	fingerprint := fmt.Sprintf("family %d", n%alertFamilies)
	if n%2 == 0 {
		fingerprint = fmt.Sprintf("single %d", n)
	}
	body := fmt.Sprintf(`{"title":"Disk almost full on web-%d","description":"93 %% of /var are used.",`+
		`"severity":"high","service":"shop","monitoring_tool":"bench","hosts":["web-%d"],`+
		`"fingerprint":%q,"svc_environment_name":"production","used":93.2,"mount":{"path":"/var","device":"/dev/sda2"}}`, n, n, fingerprint)
	return fmt.Appendf(
		nil,
		"POST %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		b.path, b.key, len(body), body,
	)
}

func (b *alertBench) single(ctx context.Context) error {
	took, err := b.measureCPU(ctx, 3, 300, func() error { return b.call(b.next(), http.StatusOK, nil) })
	if err != nil {
		return err
	}
	b.judge("alert taken in", took, intakeLimit)
	return nil
}

// sustained sends alerts at a steady rate, without waiting for earlier answers, and counts the stored events.
func (b *alertBench) sustained(ctx context.Context) error {
	due := make(chan struct{}, alertsASecond*alertSeconds)
	var wait sync.WaitGroup
	errs := make([]error, alertSenders)
	began := time.Now()
	for i := range errs {
		wait.Go(func() { errs[i] = b.send(due) })
	}
	total := alertsASecond * alertSeconds
	for n := range total {
		time.Sleep(time.Until(began.Add(time.Duration(n) * time.Second / alertsASecond)))
		due <- struct{}{}
		if ctx.Err() != nil {
			break
		}
	}
	close(due)
	wait.Wait()
	took := time.Since(began)
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return err
	}
	var kept int64
	if err := b.sql.QueryRowContext(ctx, "SELECT sum(events) FROM alerts").Scan(&kept); err != nil {
		return err
	}
	late := took - time.Duration(alertSeconds)*time.Second
	b.rep.number(late < maxAlertDelay && kept == b.sent.Load(),
		fmt.Sprintf("%d alerts a second for %d s, none lost, %s", alertsASecond, alertSeconds, label(b.kind)),
		fmt.Sprintf(
			"%d sent, %d kept, %.0f a second, %.0f ms late", b.sent.Load(), kept, float64(total)/took.Seconds(),
			millis(max(late, 0)),
		))
	return nil
}

// send sends an alert for each element of due, over one connection.
func (b *alertBench) send(due <-chan struct{}) error {
	c, err := dial(b.svc.addr)
	if err != nil {
		return b.svc.fail(err)
	}
	defer c.close()
	for range due {
		status, err := c.do(b.next())
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("answered %d: %.300s", status, c.body)
		}
		if err != nil {
			return b.svc.fail(err)
		}
	}
	return nil
}
