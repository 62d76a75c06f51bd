package syntax

// maxRetries is the largest number of automatic retries of a job.
const maxRetries = 2

// RetryReasons are the allowed values of retry:when. The value always means all failures.
var RetryReasons = []string{
	"always", "unknown_failure", "script_failure", "api_failure", "stuck_or_timeout_failure", "runner_system_failure",
	"runner_unsupported", "stale_schedule", "job_execution_timeout", "archived_failure", "unmet_prerequisites",
	"scheduler_failure", "data_integrity_failure",
}

// retry reads a number, or a dictionary with the reasons.
func (d decoder) retry(path string, v *value) Retry {
	var r Retry
	switch v.kind {
	case integer:
		r.Max = d.retryMax(path+" config", v)
	case dict:
		d.object(path, v, fields{
			"max":        func(v *value) { r.Max = d.retryMax(path+" max", v) },
			"when":       func(v *value) { r.When = d.choices(path+" when", v, RetryReasons...) },
			"exit_codes": func(v *value) { r.ExitCodes = d.exitCodes(path+" exit codes", v) },
		})
		if v.get("max") == nil {
			d.warn(v.at, "%s has no max, so the job is never retried", path)
		}
	default:
		d.fail(v.at, "%s config has to be either an integer or a hash", path)
	}
	return r
}

func (d decoder) retryMax(subject string, v *value) int {
	n, ok := d.wholeNumber(subject, v)
	switch {
	case !ok:
	case n < 0:
		d.fail(v.at, "%s must be greater than or equal to 0", subject)
	case n > maxRetries:
		d.fail(v.at, "%s must be less than or equal to %d", subject, maxRetries)
	default:
		return n
	}
	return 0
}
