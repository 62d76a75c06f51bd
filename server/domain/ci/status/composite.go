package status

// Result is what a job contributes to the status of its stage and pipeline.
type Result struct {
	Status       Status
	AllowFailure bool
}

// outcome is a set of results, one bit each, with allow_failure taken into account.
type outcome uint16

const (
	created outcome = 1 << iota
	waiting
	preparing
	pending
	running
	success
	failed
	canceled
	skipped
	manual
	scheduled
	warning // failed or canceled, but allowed to fail
	ignored // manual and optional
)

var outcomes = map[Status]outcome{
	Created: created, WaitingForResource: waiting, Preparing: preparing, Pending: pending, Running: running, Canceling: running,
	Success: success, Failed: failed, Canceled: canceled, Skipped: skipped, Manual: manual, Scheduled: scheduled,
}

func (r Result) outcome() outcome {
	switch {
	case r.AllowFailure && (r.Status == Failed || r.Status == Canceled):
		return warning
	case r.AllowFailure && r.Status == Manual:
		return ignored
	}
	return outcomes[r.Status]
}

func gather(results []Result) outcome {
	var all outcome
	for _, r := range results {
		all |= r.outcome()
	}
	return all
}

func (o outcome) onlyOf(allowed outcome) bool { return o&^allowed == 0 }

func (o outcome) anyOf(wanted outcome) bool { return o&wanted != 0 }

// composites is evaluated from the top: the first line that matches gives the status. A line matches if there are no
// results other than only, or if there is at least one of any.
var composites = []struct {
	only, any outcome
	status    Status
}{
	{only: skipped | ignored, status: Skipped},
	{only: success | skipped | warning | ignored, status: Success},
	{only: created | warning | ignored, status: Created},
	{only: preparing | warning | ignored, status: Preparing},
	{only: canceled | success | skipped | warning | ignored, status: Canceled},
	{only: pending | created | skipped | warning | ignored, status: Pending},
	{any: running | pending, status: Running},
	{any: waiting, status: WaitingForResource},
	{any: manual, status: Manual},
	{any: scheduled, status: Scheduled},
	{any: preparing, status: Preparing},
	{any: created, status: Running},
}

// Composite returns the status of a stage or pipeline, computed from its newest jobs. It returns false if there are no
// jobs; the status then stays as it is.
func Composite(results []Result) (Status, bool) {
	all := gather(results)
	if all == 0 {
		return "", false
	}
	return all.status(), true
}

func (o outcome) status() Status {
	for _, c := range composites {
		if c.only != 0 && o.onlyOf(c.only) || c.any != 0 && o.anyOf(c.any) {
			return c.status
		}
	}
	return Failed
}

// HasWarnings reports whether a job failed that is allowed to fail.
func HasWarnings(results []Result) bool { return gather(results).anyOf(warning) }

// TimestampChange says how a change of a pipeline's status affects its timestamps.
type TimestampChange struct {
	Start  bool // the pipeline starts now, unless it started before
	Finish bool // the pipeline is finished now
	Reopen bool // the pipeline was finished and continues
}

// TimestampsAfter returns how a pipeline's move from one status to another affects its timestamps.
func TimestampsAfter(from, to Status) TimestampChange {
	done := func(s Status) bool { return s == Success || s == Failed || s == Canceled || s == Skipped }
	return TimestampChange{
		Start:  to == Running && from != Running,
		Finish: from != to && (to == Success || to == Failed || to == Canceled),
		Reopen: done(from) && !done(to),
	}
}
