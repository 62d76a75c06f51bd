package webhook

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestDeliveriesFollowEachOtherAtAPace(t *testing.T) {
	t.Parallel()
	p, now := &pace{gap: time.Millisecond}, time.Now()
	for n := range 30 {
		want := time.Duration(n-paceBurst) * time.Millisecond
		if got := p.reserve(now); got != want {
			t.Fatalf("delivery %d waits %s, want %s", n, got, want)
		}
	}
	later := now.Add(time.Second) // a pause does not save up more than one burst
	if got := p.reserve(later); got != -paceBurst*time.Millisecond {
		t.Errorf("after a pause: %s", got)
	}
	p.next = time.Now().Add(time.Hour)
	stopped, stop := context.WithCancelCause(t.Context())
	ended := errors.New("the server stops")
	stop(ended)
	if err := p.wait(stopped); !errors.Is(err, ended) {
		t.Error(err)
	}
}
