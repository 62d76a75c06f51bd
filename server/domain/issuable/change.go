package issuable

import (
	"regexp"
	"time"
)

// Change is what somebody wants to become of an issue or a merge request, said in another way than by its own operation. What is nil,
// or empty, stays as it is.
type Change struct {
	State        string // close or reopen
	Title        *string
	Labels       LabelInput
	Assignees    *[]int64
	Reviewers    *[]int64 // of a merge request
	Milestone    **int64
	Due          **time.Time // of an issue
	Confidential *bool       // of an issue
	Locked       *bool
	TargetBranch *string // of a merge request
}

// Given tells whether anything is to change.
func (c Change) Given() bool {
	return c.State != "" || c.Title != nil || c.Labels.Given() || c.Assignees != nil || c.Reviewers != nil || c.Milestone != nil || c.Due != nil ||
		c.Confidential != nil || c.Locked != nil || c.TargetBranch != nil
}

var draftMark = regexp.MustCompile(`(?i)^\s*(?:draft:|\[draft\]|\(draft\))\s*`)

// IsDraft tells whether the title of a merge request says that it is not done yet.
func IsDraft(title string) bool { return draftMark.MatchString(title) }

// Ready is a title that does not say so any more.
func Ready(title string) string {
	for IsDraft(title) {
		title = draftMark.ReplaceAllString(title, "")
	}
	return title
}
