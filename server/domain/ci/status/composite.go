package status

// Result is what a job adds to the state of its stage and pipeline.
type Result struct {
	Status       Status
	AllowFailure bool
}

// outcome is a set of results after allow_failure was heeded, one bit each.
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
	warning // failed or canceled, and it may
	ignored // manual, and nobody has to
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

// composites is read from the top: the first line that fits tells the state. A line asks that there is nothing else
// (only), or that there is something (any).
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

// Composite is the state of a stage or a pipeline out of its newest jobs. False says that there are none, and the state
// stays as it is.
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

// HasWarnings tells whether a job failed that may, which the pages show.
func HasWarnings(results []Result) bool { return gather(results).anyOf(warning) }

// Moment is what a pipeline's change of state does to its times.
type Moment struct {
	Start  bool // it starts now, if it has not before
	Finish bool // it is finished now
	Reopen bool // it was finished and goes on
}

// Change tells what a pipeline's move from one state to another means for its times.
func Change(from, to Status) Moment {
	done := func(s Status) bool { return s == Success || s == Failed || s == Canceled || s == Skipped }
	return Moment{
		Start:  to == Running && from != Running,
		Finish: from != to && (to == Success || to == Failed || to == Canceled),
		Reopen: done(from) && !done(to),
	}
}
