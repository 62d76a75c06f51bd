package webhook

import (
	"context"
	"runtime"
	"sync"
	"time"
)

const (
	// deliveriesPerCPU is how many deliveries a process begins in a second, for each CPU that it may use. A delivery takes
	// about a quarter of a millisecond of CPU time, so that most of the time is left for requests.
	deliveriesPerCPU = 250
	// paceBurst is how many deliveries may begin at once after a pause.
	paceBurst = 10
)

// pace spreads the deliveries of all hooks over time. Many that wait, for example after a push to many projects, would
// otherwise take every CPU and every turn of the scheduler, and everybody's requests would wait behind them.
type pace struct {
	gap time.Duration // between two deliveries

	mu   sync.Mutex
	next time.Time // when the next delivery may begin
}

func newPace() *pace {
	return &pace{gap: time.Second / time.Duration(deliveriesPerCPU*runtime.GOMAXPROCS(0))}
}

// wait waits until the next delivery may begin.
func (p *pace) wait(ctx context.Context) error {
	delay := p.reserve(time.Now())
	if delay <= 0 {
		return nil
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

// reserve takes the next place, and returns how long it is until then.
func (p *pace) reserve(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if earliest := now.Add(-paceBurst * p.gap); p.next.Before(earliest) {
		p.next = earliest
	}
	delay := p.next.Sub(now)
	p.next = p.next.Add(p.gap)
	return delay
}
