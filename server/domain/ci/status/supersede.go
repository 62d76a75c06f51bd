package status

// Interruptible holds the facts that decide whether a job is canceled when a newer pipeline starts.
type Interruptible struct {
	Status        Status
	Interruptible bool
	Started       bool // the job runs or has run
}

// Superseded returns, for each job of an older pipeline, whether to cancel it because of a newer pipeline for the same
// ref. Mode is workflow:auto_cancel:on_new_commit:
//
//	conservative    all jobs, unless a job has started that must not be interrupted
//	interruptible   jobs that may be interrupted
//	none, disabled  no jobs
func Superseded(mode string, jobs []Interruptible) []bool {
	canceled := make([]bool, len(jobs))
	switch mode {
	case "", "conservative":
		for _, j := range jobs {
			if j.Started && !j.Interruptible {
				return canceled
			}
		}
	case "interruptible":
	default:
		return canceled
	}
	for i, j := range jobs {
		wanted := j.Interruptible || mode != "interruptible"
		canceled[i] = wanted && (j.Status.IsCancelable() || j.Status == Manual)
	}
	return canceled
}

// AfterFailure returns, for each job, whether to cancel it because another job failed. Mode is
// workflow:auto_cancel:on_job_failure.
func AfterFailure(mode string, jobs []Interruptible) []bool {
	canceled := make([]bool, len(jobs))
	for i, j := range jobs {
		canceled[i] = mode == "all" && j.Status.IsCancelable()
	}
	return canceled
}
