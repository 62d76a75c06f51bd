package status

import "time"

const (
	// PendingLimit is how long a job waits for a runner before it fails.
	PendingLimit = 24 * time.Hour
	// SilenceLimit is how long a runner may send no update about a job.
	SilenceLimit = time.Hour
	// StaleLimit is how late a delayed job may start, for example if the service was down.
	StaleLimit = time.Hour
	// grace is extra time for a runner to report a timeout itself.
	grace = 15 * time.Minute
)

// JobTimes is a job with its timestamps. A zero time means that the event has not happened.
type JobTimes struct {
	Status    Status
	Queued    time.Time
	Started   time.Time
	Contacted time.Time // the runner's last update about the job
	Scheduled time.Time // when a delayed job is due
	Timeout   time.Duration
}

// Overdue reports whether a job must be dropped now, and why.
func Overdue(j JobTimes, now time.Time) (Reason, bool) {
	since := func(t time.Time) time.Duration {
		if t.IsZero() {
			return 0
		}
		return now.Sub(t)
	}
	switch j.Status {
	case Pending:
		if since(j.Queued) > PendingLimit {
			return StuckOrTimeoutFailure, true
		}
	case Running, Canceling:
		heard := j.Contacted
		if heard.IsZero() {
			heard = j.Started
		}
		switch {
		case j.Timeout > 0 && since(j.Started) > j.Timeout+grace:
			return JobExecutionTimeout, true
		case since(heard) > SilenceLimit:
			return StuckOrTimeoutFailure, true
		}
	case Scheduled:
		if since(j.Scheduled) > StaleLimit {
			return StaleSchedule, true
		}
	}
	return "", false
}
