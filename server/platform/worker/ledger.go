package worker

import (
	"context"
	"sync"
	"time"
)

// runningJobs lists the jobs that this process is running, and those that have just ended.
type runningJobs struct {
	mu     sync.Mutex
	active map[int64]running
	ended  map[int64]ending
}

// running is a job that is running.
type running struct {
	cancel   context.CancelCauseFunc
	outgoing bool // the job waits for another server
}

// ending records how a job ended.
type ending struct {
	at   time.Time
	done bool
}

func newLedger() *runningJobs {
	return &runningJobs{active: map[int64]running{}, ended: map[int64]ending{}}
}

// run runs a job and lists it as active meanwhile.
func (l *runningJobs) run(ctx context.Context, id int64, outgoing bool, work func(ctx context.Context) error) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l.mu.Lock()
	l.active[id] = running{cancel, outgoing}
	delete(l.ended, id)
	l.mu.Unlock()
	done := false
	defer func() { // also if the job panics
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.active, id)
		l.ended[id] = ending{at: time.Now(), done: done}
	}()
	err = work(ctx)
	done = err == nil
	return err
}

// cancel cancels all active jobs.
func (l *runningJobs) cancel(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, job := range l.active {
		job.cancel(cause)
	}
}

// cancelOutgoing cancels the active jobs that wait for another server.
func (l *runningJobs) cancelOutgoing(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, job := range l.active {
		if job.outgoing {
			job.cancel(cause)
		}
	}
}

// unrecorded sorts jobs that the queue counts as running: into those that are done, and those that failed or never began.
// Jobs that are active, or ended a moment ago, are in neither list. Jobs that ended long ago are removed from the
// ledger. That must not happen sooner: the ids may have been read some time ago, and a job that was too recent then
// comes up again the next time.
func (l *runningJobs) unrecorded(ids []int64, moment time.Duration) (done, lost []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	since := time.Now().Add(-moment)
	for _, id := range ids {
		end, ended := l.ended[id]
		_, active := l.active[id]
		switch {
		case active, ended && end.at.After(since):
		case end.done:
			done = append(done, id)
		default:
			lost = append(lost, id)
		}
	}
	for id, end := range l.ended {
		if end.at.Before(since.Add(-3 * moment)) {
			delete(l.ended, id)
		}
	}
	return done, lost
}
