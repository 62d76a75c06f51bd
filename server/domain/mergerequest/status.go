package mergerequest

import "svc/store/model"

// The words of detailed_merge_status.
const (
	Mergeable     = "mergeable"
	NotOpen       = "not_open"
	Unchecked     = "unchecked"
	CheckingNow   = "checking"
	DraftStatus   = "draft_status"
	Conflict      = "conflict"
	Broken        = "broken_status"
	NeedRebase    = "need_rebase"
	Discussions   = "discussions_not_resolved"
	MustPass      = "ci_must_pass"
	StillRunning  = "ci_still_running"
	methodMerge   = "merge"
	squashAlways  = "always"
	squashNever   = "never"
	squashDefault = "default_on"
)

// Facts are what the status of a merge request follows from, beside its row.
type Facts struct {
	Project    model.Project
	Pipeline   *model.Pipeline // of its newest commit
	Unresolved bool            // threads are
}

// Detailed is what hinders a merge request, or that nothing does. It asks nobody: lists show it, too.
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
	}
	return pipelineStatus(mr, f)
}

// pipelineStatus is what the pipeline says, where the project lets it.
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

// Active tells whether a pipeline in a state is still to end by itself.
func Active(status string) bool {
	switch status {
	case "created", "waiting_for_resource", "preparing", "pending", "running", "scheduled":
		return true
	}
	return false
}

// Squashes tells whether merging squashes, by what the project says and somebody wants.
func Squashes(project model.Project, wanted bool) bool {
	switch project.SquashOption {
	case squashAlways:
		return true
	case squashNever:
		return false
	}
	return wanted
}

// SquashDefault is whether new merge requests of a project are squashed.
func SquashDefault(project model.Project) bool {
	return project.SquashOption == squashAlways || project.SquashOption == squashDefault
}
