package status

import "slices"

// RunnerRules say which jobs a runner takes.
type RunnerRules struct {
	Tags          []string
	Untagged      bool // it takes jobs without tags
	ProtectedOnly bool // it takes jobs of protected branches and tags only
}

// FitsTags reports whether the runner has all tags of a job.
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

// Fits reports whether the runner takes a job with these tags.
func (r RunnerRules) Fits(tags []string, protected bool) bool {
	return (protected || !r.ProtectedOnly) && r.FitsTags(tags)
}
