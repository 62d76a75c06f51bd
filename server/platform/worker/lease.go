package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// leaseTimes sets how fast the jobs of a dead process start again. A process renews its lease at every beat. It cancels its
// jobs before other processes may start them: one job never runs in two processes at once.
type leaseTimes struct {
	beat        time.Duration // how often a process renews its lease
	stop        time.Duration // after this time without a renewal, a process cancels its jobs
	lease       time.Duration // after this time without a renewal, other processes start the jobs again
	settleAfter time.Duration // how long the queue may take to record that a job began or ended
}

// Lease is how long a process that has ended without a word counts as alive.
const Lease = 7 * time.Second

// defaultLeaseTimes let the work of a dead process begin again within 15 seconds. Its jobs are restarted after at most 8.5
// seconds: the lease and one beat. The periodic jobs follow after at most 6 more, because the queue looks for a new
// leader that often.
var defaultLeaseTimes = leaseTimes{beat: 1500 * time.Millisecond, stop: 4 * time.Second, lease: Lease, settleAfter: 20 * time.Second}

var errLeaseLost = errors.New("this process cannot reach the database; another process will restart the job")

// lease keeps other processes from the jobs of this process, and starts the jobs of dead processes again.
type lease struct {
	leaseTimes
	process string
	queue   processes
	jobs    *runningJobs
	logger  *slog.Logger
	single  bool // no other process works on the queue
	renewed time.Time
}

// processes is the part of the store that records which processes work on the queue.
type processes interface {
	QueueHeartbeat(ctx context.Context, process string) error
	QueueLeave(ctx context.Context, process string) error
	QueueRequeueDead(ctx context.Context, process string, silence time.Duration) (int64, error)
	QueueRunning(ctx context.Context, process string, began time.Duration) ([]int64, error)
	QueueComplete(ctx context.Context, ids []int64) error
	QueueRequeue(ctx context.Context, ids []int64) error
}

// begin registers this process and starts the jobs of dead processes again.
func (l *lease) begin(ctx context.Context) error {
	if !l.single {
		if err := l.queue.QueueHeartbeat(ctx, l.process); err != nil {
			return err
		}
	}
	l.renewed = time.Now()
	return l.adoptJobs(ctx)
}

// keep renews the lease until the context ends.
func (l *lease) keep(ctx context.Context) {
	tick := time.NewTicker(l.beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := l.renew(ctx); err != nil && ctx.Err() == nil {
				l.logger.WarnContext(ctx, "cannot maintain the job queue", "error", err)
			}
		}
	}
}

// renew renews the lease once.
func (l *lease) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.beat)
	defer cancel()
	if l.single {
		return l.recordEnds(ctx)
	}
	asked := time.Now() // the database may record the beat at any time from now on
	if l.expired() {
		l.jobs.cancel(errLeaseLost) // this process was suspended; others may have its jobs by now
	}
	if err := l.queue.QueueHeartbeat(ctx, l.process); err != nil {
		if l.expired() {
			l.jobs.cancel(errLeaseLost)
		}
		return err
	}
	l.renewed = asked
	if err := l.adoptJobs(ctx); err != nil {
		return err
	}
	return l.recordEnds(ctx)
}

func (l *lease) expired() bool { return time.Since(l.renewed) > l.stop }

// adoptJobs starts the jobs of dead processes again.
func (l *lease) adoptJobs(ctx context.Context) error {
	n, err := l.queue.QueueRequeueDead(ctx, l.process, l.lease)
	if n > 0 {
		l.logger.InfoContext(ctx, "restarting jobs of a dead process", "jobs", n)
	}
	return err
}

// recordEnds handles jobs of this process that have ended, but that the queue still counts as running because the database
// was unreachable.
func (l *lease) recordEnds(ctx context.Context) error {
	running, err := l.queue.QueueRunning(ctx, l.process, l.settleAfter)
	if err != nil {
		return err
	}
	done, lost := l.jobs.unrecorded(running, l.settleAfter)
	return errors.Join(l.queue.QueueComplete(ctx, done), l.queue.QueueRequeue(ctx, lost))
}

// end gives the lease back.
func (l *lease) end(ctx context.Context) error {
	if l.single {
		return nil
	}
	return l.queue.QueueLeave(ctx, l.process)
}
