package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Participant is a user who is involved in an issue, a merge request or a commit.
type Participant struct {
	UserID int64
	How    string // author, assigned, review_requested, commented, mentioned or subscribed
}

// Participants returns the users who are involved in an item that has notes, in one statement. For
// issues and merge requests these are the author, the assignees, the reviewers, users who commented or were mentioned,
// and subscribers of its labels. For a commit these are the users who commented on it, for a snippet also its author.
func (s Noteables) Participants(ctx context.Context, on model.Noteable) ([]Participant, error) {
	const talked = ` UNION SELECT user_id, 'mentioned' FROM todos WHERE target_type = ? AND target_id = ?
			AND action_name IN ('mentioned', 'directly_addressed')
UNION SELECT author_id, 'commented' FROM notes WHERE noteable_type = ? AND noteable_id = ? AND NOT system`
	var q *gorm.DB
	switch on.Type {
	case model.OnIssue:
		q = s.db.Read(ctx).Raw(`SELECT author_id AS user_id, 'author' AS how FROM issues WHERE id = ?
UNION SELECT user_id, 'assigned' FROM issue_assignees WHERE issue_id = ?
UNION SELECT f.user_id, 'subscribed' FROM issue_labels l JOIN subscriptions f ON f.target_type = 'Label'
	AND f.target_id = l.label_id WHERE l.issue_id = ? AND f.subscribed`+talked,
			on.ID, on.ID, on.ID, on.Type, on.ID, on.Type, on.ID)
	case model.OnMergeRequest:
		q = s.db.Read(ctx).Raw(`SELECT author_id AS user_id, 'author' AS how FROM merge_requests WHERE id = ?
UNION SELECT user_id, 'assigned' FROM merge_request_assignees WHERE merge_request_id = ?
UNION SELECT user_id, 'review_requested' FROM merge_request_reviewers WHERE merge_request_id = ?
UNION SELECT f.user_id, 'subscribed' FROM merge_request_labels l JOIN subscriptions f ON f.target_type = 'Label'
	AND f.target_id = l.label_id WHERE l.merge_request_id = ? AND f.subscribed`+talked,
			on.ID, on.ID, on.ID, on.ID, on.Type, on.ID, on.Type, on.ID)
	case model.OnSnippet:
		q = s.db.Read(ctx).Raw(`SELECT author_id AS user_id, 'author' AS how FROM snippets WHERE id = ?
UNION SELECT author_id, 'commented' FROM notes WHERE noteable_type = ? AND noteable_id = ?`, on.ID, on.Type, on.ID)
	case model.OnCommit:
		q = s.db.Read(ctx).Raw(`SELECT author_id AS user_id, 'commented' AS how FROM notes WHERE noteable_type = ? AND `+
			`project_id = ? AND commit_id = ? GROUP BY author_id`,
			on.Type, on.ProjectID, on.CommitID)
	default:
		return nil, nil
	}
	var rows []Participant
	return rows, query.Translate(q.Scan(&rows).Error)
}

// Description returns the description of an issue or a merge request. It is empty for anything else.
func (s Noteables) Description(ctx context.Context, on model.Noteable) (string, error) {
	table := noteableTables[on.Type]
	if table == "" {
		return "", nil
	}
	var text string
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT coalesce(description, '') FROM "+table+" WHERE id = ?", on.ID), &text)
	return text, query.Translate(err)
}
