package adminpages

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/transport/web/page"
	"svc/store"
)

// jobStates are the states of background jobs to filter by. Unfinished is what administrators look at first.
var jobStates = []page.Option{
	{Value: "", Label: "Unfinished"},
	{Value: "available", Label: "Waiting"},
	{Value: "scheduled", Label: "Scheduled for later"},
	{Value: "running", Label: "Running"},
	{Value: "retryable", Label: "Failed, will be retried"},
	{Value: "discarded", Label: "Failed for good"},
	{Value: "completed", Label: "Completed"},
	{Value: "cancelled", Label: "Cancelled"},
}

// jobsView is the content of the list of background jobs.
type jobsView struct {
	State page.Field
	Kind  string
	Jobs  []jobView
	Pager page.Pager
}

// jobView is a background job in the list.
type jobView struct {
	store.QueuedJob
	Failure string // the last error, shortened
	Retry   *page.Button
}

// jobs lists background jobs, the oldest first. What a job works on is not shown: that may contain secrets.
// GET /admin/background_jobs
func (p *Pages) jobs(v *page.Visit) error {
	view := jobsView{Kind: strings.TrimSpace(v.QueryParam("kind"))}
	view.State = page.Select("state", "State", v.QueryParam("state"), jobStates...)
	pager := v.PagerOf(jobRows, "state", "kind")
	filter := store.QueueFilter{State: view.State.Value, Kind: view.Kind, Unfinished: view.State.Value == ""}
	if filter.State != "" && !slices.Contains(store.QueueStates, filter.State) {
		return apierr.BadRequest("The state is not known")
	}
	wanted := store.Page{Limit: jobRows + 1, Offset: pager.Page.Offset}
	rows, err := p.Store.QueueJobs(v.Request().Context(), filter, wanted)
	if err != nil {
		return err
	}
	for _, job := range rows[:min(jobRows, len(rows))] {
		one := jobView{QueuedJob: job, Failure: shortened(job.Error)}
		if slices.Contains([]string{"discarded", "cancelled", "retryable", "scheduled"}, job.State) {
			one.Retry = &page.Button{Action: jobsPath + "/" + strconv.FormatInt(job.ID, 10) + "/retry", Label: "Run now", Class: "quiet"}
		}
		view.Jobs = append(view.Jobs, one)
	}
	view.Pager = pager.Of(len(rows) > jobRows)
	return p.show(v, "jobs", "Background jobs", view)
}

const (
	jobRows    = 50  // rows of the list of jobs
	maxFailure = 300 // characters of an error in the list
)

// shortened returns the beginning of a long text, on one line.
func shortened(text string) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > maxFailure {
		return string(runes[:maxFailure]) + "…"
	}
	return string(runes)
}

// retryJob lets a background job run now that failed, was cancelled, or waits for its time.
// POST /admin/background_jobs/{id}/retry
func (p *Pages) retryJob(v *page.Visit) error {
	id, err := v.Number("id")
	if err != nil {
		return err
	}
	ctx := v.Request().Context()
	job, err := p.Store.QueueJob(ctx, id)
	if err != nil {
		return apierr.OrNotFound(err, "")
	}
	done, err := p.Store.QueueRetry(ctx, id)
	var equal *store.ConflictError
	switch {
	case errors.As(err, &equal):
		return apierr.Conflict("409 Conflict - An equal job waits already")
	case err != nil:
		return err
	case !done:
		return apierr.Conflict("409 Conflict - The job is " + job.State + ", and cannot be retried")
	}
	return v.Done(jobsPath, "The job "+strconv.FormatInt(id, 10)+" ("+job.Kind+") runs as soon as a process is free.")
}
