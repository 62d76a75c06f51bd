package status

// Waiting is a job in status created that has not been started or skipped yet.
type Waiting struct {
	When          string // on_success, on_failure, always, manual or delayed
	HasNeeds      bool   // it waits for its needs, not for the earlier stages
	ResourceGroup bool   // it needs a resource that only one job at a time may have
}

// Next returns the event for a waiting job, given the results of the jobs that it waits for: its needs, or all jobs of
// earlier stages. It returns false if the job must continue to wait.
func Next(w Waiting, before []Result) (Event, bool) {
	status := Success
	if len(before) > 0 {
		status = gather(before).before(w.HasNeeds)
	}
	if !status.IsComplete() {
		return "", false
	}
	if !w.runsAfter(status) {
		return Skip, true
	}
	return w.start(), true
}

// before returns the combined status of the jobs that a job waits for. With needs, one skipped job causes Skipped, and
// one unfinished job causes Pending. With stages, the jobs count together.
func (o outcome) before(needs bool) Status {
	if needs {
		switch {
		case o.anyOf(skipped | ignored):
			return Skipped
		case !o.onlyOf(success | failed | canceled | warning):
			return Pending
		}
	}
	return o.status()
}

// runsAfter reports whether the job runs when the jobs before it have the given combined status.
func (w Waiting) runsAfter(before Status) bool {
	switch w.When {
	case "on_success", "manual", "delayed":
		return before == Success || before == Skipped && !w.HasNeeds
	case "on_failure":
		return before == Failed
	case "always":
		return before == Success || before == Failed || before == Skipped
	}
	return false
}

// start returns the event that starts the job.
func (w Waiting) start() Event {
	switch w.When {
	case "delayed":
		return Schedule
	case "manual":
		return Actionize
	}
	return w.Play()
}

// Play returns the event for a job that waits for nothing else: a user has played it, or its time has come.
func (w Waiting) Play() Event {
	if w.ResourceGroup {
		return WaitForResource
	}
	return Enqueue
}
