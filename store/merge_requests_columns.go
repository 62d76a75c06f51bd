package store

import "svc/store/model"

// mergeRequestColumns and mergeRequestFields belong together: all columns of a merge request, and the fields that they
// are scanned into.
const mergeRequestColumns = "id, project_id, iid, author_id, source_project_id, source_branch, target_branch, title, " +
	"description, state, draft, discussion_locked, milestone_id, head_sha, base_sha, start_sha, merge_status, merge_error, " +
	"merge_commit_sha, squash_commit_sha, merge_user_id, merged_at, closed_by_id, closed_at, squash, remove_source_branch, " +
	"allow_collaboration, auto_merge, auto_merge_user_id, auto_merge_options, rebasing, head_pipeline_id, time_estimate, " +
	"total_time_spent, user_notes_count, upvotes, downvotes, prepared_at, created_at, updated_at, target_sha, diverged, " +
	"approval_rules_overwritten"

func mergeRequestFields(m *model.MergeRequest) []any {
	return []any{
		&m.ID, &m.ProjectID, &m.IID, &m.AuthorID, &m.SourceProjectID, &m.SourceBranch, &m.TargetBranch, &m.Title,
		&m.Description, &m.State, &m.Draft, &m.DiscussionLocked, &m.MilestoneID, &m.HeadSHA, &m.BaseSHA, &m.StartSHA,
		&m.MergeStatus, &m.MergeError, &m.MergeCommitSHA, &m.SquashCommitSHA, &m.MergeUserID, &m.MergedAt, &m.ClosedByID,
		&m.ClosedAt, &m.Squash, &m.RemoveSourceBranch, &m.AllowCollaboration, &m.AutoMerge, &m.AutoMergeUserID,
		&m.AutoMergeOptions, &m.Rebasing, &m.HeadPipelineID, &m.TimeEstimate, &m.TotalTimeSpent, &m.UserNotesCount,
		&m.Upvotes, &m.Downvotes, &m.PreparedAt, &m.CreatedAt, &m.UpdatedAt, &m.TargetSHA, &m.Diverged,
		&m.ApprovalRulesOverwritten,
	}
}
