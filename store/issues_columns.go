package store

import "svc/store/model"

// issueColumns and issueFields belong together: all columns of an issue, and the fields that they are scanned into.
const issueColumns = "id, project_id, iid, author_id, title, description, state, issue_type, confidential, discussion_locked, " +
	"milestone_id, due_date, severity, moved_to_id, duplicated_to_id, time_estimate, total_time_spent, user_notes_count, " +
	"upvotes, downvotes, relative_position, closed_by_id, closed_at, created_at, updated_at, weight, iteration_id, due_told"

func issueFields(i *model.Issue) []any {
	return []any{
		&i.ID, &i.ProjectID, &i.IID, &i.AuthorID, &i.Title, &i.Description, &i.State, &i.IssueType, &i.Confidential,
		&i.DiscussionLocked, &i.MilestoneID, &i.DueDate, &i.Severity, &i.MovedToID, &i.DuplicatedToID, &i.TimeEstimate,
		&i.TotalTimeSpent, &i.UserNotesCount, &i.Upvotes, &i.Downvotes, &i.RelativePosition, &i.ClosedByID, &i.ClosedAt,
		&i.CreatedAt, &i.UpdatedAt, &i.Weight, &i.IterationID, &i.DueTold,
	}
}

// issueRowFields are the fields for issueColumns and the columns that Issues.beside adds.
func issueRowFields(row *model.IssueRow) []any {
	return append(issueFields(&row.Issue), &row.EpicID, &row.ProjectPath, &row.MergeRequestsCount, &row.BlockingCount)
}
