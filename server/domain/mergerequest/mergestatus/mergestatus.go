// Package mergestatus computes what blocks a merge request. It is pure, so that everything that shows merge requests can
// use it: answers of the API, merges, webhooks.
package mergestatus

import "svc/store/model"

// The values of detailed_merge_status.
const (
	Mergeable    = "mergeable"
	NotOpen      = "not_open"
	Unchecked    = "unchecked"
	CheckingNow  = "checking"
	DraftStatus  = "draft_status"
	Conflict     = "conflict"
	Broken       = "broken_status"
	NeedRebase   = "need_rebase"
	Discussions  = "discussions_not_resolved"
	NotApproved  = "not_approved"
	Preparing    = "preparing"
	Checks       = "external_status_checks"
	MustPass     = "ci_must_pass"
	StillRunning = "ci_still_running"
)

const methodMerge = "merge" // the merge method that needs no rebase

// Facts are what the status of a merge request depends on, besides its row.
type Facts struct {
	Project    model.Project
	Pipeline   *model.Pipeline // for its newest commit
	Unresolved bool            // whether there are unresolved threads

	NotApproved      bool // approvals are missing
	ApprovalsSyncing bool // it is not decided yet whether a push has removed the approvals
	ChecksPending    bool // external status checks have not passed
}

// Detailed returns the detailed_merge_status: what blocks a merge request, or Mergeable. It makes no queries, so that
// lists can use it.
func Detailed(mr model.MergeRequest, f Facts) string {
	switch {
	case mr.State != model.Opened:
		return NotOpen
	case mr.MergeStatus == model.MergeUnchecked:
		return Unchecked
	case mr.MergeStatus == model.MergeChecking:
		return CheckingNow
	case mr.Draft:
		return DraftStatus
	case mr.MergeStatus == model.MergeRefused && (mr.TargetSHA == "" || mr.Diverged == 0 || mr.BaseSHA == ""):
		return Broken
	case mr.MergeStatus == model.MergeRefused:
		return Conflict
	case f.Project.MergeMethod != methodMerge && mr.Diverged > 0:
		return NeedRebase
	case f.Unresolved && f.Project.OnlyAllowMergeIfAllDiscussionsAreResolved:
		return Discussions
	case f.ApprovalsSyncing:
		return Preparing
	case f.NotApproved:
		return NotApproved
	case f.ChecksPending:
		return Checks
	}
	return pipelineStatus(mr, f)
}

// pipelineStatus returns the status by the pipeline, if the project requires one to succeed.
func pipelineStatus(mr model.MergeRequest, f Facts) string {
	if !f.Project.OnlyAllowMergeIfPipelineSucceeds {
		return Mergeable
	}
	p := f.Pipeline
	switch {
	case p == nil || p.SHA != mr.HeadSHA:
		return MustPass
	case p.Status == "success":
		return Mergeable
	case p.Status == "skipped" && f.Project.AllowMergeOnSkippedPipeline != nil && *f.Project.AllowMergeOnSkippedPipeline:
		return Mergeable
	case Active(p.Status):
		return StillRunning
	}
	return MustPass
}

// Active reports whether a pipeline with this status will still end without a user's action.
func Active(status string) bool {
	switch status {
	case "created", "waiting_for_resource", "preparing", "pending", "running", "scheduled":
		return true
	}
	return false
}
