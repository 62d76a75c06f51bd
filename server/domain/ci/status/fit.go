package status

import "slices"

// RunnerRules say which jobs a runner may run.
type RunnerRules struct {
	Tags          []string
	Untagged      bool // it runs jobs without tags
	ProtectedOnly bool // it runs only jobs of protected branches and tags
}

// FitsTags reports whether the runner has all tags of a job. For a job without tags, it reports whether the runner
// accepts untagged jobs.
func (r RunnerRules) FitsTags(tags []string) bool {
	if len(tags) == 0 {
		return r.Untagged
	}
	for _, tag := range tags {
		if !slices.Contains(r.Tags, tag) {
			return false
		}
	}
	return true
}

// Fits reports whether the runner may run a job with these tags.
func (r RunnerRules) Fits(tags []string, protected bool) bool {
	return (protected || !r.ProtectedOnly) && r.FitsTags(tags)
}
