package status

import "slices"

// Retry says how often, and after which failures, a job is retried automatically.
type Retry struct {
	Max       int
	When      []string // reasons, or "always"; an empty list means always, unless there are exit codes
	ExitCodes []int
}

// neverRetried are failures that would only happen again.
var neverRetried = []Reason{
	CIQuotaExceeded, NoMatchingRunner, MissingDependencyFailure, ForwardDeploymentFailure, FailedOutdatedDeploymentJob,
	EnvironmentCreationFailure,
}

// schedulerRetries is how often a job is retried after we failed to give it to a runner, regardless of its own
// settings.
const schedulerRetries = 2

// ShouldRetry reports whether a failed job is retried, after it has been retried the given number of times.
func (r Retry) ShouldRetry(times int, reason Reason, exitCode *int) bool {
	if slices.Contains(neverRetried, reason) {
		return false
	}
	if r.fits(reason, exitCode) && r.Max > 0 {
		return times < r.Max
	}
	return reason == SchedulerFailure && times < schedulerRetries
}

func (r Retry) fits(reason Reason, exitCode *int) bool {
	if exitCode != nil && slices.Contains(r.ExitCodes, *exitCode) {
		return true
	}
	if len(r.When) == 0 {
		return len(r.ExitCodes) == 0
	}
	return slices.Contains(r.When, "always") || slices.Contains(r.When, string(reason))
}

// FailureAllowed reports whether a job with this exit code is allowed to fail. If there are codes, they decide instead
// of allowFailure.
func FailureAllowed(allowFailure bool, codes []int, exitCode *int) bool {
	if len(codes) == 0 {
		return allowFailure
	}
	return exitCode != nil && slices.Contains(codes, *exitCode)
}
