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

// Participants returns the users who are involved in an issue, a merge request or a commit, in one statement. For
// issues and merge requests these are the author, the assignees, the reviewers, users who commented or were mentioned,
// and subscribers of its labels. For a commit these are the users who commented on it.
func (s Noteables) Participants(ctx context.Context, on model.Noteable) ([]Participant, error) {
	const talked = ` UNION SELECT user_id, 'mentioned' FROM todos WHERE target_type = ? AND target_id = ? AND action_name IN ('mentioned', 'directly_addressed')
UNION SELECT author_id, 'commented' FROM notes WHERE noteable_type = ? AND noteable_id = ? AND NOT system`
	var q *gorm.DB
	switch on.Type {
	case model.OnIssue:
		q = s.db.Read(ctx).Raw(`SELECT author_id AS user_id, 'author' AS how FROM issues WHERE id = ?
UNION SELECT user_id, 'assigned' FROM issue_assignees WHERE issue_id = ?
UNION SELECT f.user_id, 'subscribed' FROM issue_labels l JOIN subscriptions f ON f.target_type = 'Label' AND f.target_id = l.label_id WHERE l.issue_id = ? AND f.subscribed`+talked,
			on.ID, on.ID, on.ID, on.Type, on.ID, on.Type, on.ID)
	case model.OnMergeRequest:
		q = s.db.Read(ctx).Raw(`SELECT author_id AS user_id, 'author' AS how FROM merge_requests WHERE id = ?
UNION SELECT user_id, 'assigned' FROM merge_request_assignees WHERE merge_request_id = ?
UNION SELECT user_id, 'review_requested' FROM merge_request_reviewers WHERE merge_request_id = ?
UNION SELECT f.user_id, 'subscribed' FROM merge_request_labels l JOIN subscriptions f ON f.target_type = 'Label' AND f.target_id = l.label_id WHERE l.merge_request_id = ? AND f.subscribed`+talked,
			on.ID, on.ID, on.ID, on.ID, on.Type, on.ID, on.Type, on.ID)
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

// UserIDsOfProject returns the ids of all users with a role in a project, whether in the project itself or inherited.
func (s Members) UserIDsOfProject(ctx context.Context, p model.Project) ([]int64, error) {
	day := today()
	return s.ids(s.db.Read(ctx).Raw("SELECT DISTINCT member_user FROM ("+ofGroups+ofInvitedGroups+ofProject+") AS roles",
		p.NamespaceID, day, p.NamespaceID, day, day, p.ID, day, p.ID, day, day))
}

// ConfirmedOf returns the confirmed secondary email addresses of users, by user.
func (s Emails) ConfirmedOf(ctx context.Context, userIDs []int64) (map[int64][]string, error) {
	found := map[int64][]string{}
	if len(userIDs) == 0 {
		return found, nil
	}
	rows, err := query.Find[model.Email](s.db.Read(ctx).Where("user_id IN ? AND confirmed_at IS NOT NULL", userIDs), len(userIDs))
	for _, row := range rows {
		found[row.UserID] = append(found[row.UserID], row.Email)
	}
	return found, query.Translate(err)
}

// PreviousStatus returns the status of the latest pipeline before p for the same branch or tag that succeeded or failed, or the
// empty string if there is none.
func (s Pipelines) PreviousStatus(ctx context.Context, p model.Pipeline) (string, error) {
	q := s.db.Read(ctx).
		Where("project_id = ? AND ref = ? AND NOT child AND id < ? AND status IN ('success', 'failed')", p.ProjectID, p.Ref, p.ID)
	row, err := query.Take[model.Pipeline](q.Order("id DESC"), pipeline)
	if IsNotFound(err) {
		return "", nil
	}
	return row.Status, err
}

// EmailsDisabled reports whether emails are disabled for a project, by itself or by a group above it.
func (s Projects) EmailsDisabled(ctx context.Context, p model.Project) (bool, error) {
	if p.EmailsDisabled {
		return true, nil
	}
	var n int64
	err := query.ScanFirst(s.db.Read(ctx).Raw("SELECT count(*) FROM namespace_ancestors a JOIN namespaces n ON n.id = "+
		"a.ancestor_id WHERE a.descendant_id = ? AND n.emails_disabled", p.NamespaceID), &n)
	return n > 0, query.Translate(err)
}
