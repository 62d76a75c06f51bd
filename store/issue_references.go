package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm/clause"
)

// IssueReferences holds the issues that merge requests mention, and which of them they close.
type IssueReferences struct{ *base }

// IssueRef identifies an issue by the full path of its project and its number in the project.
type IssueRef struct {
	Project string
	IID     int64
}

// Find returns the referenced issues that a reader sees, in one statement.
func (s IssueReferences) Find(ctx context.Context, refs []IssueRef, r *Reader) (map[IssueRef]model.Issue, error) {
	found := map[IssueRef]model.Issue{}
	if len(refs) == 0 {
		return found, nil
	}
	text, args := "", []any{}
	for i, ref := range refs {
		if i > 0 {
			text += " OR "
		}
		text += "(issues.project_id IN (SELECT id FROM projects WHERE lower(full_path) = lower(?)) AND issues.iid = ?)"
		args = append(args, ref.Project, ref.IID)
	}
	q := s.db.Write(ctx).Table("issues").Select("issues.*, (SELECT full_path FROM projects WHERE projects.id = " +
		"issues.project_id) AS project_path, 0 AS merge_requests_count, 0 AS blocking_count")
	rows, err := query.Find[model.IssueRow](IssuableScope{Reader: r}.narrow(q, onIssues).Where("("+text+")", args...), len(refs))
	for _, row := range rows {
		found[IssueRef{row.ProjectPath, row.Issue.IID}] = row.Issue
	}
	return found, query.Translate(err)
}

// Set replaces the issues that a merge request mentions.
func (s IssueReferences) Set(ctx context.Context, mergeRequestID int64, rows []model.MergeRequestIssue) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		err := s.later(ctx, "DELETE FROM merge_request_issues WHERE merge_request_id = ?", mergeRequestID)
		if err != nil || len(rows) == 0 {
			return err
		}
		return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&rows, someRows).Error)
	})
}

// Closes returns the open issues that are closed when a merge request is merged.
func (s IssueReferences) Closes(ctx context.Context, mergeRequestID int64) ([]model.Issue, error) {
	q := s.db.Write(ctx).
		Where("id IN (SELECT issue_id FROM merge_request_issues WHERE merge_request_id = ? AND closes) AND state = ?",
			mergeRequestID, model.Opened)
	rows, err := query.Find[model.Issue](q.Order("id"), 0)
	return rows, query.Translate(err)
}

// Referenced selects some of the issues that a merge request mentions.
type Referenced string

// The issues that the merge request closes, all issues that it mentions, and none.
const (
	ReferencedClosed Referenced = " AND closes"
	ReferencedAll    Referenced = ""
	ReferencedNone   Referenced = " AND FALSE"
)

// List returns one page of the issues that a merge request mentions and that a reader sees.
func (s IssueReferences) List(
	ctx context.Context, mergeRequestID int64, which Referenced, r *Reader, p Page,
) ([]model.IssueRow, Total, error) {
	q := IssuableScope{Reader: r}.narrow(Issues(s).shown(ctx, r), onIssues).
		Where("issues.id IN (SELECT issue_id FROM merge_request_issues WHERE merge_request_id = ?"+string(which)+")",
			mergeRequestID).Order("issues.id")
	rows, total, err := query.ListFiltered[model.IssueRow](q, p)
	if err != nil {
		return nil, total, err
	}
	return rows, total, Issues(s).complete(ctx, rows, r)
}
