package status

// Job is what decides about what a user may do to a job.
type Job struct {
	Status       Status
	When         string
	Retried      bool // a newer job took its place
	Archived     bool
	Erased       bool
	HasLog       bool
	HasArtifacts bool
	Rejected     bool // its deployment was
}

// CanCancel tells whether cancelling does anything; otherwise the job is answered as it is.
func (j Job) CanCancel() bool { return j.Status.IsCancelable() || j.Status == Manual }

// CanRetry tells whether a new job may take its place.
func (j Job) CanRetry() bool {
	done := j.Status == Success || j.Status == Failed || j.Status == Canceled
	return done && !j.Retried && !j.Archived && !j.Rejected
}

// CanErase tells whether there is something to erase.
func (j Job) CanErase() bool {
	return j.Status.IsComplete() && !j.Erased && (j.HasLog || j.HasArtifacts)
}

// CanPlay tells whether the job may be started by hand: it waits for that or for its time, or is a manual job that ran
// before and may run once more.
func (j Job) CanPlay() bool {
	if j.Archived || j.Rejected {
		return false
	}
	return j.Status.IsBlocked() || j.When == "manual" && j.CanRetry()
}

// PlaysByRetry tells whether playing makes a new job, because the old one has run.
func (j Job) PlaysByRetry() bool { return !j.Status.IsBlocked() }

// Reopens tells whether a job waits again when one that it follows is tried again: it was skipped, or asked for a person.
func (j Job) Reopens() bool {
	_, ok := j.Status.After(Process)
	return ok && !j.Retried
}
