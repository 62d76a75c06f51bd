package webhook

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestDeliveriesBeginInBursts(t *testing.T) {
	t.Parallel()
	p, now := &pace{between: time.Second}, time.Now()
	for n := range 3 * paceBurst {
		want := time.Duration(n/paceBurst) * time.Second
		if got := p.reserve(now); got != want {
			t.Fatalf("delivery %d waits %s, want %s", n, got, want)
		}
	}
	later := now.Add(time.Minute) // a pause does not save up more than one burst
	for n := range paceBurst + 1 {
		want := time.Duration(n/paceBurst) * time.Second
		if got := p.reserve(later); got != want {
			t.Fatalf("after a pause, delivery %d waits %s, want %s", n, got, want)
		}
	}
}

func TestADeliveryThatWaitsForItsBurstEndsWithTheServer(t *testing.T) {
	t.Parallel()
	p := &pace{between: time.Hour, begin: time.Now()}
	stopped, stop := context.WithCancelCause(t.Context())
	ended := errors.New("the server stops")
	stop(ended)
	if err := p.wait(stopped); !errors.Is(err, ended) {
		t.Error(err)
	}
}
