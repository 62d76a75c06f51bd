package status

// Job holds the facts that decide which actions a user may take on a job.
type Job struct {
	Status       Status
	When         string
	Retried      bool // a newer job has replaced it
	Archived     bool
	Erased       bool
	HasLog       bool
	HasArtifacts bool
	Rejected     bool // its deployment was rejected
}

// CanCancel reports whether the job can be canceled. If not, the API returns the job unchanged.
func (j Job) CanCancel() bool { return j.Status.IsCancelable() || j.Status == Manual }

// CanRetry reports whether a new job may replace this one.
func (j Job) CanRetry() bool {
	done := j.Status == Success || j.Status == Failed || j.Status == Canceled
	return done && !j.Retried && !j.Archived && !j.Rejected
}

// CanErase reports whether the job has a log or artifacts to erase.
func (j Job) CanErase() bool {
	return j.Status.IsComplete() && !j.Erased && (j.HasLog || j.HasArtifacts)
}

// CanPlay reports whether a user may start the job: it is manual or delayed and waits, or it is a manual job that has
// run and may run again.
func (j Job) CanPlay() bool {
	if j.Archived || j.Rejected {
		return false
	}
	return j.Status.IsBlocked() || j.When == "manual" && j.CanRetry()
}

// PlaysByRetry reports whether playing the job creates a new job, because this one has already run.
func (j Job) PlaysByRetry() bool { return !j.Status.IsBlocked() }

// Reopens reports whether the job waits again when an earlier job is retried. Skipped and manual jobs do.
func (j Job) Reopens() bool {
	_, ok := j.Status.After(Process)
	return ok && !j.Retried
}
