package status

import "slices"

// Retry is how often and after which failures a job is tried again by itself.
type Retry struct {
	Max       int
	When      []string // reasons, or always; none stands for always, unless there are exit codes
	ExitCodes []int
}

// neverRetried are failures that would only repeat themselves.
var neverRetried = []Reason{
	CIQuotaExceeded, NoMatchingRunner, MissingDependencyFailure, ForwardDeploymentFailure, FailedOutdatedDeploymentJob,
	EnvironmentCreationFailure,
}

// schedulerRetries is how often a job is tried again that we failed to hand to a runner, whatever it says itself.
const schedulerRetries = 2

// Again tells whether a failed job is tried again, when it has been already so many times.
func (r Retry) Again(times int, reason Reason, exitCode *int) bool {
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

// FailureAllowed tells whether a job that ended with an exit code may have failed. With codes, these decide.
func FailureAllowed(allowFailure bool, codes []int, exitCode *int) bool {
	if len(codes) == 0 {
		return allowFailure
	}
	return exitCode != nil && slices.Contains(codes, *exitCode)
}
