package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Labels returns the labels of a merge request.
func (s MergeRequests) Labels(ctx context.Context, id int64) ([]model.Label, error) {
	found, err := s.labelsOf(ctx, onMergeRequests, []int64{id})
	return found[id], err
}

// Relabel replaces the labels of a merge request and returns the labels that it added and removed.
func (s MergeRequests) Relabel(ctx context.Context, id int64, want []model.Label) (added, removed []model.Label, err error) {
	return s.relabel(ctx, onMergeRequests, id, want)
}

// Assign replaces the assignees of a merge request.
func (s MergeRequests) Assign(ctx context.Context, id int64, users []int64) error {
	return s.reassign(ctx, onMergeRequests, id, users)
}

// SetReviewers replaces the reviewers of a merge request. Users who were reviewers before keep their review state.
func (s MergeRequests) SetReviewers(ctx context.Context, id int64, users []int64) error {
	q := s.db.Write(ctx).Where("merge_request_id = ?", id)
	if len(users) > 0 {
		q = q.Where("user_id NOT IN ?", users)
	}
	if err := q.Delete(&model.MergeRequestReviewer{}).Error; err != nil || len(users) == 0 {
		return query.Translate(err)
	}
	rows := make([]model.MergeRequestReviewer, len(users))
	for i, user := range users {
		rows[i] = model.MergeRequestReviewer{MergeRequestID: id, UserID: user, State: model.ReviewUnreviewed}
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).Create(&rows).Error)
}

// SetReviewState sets the review state of a reviewer. It does nothing if the user is not a reviewer.
func (s MergeRequests) SetReviewState(ctx context.Context, id, userID int64, state string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.MergeRequestReviewer{}).
		Where("merge_request_id = ? AND user_id = ?", id, userID).UpdateColumn("state", state).Error)
}

// AssigneeIDs returns the ids of the assignees of a merge request.
func (s MergeRequests) AssigneeIDs(ctx context.Context, id int64) ([]int64, error) {
	var ids []int64
	err := s.db.Read(ctx).Model(&model.MergeRequestAssignee{}).
		Where("merge_request_id = ?", id).Order("user_id").Pluck("user_id", &ids).Error
	return ids, query.Translate(err)
}

// ReviewerIDs returns the ids of the reviewers of a merge request.
func (s MergeRequests) ReviewerIDs(ctx context.Context, id int64) ([]int64, error) {
	var ids []int64
	err := s.db.Read(ctx).Model(&model.MergeRequestReviewer{}).
		Where("merge_request_id = ?", id).Order("user_id").Pluck("user_id", &ids).Error
	return ids, query.Translate(err)
}

// Reviewers returns the reviewers of a merge request with their review states.
func (s MergeRequests) Reviewers(ctx context.Context, id int64) ([]model.Reviewer, error) {
	q := s.db.Read(ctx).Table("users").Select("users.*, r.state AS review_state, r.created_at AS since").
		Joins("JOIN merge_request_reviewers r ON r.user_id = users.id").Where("r.merge_request_id = ?", id).Order("users.id")
	rows, err := query.Find[model.Reviewer](q, 0)
	return rows, query.Translate(err)
}

// Approvers returns the users who approved a merge request, in the order of their approvals.
func (s MergeRequests) Approvers(ctx context.Context, id int64) ([]model.Approver, error) {
	q := s.db.Read(ctx).Table("users").Select("users.*, a.created_at AS since").
		Joins("JOIN merge_request_approvals a ON a.user_id = users.id").Where("a.merge_request_id = ?", id).Order("a.created_at, users.id")
	rows, err := query.Find[model.Approver](q, 0)
	return rows, query.Translate(err)
}

// Participants returns one page of the users who take part in a merge request: author, assignees, reviewers, and users
// who wrote a comment that is not internal.
func (s MergeRequests) Participants(ctx context.Context, m model.MergeRequest, p Page) ([]model.User, Total, error) {
	q := s.db.Read(ctx).
		Where("id IN (SELECT CAST(? AS bigint) UNION SELECT user_id FROM merge_request_assignees WHERE merge_request_id = ? "+
			"UNION SELECT user_id FROM merge_request_reviewers WHERE merge_request_id = ? "+
			"UNION SELECT author_id FROM notes WHERE noteable_type = ? AND noteable_id = ? AND NOT system AND NOT internal)",
			m.AuthorID, m.ID, m.ID, model.OnMergeRequest, m.ID)
	return query.List[model.User](q.Select(shownUserColumns).Order("id"), p)
}

// IsFirstContribution reports whether no other merge request of the author has been merged into the project.
func (s MergeRequests) IsFirstContribution(ctx context.Context, m model.MergeRequest) (bool, error) {
	var first bool
	c := firstContribution(m)
	err := s.db.Row(ctx, "SELECT "+c.text, c.args, &first)
	return first, query.Translate(err)
}

func firstContribution(m model.MergeRequest) condition {
	return condition{
		"NOT EXISTS (SELECT 1 FROM merge_requests WHERE author_id = ? AND project_id = ? AND id <> ? AND state = '" + model.Merged + "')",
		[]any{m.AuthorID, m.ProjectID, m.ID},
	}
}

// MergeRequestBeside is what only the response about a single merge request shows.
type MergeRequestBeside struct {
	Version           *model.MergeRequestVersion // the newest one; nil if there is none
	Subscribed        bool
	FirstContribution bool
}

// readBeside returns the statement that reads what the response about a single merge request shows, for a user; 0 stands for
// nobody.
func (s MergeRequests) readBeside(m model.MergeRequest, userID int64, b *MergeRequestBeside) query.Reading {
	subscribed, first := onMergeRequests.subscribed(userID), firstContribution(m)
	statement := "SELECT " + subscribed.text + ", " + first.text + ", v.id, v.head_sha, v.base_sha, v.start_sha, v.changes, v.created_at " +
		"FROM merge_requests LEFT JOIN merge_request_versions v ON v.id = (SELECT id FROM merge_request_versions x " +
		"WHERE x.merge_request_id = merge_requests.id ORDER BY id DESC LIMIT 1) WHERE merge_requests.id = ?"
	args := append(append(subscribed.args, first.args...), m.ID)
	return query.Reading{Text: statement, Args: args, Scan: func(row query.Scanner) error {
		var id, changes *int64
		var head, base, start *string
		var made *time.Time
		err := row.Scan(&b.Subscribed, &b.FirstContribution, &id, &head, &base, &start, &changes, &made)
		if err == nil && id != nil {
			b.Version = &model.MergeRequestVersion{
				ID: *id, MergeRequestID: m.ID, HeadSHA: *head, BaseSHA: *base, StartSHA: *start, Changes: *changes, CreatedAt: *made,
			}
		}
		return err
	}}
}
