package status

// Interruptible is what decides whether a job goes when a newer pipeline comes.
type Interruptible struct {
	Status        Status
	Interruptible bool
	Started       bool // it is or was run
}

// Superseded tells which jobs of an older pipeline are canceled when there is a newer one for the same ref; mode is
// workflow:auto_cancel:on_new_commit. The answer has an entry for each job.
//
//	conservative   all of them, unless a job has started that must not be interrupted
//	interruptible  those that may be interrupted
//	none, disabled none
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

// AfterFailure tells which jobs are canceled when one has failed and workflow:auto_cancel:on_job_failure is all.
func AfterFailure(mode string, jobs []Interruptible) []bool {
	canceled := make([]bool, len(jobs))
	for i, j := range jobs {
		canceled[i] = mode == "all" && j.Status.IsCancelable()
	}
	return canceled
}
