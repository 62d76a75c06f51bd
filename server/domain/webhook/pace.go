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
	// paceBurst is how many deliveries begin together. One after the other costs much less CPU time than with a pause
	// after each.
	paceBurst = 50
)

// pace spreads the deliveries of all hooks over time, in small bursts. Many that wait, for example after a push to many
// projects, would otherwise take every CPU and every turn of the scheduler, and everybody's requests would wait behind
// them.
type pace struct {
	between time.Duration // from the begin of a burst to that of the next one

	mu    sync.Mutex
	begin time.Time // when the current burst may begin
	left  int       // how many deliveries of it have not begun
}

func newPace() *pace {
	return &pace{between: paceBurst * time.Second / time.Duration(deliveriesPerCPU*runtime.GOMAXPROCS(0))}
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

// reserve takes a place in a burst, and returns how long it is until that may begin.
func (p *pace) reserve(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if following := p.begin.Add(p.between); p.left == 0 || !following.After(now) {
		p.begin, p.left = following, paceBurst
		if p.begin.Before(now) {
			p.begin = now
		}
	}
	p.left--
	return p.begin.Sub(now)
}
