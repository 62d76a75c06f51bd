package observe

import (
	"sync/atomic"
	"time"
)

// Bounds are the upper bounds of the buckets of Times, in seconds.
var Bounds = [...]float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300}

// Times counts durations in buckets. The zero value is ready.
type Times struct {
	buckets [len(Bounds) + 1]atomic.Uint64 // the last one has everything above the largest bound
	sum     atomic.Int64
}

// Observe adds a duration.
func (t *Times) Observe(took time.Duration) {
	seconds, i := took.Seconds(), 0
	for i < len(Bounds) && seconds > Bounds[i] {
		i++
	}
	t.buckets[i].Add(1)
	t.sum.Add(int64(took))
}

// Read returns the number of durations, their sum in seconds, and how many are at most as long as each of the bounds.
func (t *Times) Read() (count uint64, sum float64, upTo map[float64]uint64) {
	upTo = make(map[float64]uint64, len(Bounds))
	for i, bound := range Bounds {
		count += t.buckets[i].Load()
		upTo[bound] = count
	}
	count += t.buckets[len(Bounds)].Load()
	return count, time.Duration(t.sum.Load()).Seconds(), upTo
}

// Outcomes counts what succeeded and what failed. The zero value is ready.
type Outcomes struct{ succeeded, failed atomic.Int64 }

// Add counts one outcome.
func (o *Outcomes) Add(success bool) {
	if success {
		o.succeeded.Add(1)
	} else {
		o.failed.Add(1)
	}
}

// Read returns the numbers so far.
func (o *Outcomes) Read() (succeeded, failed int64) { return o.succeeded.Load(), o.failed.Load() }

// Served counts the answers of a protocol: how long they took, and whether they succeeded. The zero value is ready, and
// nil counts nothing.
type Served struct {
	Times    Times
	Outcomes Outcomes
}

// Begin returns a function that counts an answer, whose time begins now.
func (s *Served) Begin() func(success bool) {
	if s == nil {
		return func(bool) {}
	}
	began := time.Now()
	return func(success bool) {
		s.Times.Observe(time.Since(began))
		s.Outcomes.Add(success)
	}
}
