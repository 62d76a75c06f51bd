package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// Issues returns one page of the issues of an epic that a reader sees, in their order.
func (s Epics) Issues(ctx context.Context, id int64, r *Reader, p Page) ([]model.AssignedIssue, Total, error) {
	q := IssuableScope{Reader: r}.narrow(Issues(s).shown(ctx, r), onIssues).
		Joins("JOIN epic_issues ON epic_issues.issue_id = issues.id").Where("epic_issues.epic_id = ?", id).
		Order("epic_issues.relative_position, epic_issues.id")
	rows, total, err := query.List[model.IssueRow](q, p)
	if err != nil {
		return nil, total, err
	}
	if err := Issues(s).complete(ctx, rows, r); err != nil {
		return nil, total, err
	}
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i] = rows[i].Issue.ID
	}
	assigned, err := query.Find[model.EpicIssue](s.db.Read(ctx).Where("issue_id IN ?", ids), len(ids))
	byIssue := make(map[int64]model.EpicIssue, len(assigned))
	for _, a := range assigned {
		byIssue[a.IssueID] = a
	}
	out := make([]model.AssignedIssue, len(rows))
	for i := range rows {
		out[i] = model.AssignedIssue{IssueRow: rows[i], Assignment: byIssue[ids[i]]}
	}
	return out, total, query.Translate(err)
}

// Assignment returns the assignment of an issue to an epic, by its id.
func (s Epics) Assignment(ctx context.Context, epicID, id int64) (model.EpicIssue, error) {
	return query.Take[model.EpicIssue](s.db.Read(ctx).Where("id = ? AND epic_id = ?", id, epicID), epicIssue)
}

// AssignmentOf returns the assignment of an issue to any epic.
func (s Epics) AssignmentOf(ctx context.Context, issueID int64) (model.EpicIssue, error) {
	return query.Take[model.EpicIssue](s.db.Write(ctx).Where("issue_id = ?", issueID), epicIssue)
}

// AssignIssue makes an issue the last one of an epic. It leaves the epic that it was assigned to before.
func (s Epics) AssignIssue(ctx context.Context, epicID, issueID int64) (model.EpicIssue, error) {
	last, err := s.lastPosition(ctx, "epic_issues WHERE epic_id = ?", epicID)
	if err != nil {
		return model.EpicIssue{}, err
	}
	made := model.EpicIssue{EpicID: epicID, IssueID: issueID, RelativePosition: last + 1}
	replace := clause.OnConflict{
		Columns:   []clause.Column{{Name: "issue_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"epic_id", "relative_position", "created_at", "updated_at"}),
	}
	if err := s.db.Write(ctx).Clauses(replace).Create(&made).Error; err != nil {
		return made, query.Translate(err)
	}
	return s.AssignmentOf(ctx, issueID)
}

// RemoveIssue removes an issue from its epic, unless the assignment was changed after the given time.
func (s Epics) RemoveIssue(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return query.DeleteWhere[model.EpicIssue](ctx, s.db, epicIssue, unchangedSince, "id = ?", id)
}

// MoveIssue moves an issue of an epic directly before another one, or directly after it. Both are given by the ids of
// their assignments.
func (s Epics) MoveIssue(ctx context.Context, epicID, id, anchor int64, after bool) error {
	return s.move(s.db.Write(ctx).Table("epic_issues").Where("epic_id = ?", epicID), id, anchor, after)
}
