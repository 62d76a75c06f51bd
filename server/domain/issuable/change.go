package issuable

import (
	"regexp"
	"time"
)

// Change is a change of an issue or a merge request that comes from elsewhere than its own API operation, such as a
// quick action. Fields that are nil or empty stay as they are.
type Change struct {
	State        string // close or reopen
	Title        *string
	Labels       LabelInput
	Assignees    *[]int64
	Reviewers    *[]int64 // of a merge request
	Milestone    **int64
	Due          **time.Time // of an issue
	Iteration    **int64     // of an issue
	Confidential *bool       // of an issue
	Locked       *bool
	TargetBranch *string // of a merge request
}

// IsSet reports whether the change has any field.
func (c Change) IsSet() bool {
	return c.State != "" || c.Title != nil || c.Labels.IsSet() || c.Assignees != nil || c.Reviewers != nil ||
		c.Milestone != nil || c.Due != nil || c.Iteration != nil ||
		c.Confidential != nil || c.Locked != nil || c.TargetBranch != nil
}

var draftMark = regexp.MustCompile(`(?i)^\s*(?:draft:|\[draft\]|\(draft\))\s*`)

// IsDraft reports whether the title marks a merge request as a draft.
func IsDraft(title string) bool { return draftMark.MatchString(title) }

// WithoutDraft returns the title without draft marks.
func WithoutDraft(title string) string {
	for IsDraft(title) {
		title = draftMark.ReplaceAllString(title, "")
	}
	return title
}
