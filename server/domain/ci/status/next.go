package status

// Waiting is a job that is created and not yet decided about.
type Waiting struct {
	When          string // on_success, on_failure, always, manual or delayed
	HasNeeds      bool   // it waits for its needs, not for the stages before
	ResourceGroup bool   // it needs a resource that only one job at a time may have
}

// Next is what becomes of a waiting job, given the jobs it waits for: its needs, or all jobs of earlier stages. False says
// that it goes on waiting.
func Next(w Waiting, before []Result) (Event, bool) {
	status := Success
	if len(before) > 0 {
		status = gather(before).before(w.HasNeeds)
	}
	if !status.IsComplete() {
		return "", false
	}
	if !w.wants(status) {
		return Skip, true
	}
	return w.start(), true
}

// before is the state of the jobs that a job waits for. With needs, one that was not run takes the job with it, and any
// that is not done holds it up; with stages they count together.
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

// wants tells whether the job runs after jobs that came out so.
func (w Waiting) wants(before Status) bool {
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

// start is how the job sets out.
func (w Waiting) start() Event {
	switch w.When {
	case "delayed":
		return Schedule
	case "manual":
		return Actionize
	}
	return w.Play()
}

// Play is how a job sets out that waits for nothing any more: after a person asked for it, or its time came.
func (w Waiting) Play() Event {
	if w.ResourceGroup {
		return WaitForResource
	}
	return Enqueue
}
