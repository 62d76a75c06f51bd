package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Noteables reads the issues, merge requests and snippets that notes, emoji, to-dos and subscriptions are about.
type Noteables struct{ *base }

// noteableTables names the tables of items that count their notes in the table notes.
var noteableTables = map[string]string{model.OnIssue: "issues", model.OnMergeRequest: "merge_requests"}

// voteTables names the tables of items that count thumbs.
var voteTables = map[string]string{model.OnIssue: "issues", model.OnMergeRequest: "merge_requests", model.OnEpic: "epics"}

// noteableColumns are the columns of a noteable that both tables have.
const noteableColumns = "id, project_id, iid, author_id, title, state, coalesce(discussion_locked, FALSE), user_notes_count, created_at"

// Find returns an issue or a merge request of a project by its number in the project, or a snippet of a project by its
// id.
func (s Noteables) Find(ctx context.Context, kind string, projectID, iid int64) (model.Noteable, error) {
	if kind == model.OnSnippet {
		return s.snippet(ctx, "project_id = ? AND id = ?", projectID, iid)
	}
	return s.take(ctx, kind, "project_id = ? AND iid = ?", projectID, iid)
}

// Get returns an issue, a merge request or a snippet of a project by its id.
func (s Noteables) Get(ctx context.Context, kind string, id int64) (model.Noteable, error) {
	if kind == model.OnSnippet {
		return s.snippet(ctx, "project_id IS NOT NULL AND id = ?", id)
	}
	return s.take(ctx, kind, "id = ?", id)
}

func (s Noteables) take(ctx context.Context, kind, where string, args ...any) (model.Noteable, error) {
	on := model.Noteable{Type: kind}
	fields := []any{
		&on.ID, &on.ProjectID, &on.IID, &on.AuthorID, &on.Title, &on.State, &on.Locked, &on.UserNotesCount, &on.CreatedAt, &on.Confidential,
	}
	confidential := "confidential"
	if kind == model.OnMergeRequest {
		confidential = "FALSE"
	}
	err := s.db.Row(ctx, "SELECT "+noteableColumns+", "+confidential+" FROM "+noteableTables[kind]+" WHERE "+where, args, fields...)
	if err != nil || !on.Confidential {
		return on, query.Translate(err)
	}
	// Assignees may read a confidential issue.
	on.Assignees, err = s.Assignees(ctx, on)
	return on, err
}

// snippet returns a snippet of a project.
func (s Noteables) snippet(ctx context.Context, where string, args ...any) (model.Noteable, error) {
	row, err := query.Take[model.Snippet](s.db.Read(ctx).Where(where, args...), snippet)
	if err != nil {
		return model.Noteable{}, err
	}
	return model.Noteable{
		Type: model.OnSnippet, ID: row.ID, ProjectID: *row.ProjectID, AuthorID: row.AuthorID, Title: row.Title,
		Visibility: row.Visibility, CreatedAt: row.CreatedAt,
	}, nil
}

// Assignees returns the ids of the assignees of an issue or a merge request, in ascending order.
func (s Noteables) Assignees(ctx context.Context, on model.Noteable) ([]int64, error) {
	in := onIssues
	if on.Type == model.OnMergeRequest {
		in = onMergeRequests
	}
	return s.ids(s.db.Read(ctx).Raw("SELECT user_id FROM "+in.assignees+" WHERE "+in.column+" = ? ORDER BY user_id", on.ID))
}

// ids reads one column of numbers.
func (b *base) ids(q *gorm.DB) ([]int64, error) {
	rows, err := q.Rows()
	if err != nil {
		return nil, query.Translate(err)
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// CountNote counts one more note of an issue or merge request, sets the time of its last change, and locks it until the
// transaction ends. It returns a *NotFoundError if it is gone.
func (s Noteables) CountNote(ctx context.Context, on model.Noteable) error {
	table := noteableTables[on.Type]
	if table == "" {
		return nil
	}
	var id int64
	err := s.db.WriteRow(ctx, "UPDATE "+table+" SET user_notes_count = user_notes_count + 1, updated_at = ? WHERE id = ? RETURNING id",
		[]any{s.now(), on.ID}, &id)
	return query.Translate(err)
}

// Vote adds more to the number of thumbs, up or down, of an issue, a merge request or an epic.
func (s Noteables) Vote(ctx context.Context, on model.Noteable, name string, more int) error {
	table, column := voteTables[on.Type], map[string]string{"thumbsup": "upvotes", "thumbsdown": "downvotes"}[name]
	if table == "" || column == "" {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Table(table).Where("id = ?", on.ID).UpdateColumn(column, gorm.Expr(column+" + ?", more)).Error)
}

// SubscriptionStates returns the users who have subscribed to an issue or merge request (true) or unsubscribed from it (false).
func (s Noteables) SubscriptionStates(ctx context.Context, kind string, id int64) (map[int64]bool, error) {
	rows, err := query.Find[model.Subscription](s.db.Read(ctx).Where("target_type = ? AND target_id = ?", kind, id), 0)
	said := make(map[int64]bool, len(rows))
	for _, row := range rows {
		said[row.UserID] = row.Subscribed
	}
	return said, query.Translate(err)
}
