package store

import (
	"context"
	"errors"
	"maps"
	"strconv"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// positionStep is the usual distance between two issues in the manual order.
const positionStep = 1 << 10

var insertIssue = insertion("issues", issueColumns) + returningID

// Create adds an issue with its labels and assignees. Without a number, the issue gets the next one.
func (s Issues) Create(ctx context.Context, i *model.Issue, labels []model.Label, assignees []int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := s.assignNumber(ctx, i); err != nil {
			return err
		}
		at := i.IID * positionStep
		i.RelativePosition = &at
		s.setTimes(&i.CreatedAt, &i.UpdatedAt)
		if err := s.insert(ctx, insertIssue, issueFields(i)); err != nil {
			return err
		}
		if len(labels) > 0 {
			if _, _, err := s.relabel(ctx, onIssues, i.ID, labels); err != nil {
				return err
			}
		}
		if len(assignees) > 0 {
			if err := s.reassign(ctx, onIssues, i.ID, assignees); err != nil {
				return err
			}
		}
		return s.adjustOpenCount(ctx, *i, +1)
	})
}

// assignNumber gives an issue the next number. If the caller has chosen a number, it makes sure that the number is not
// given again.
func (s Issues) assignNumber(ctx context.Context, i *model.Issue) (err error) {
	if i.IID == 0 {
		query.OnRollback(ctx, func() { i.IID = 0 })
		i.IID, err = s.next(ctx, i.ProjectID, counterIssues)
		return err
	}
	return s.later(ctx, `INSERT INTO project_counters (project_id, name, last) VALUES (?, ?, ?) ON CONFLICT (project_id, name)
		DO UPDATE SET last = CASE WHEN excluded.last > project_counters.last THEN excluded.last ELSE project_counters.last END`,
		i.ProjectID, counterIssues, i.IID)
}

// adjustOpenCount adds by to the number of open issues of a project: 1 for an added issue, -1 for a removed one.
func (s Issues) adjustOpenCount(ctx context.Context, i model.Issue, by int64) error {
	if i.State != model.Opened {
		return nil
	}
	column := "open_issues_count"
	if i.Confidential {
		column = "open_confidential_issues_count"
	}
	return s.later(ctx, "UPDATE projects SET "+column+" = "+column+" + ? WHERE id = ?", by, i.ProjectID)
}

// Lock reads an issue that the transaction is about to change. Other transactions that lock it wait.
func (s Issues) Lock(ctx context.Context, id int64) (i model.Issue, err error) {
	statement := s.lockRow("SELECT " + issueColumns + " FROM issues WHERE id = ?")
	err = s.db.WriteRow(ctx, statement, []any{id}, issueFields(&i)...)
	return i, query.Translate(err, issue)
}

// Update changes columns of a locked issue and returns the new row.
func (s Issues) Update(ctx context.Context, before model.Issue, set map[string]any) (model.Issue, error) {
	at := s.now()
	if given, ok := set["updated_at"].(time.Time); ok {
		at, set = given, maps.Clone(set) // the set must be the same if the transaction runs again
		delete(set, "updated_at")
	}
	text, args := assignments(set, at)
	var after model.Issue
	err := s.db.WriteRow(
		ctx, "UPDATE issues SET "+text+" WHERE id = ? RETURNING "+issueColumns, append(args, before.ID), issueFields(&after)...,
	)
	if err != nil || after.State == before.State && after.Confidential == before.Confidential {
		return after, query.Translate(err, issue)
	}
	return after, errors.Join(s.adjustOpenCount(ctx, before, -1), s.adjustOpenCount(ctx, after, +1))
}

// Touch sets the time of the last change of an issue to now.
func (s Issues) Touch(ctx context.Context, id int64) error {
	return s.later(ctx, "UPDATE issues SET updated_at = ? WHERE id = ?", s.now(), id)
}

// Relabel replaces the labels of an issue and returns the labels that it added and removed.
func (s Issues) Relabel(ctx context.Context, id int64, labels []model.Label) (added, removed []model.Label, err error) {
	return s.relabel(ctx, onIssues, id, labels)
}

// Reassign replaces the assignees of an issue.
func (s Issues) Reassign(ctx context.Context, id int64, users []int64) error {
	return s.reassign(ctx, onIssues, id, users)
}

// Delete removes an issue with its notes and everything else that belongs to it, unless it was changed after the given
// time.
func (s Issues) Delete(ctx context.Context, id int64, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		before, err := s.Lock(ctx, id)
		if err != nil {
			return err
		}
		if ChangedAfter(before.UpdatedAt, unchangedSince) {
			return &ChangedError{Resource: issue}
		}
		if err := s.deleteRowsAbout(ctx, model.OnIssue, id); err != nil {
			return err
		}
		if err := s.db.Write(ctx).Where("id = ?", id).Delete(&model.Issue{}).Error; err != nil {
			return query.Translate(err)
		}
		return s.adjustOpenCount(ctx, before, -1)
	})
}

// deleteRowsAbout removes the rows about an issue, merge request, epic or snippet from tables without a foreign key to it.
func (b *base) deleteRowsAbout(ctx context.Context, kind string, id int64) error {
	for _, text := range []string{
		"DELETE FROM award_emoji WHERE awardable_type = 'Note' AND awardable_id IN (SELECT id FROM notes WHERE " +
			"noteable_type = ? AND noteable_id = ?)",
		"DELETE FROM events WHERE target_type IN ('Note', 'DiscussionNote', 'DiffNote') AND target_id IN (SELECT id " +
			"FROM notes WHERE noteable_type = ? AND noteable_id = ?)",
		"DELETE FROM award_emoji WHERE awardable_type = ? AND awardable_id = ?",
		"DELETE FROM todos WHERE target_type = ? AND target_id = ?",
		"DELETE FROM subscriptions WHERE target_type = ? AND target_id = ?",
		"DELETE FROM timelogs WHERE target_type = ? AND target_id = ?",
		"DELETE FROM events WHERE target_type = ? AND target_id = ?",
		"DELETE FROM notes WHERE noteable_type = ? AND noteable_id = ?",
	} {
		if err := b.db.Write(ctx).Exec(text, kind, id).Error; err != nil {
			return query.Translate(err)
		}
	}
	return nil
}

// deleteRowsAboutAll removes the emoji, subscriptions and time logs of many issues, merge requests, notes, labels, snippets and epics
// before these are deleted. where has a condition for each of their tables. The removed rows are in tables without foreign
// keys.
func (b *base) deleteRowsAboutAll(ctx context.Context, where map[string]string, args ...any) error {
	for _, kind := range []struct{ name, table string }{
		{model.OnIssue, "issues"},
		{model.OnMergeRequest, "merge_requests"},
		{model.OnNote, "notes"},
		{model.OnLabel, "labels"},
		{model.OnSnippet, "snippets"},
		{model.OnEpic, "epics"},
	} {
		condition, ok := where[kind.table]
		if !ok {
			continue
		}
		gone := " IN (SELECT id FROM " + kind.table + " WHERE " + condition + ")"
		for _, text := range []string{
			"DELETE FROM award_emoji WHERE awardable_type = '" + kind.name + "' AND awardable_id" + gone,
			"DELETE FROM subscriptions WHERE target_type = '" + kind.name + "' AND target_id" + gone,
			"DELETE FROM timelogs WHERE target_type = '" + kind.name + "' AND target_id" + gone,
		} {
			if err := b.db.Write(ctx).Exec(text, args...).Error; err != nil {
				return query.Translate(err)
			}
		}
	}
	return nil
}

// Reorder moves an issue in the manual order of its project: after one issue, before another, or between both. Concurrent
// calls for the same project wait for each other.
func (s Issues) Reorder(ctx context.Context, projectID, id int64, after, before *int64) error {
	return s.Exclusive(ctx, "order of issues in "+itoa(projectID), func(ctx context.Context) error {
		for try := range 2 {
			at, ok, err := s.between(ctx, projectID, id, after, before)
			if err != nil {
				return err
			}
			if ok || try > 0 {
				set := map[string]any{"relative_position": at, "updated_at": s.now()}
				return query.Translate(s.db.Write(ctx).Model(&model.Issue{}).Where("id = ? AND project_id = ?", id, projectID).
					UpdateColumns(set).Error)
			}
			if err := s.renumberPositions(ctx, projectID); err != nil {
				return err
			}
		}
		return nil
	})
}

// between finds a free position. It returns false if there is no room.
func (s Issues) between(ctx context.Context, projectID, id int64, after, before *int64) (int64, bool, error) {
	ref, order, compare := after, "relative_position", ">"
	if ref == nil {
		ref, order, compare = before, "relative_position DESC", "<"
	}
	anchor, err := query.Take[model.Issue](s.db.Write(ctx).Where("id = ? AND project_id = ?", *ref, projectID), issue)
	if err != nil {
		return 0, false, err
	}
	if anchor.RelativePosition == nil {
		return 0, false, nil
	}
	from := *anchor.RelativePosition
	next, err := query.Find[model.Issue](s.db.Write(ctx).
		Where("project_id = ? AND id <> ? AND relative_position "+compare+" ?", projectID, id, from).Order(order).Limit(1), 1)
	if err != nil {
		return 0, false, query.Translate(err)
	}
	to := from + 2*positionStep
	if compare == "<" {
		to = from - 2*positionStep
	}
	if len(next) > 0 {
		to = *next[0].RelativePosition
	}
	at := (from + to) / 2
	return at, at != from && at != to, nil
}

// renumberPositions renumbers the positions of all issues of a project, so that there is room between them again.
func (s Issues) renumberPositions(ctx context.Context, projectID int64) error {
	return query.Translate(s.db.Write(ctx).Exec("UPDATE issues SET relative_position = places.place FROM (SELECT id, row_number() OVER "+
		"(ORDER BY relative_position IS NULL, relative_position, id) * CAST(? AS bigint) AS place FROM issues WHERE "+
		"project_id = ?) AS places WHERE places.id = issues.id",
		positionStep, projectID).Error)
}

// Due returns at most the given number of open issues that are due on a day and whose users are not notified yet.
// Archived projects are left out.
func (s Issues) Due(ctx context.Context, day time.Time, most int) ([]model.Issue, error) {
	q := s.db.Read(ctx).Where("due_date = ? AND state = ? AND (due_told IS NULL OR due_told <> due_date)", day, model.Opened)
	rows, err := query.Find[model.Issue](
		q.Where("project_id IN (SELECT id FROM projects WHERE NOT archived)").Order("id").Limit(most),
		most,
	)
	return rows, query.Translate(err)
}

// MarkDueNotified records that users were notified of the due date of an issue. It returns false if that was recorded before.
func (s Issues) MarkDueNotified(ctx context.Context, id int64, day time.Time) (bool, error) {
	res := s.db.Write(ctx).Model(&model.Issue{}).
		Where("id = ? AND due_date = ? AND (due_told IS NULL OR due_told <> due_date)", id, day).UpdateColumn("due_told", day)
	return res.RowsAffected > 0, query.Translate(res.Error)
}
