package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"svc/store"
)

// jobCommands list and retry background jobs.
var jobCommands = []adminCommand{
	{
		"list-jobs", "", "[--state STATE] [--kind KIND] [--all] [--limit 100]",
		"lists background jobs, the oldest first, with the error of the last attempt. Completed and cancelled jobs are left out.",
		func(f *adminFlags, set *flag.FlagSet) {
			set.StringVar(&f.state, "state", "", "only jobs in this state: "+strings.Join(store.QueueStates, ", "))
			set.StringVar(&f.kind, "kind", "", "only jobs of this kind, such as send_mail")
			set.BoolVar(&f.all, "all", false, "list completed and cancelled jobs, too")
			f.addLimit(set)
		}, listJobs,
	},
	{
		"retry-job", "ID", "",
		"lets a background job run again now that failed for good, was cancelled, or waits for its time; list-jobs shows the IDs.",
		nil, retryJob,
	},
}

func listJobs(ctx context.Context, c adminCall) error {
	if c.state != "" && !slices.Contains(store.QueueStates, c.state) {
		return fmt.Errorf("--state %q is not one of %s", c.state, strings.Join(store.QueueStates, ", "))
	}
	f := store.QueueFilter{State: c.state, Kind: c.kind, Unfinished: c.state == "" && !c.all}
	jobs, err := c.store.QueueJobs(ctx, f, store.Page{Limit: c.limit + 1})
	if err != nil {
		return err
	}
	more := len(jobs) > c.limit
	jobs = jobs[:min(len(jobs), c.limit)]
	rows := make([][]string, len(jobs))
	for i, j := range jobs {
		rows[i] = []string{
			strconv.FormatInt(j.ID, 10), j.Kind, j.State, fmt.Sprintf("%d/%d", j.Attempt, j.MaxAttempts), minute(&j.ScheduledAt),
			shortened(j.Error),
		}
	}
	return c.printList(jobs, "ID KIND STATE ATTEMPT SCHEDULED ERROR", rows, more)
}

// shortened returns the beginning of a long text, on one line.
func shortened(text string) string {
	const most = 100
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

func retryJob(ctx context.Context, c adminCall) error {
	id, err := c.number("a background job")
	if err != nil {
		return err
	}
	job, err := c.store.QueueJob(ctx, id)
	if store.IsNotFound(err) {
		return fmt.Errorf("there is no background job %d; svc admin list-jobs lists the jobs", id)
	}
	if err != nil {
		return err
	}
	done, err := c.store.QueueRetry(ctx, id)
	var equal *store.ConflictError
	switch {
	case errors.As(err, &equal):
		return fmt.Errorf("an equal job of the kind %s waits already", job.Kind)
	case err != nil:
		return err
	case !done:
		return fmt.Errorf("the background job %d (%s) is %s; only jobs that are discarded, cancelled, retryable or scheduled can be "+
			"retried", id, job.Kind, job.State)
	}
	return c.printDone(map[string]any{"id": id, "kind": job.Kind, "state": "available"},
		"The background job %d (%s) runs again as soon as a process of the service is free.", id, job.Kind)
}
