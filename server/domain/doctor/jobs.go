package doctor

import (
	"context"
	"fmt"
	"strings"
	"time"

	"svc/store"
)

const (
	// stuckAfter is how long a job may wait or run before it counts as stuck. Jobs have ten minutes.
	stuckAfter = 15 * time.Minute
	// deadAfter is how long a process may be silent before it counts as dead, as in package worker.
	deadAfter = 20 * time.Second

	mostJobs = 1000
)

// stuckKind is a group of stuck jobs that differ only in their number.
type stuckKind struct{ state, kind string }

// checkJobs looks for background jobs that do not advance.
func (d *Doctor) checkJobs(ctx context.Context, r *Result) error {
	jobs, err := d.store.QueueStuck(ctx, stuckAfter, mostJobs)
	if err != nil {
		return err
	}
	depth, err := d.store.QueueDepth(ctx)
	if err != nil {
		return err
	}
	r.Note = fmt.Sprintf("%d waiting, %d running, %d waiting after a failure", depth["available"]+depth["scheduled"], depth["running"],
		depth["retryable"])
	var order []stuckKind
	groups := map[stuckKind][]store.QueuedJob{}
	for _, job := range jobs {
		key := stuckKind{job.State, job.Kind}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], job)
	}
	for _, key := range order {
		d.reportJobs(r, key, groups[key])
	}
	return nil
}

// reportJobs reports the stuck jobs of one kind in one state.
func (d *Doctor) reportJobs(r *Result, key stuckKind, jobs []store.QueuedJob) {
	last := jobs[len(jobs)-1]
	switch key.state {
	case "discarded":
		r.warn(fmt.Sprintf("Remove the cause, then: svc admin retry-job %d (svc admin list-jobs --state discarded lists all)", last.ID),
			"%s %s: failed for good; the last error is %s", count(len(jobs)), key.kind, quoted(last.Error))
	case "available":
		if !d.Running && !d.store.Postgres() {
			return // the service is stopped; it will run them
		}
		r.problem("Start svc serve on a machine that reaches the database, or look into its log for messages of the job queue.",
			"%s %s: could run, but waits for more than %s", count(len(jobs)), key.kind, stuckAfter)
	default:
		text := fmt.Sprintf("%s %s: running for more than %s", count(len(jobs)), key.kind, stuckAfter)
		if d.Running && !d.store.Postgres() {
			r.warn("Look into the log of the service; a restart starts them again.", "%s", text)
			return
		}
		r.addFixable(Warning, text, "svc doctor --fix --only jobs, or start svc serve: both start jobs of dead processes again",
			d.requeueDead)
	}
}

// requeueDead makes jobs of dead processes available again, as a starting process does.
func (d *Doctor) requeueDead(ctx context.Context) (string, error) {
	n, err := d.store.QueueRequeueDead(ctx, "svc doctor", deadAfter)
	return fmt.Sprintf("made %d jobs of dead processes available again", n), err
}

func count(n int) string {
	if n == 1 {
		return "1 background job"
	}
	return fmt.Sprintf("%d background jobs", n)
}

// quoted shortens the text of an error.
func quoted(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return fmt.Sprintf("%q", text)
}
