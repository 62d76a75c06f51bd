package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// LeaveContributions gives the contributions of a user to the ghost user: issues, merge requests, epics, notes, project
// snippets, emoji reactions, and to-do items that they caused for others. It does nothing if the user has no
// contributions or does not exist.
func (s Users) LeaveContributions(ctx context.Context, id int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		var n int64
		q := s.db.Write(ctx).Raw(
			"SELECT (SELECT count(*) FROM (SELECT 1 FROM issues WHERE author_id = ? LIMIT 1) AS a) + (SELECT "+
				"count(*) FROM (SELECT 1 FROM merge_requests WHERE author_id = ? LIMIT 1) AS b) + "+
				"(SELECT count(*) FROM (SELECT 1 FROM notes WHERE author_id = ? LIMIT 1) AS c) + (SELECT count(*) "+
				"FROM (SELECT 1 FROM award_emoji WHERE user_id = ? LIMIT 1) AS d) + "+
				"(SELECT count(*) FROM (SELECT 1 FROM todos WHERE author_id = ? AND user_id <> ? LIMIT 1) AS e) + "+
				"(SELECT count(*) FROM (SELECT 1 FROM snippets WHERE author_id = ? AND project_id IS NOT NULL LIMIT 1) AS f) + "+
				"(SELECT count(*) FROM (SELECT 1 FROM epics WHERE author_id = ? LIMIT 1) AS g) + "+
				"(SELECT count(*) FROM (SELECT 1 FROM epic_notes WHERE author_id = ? LIMIT 1) AS h)",
			id, id, id, id, id, id, id, id, id)
		if err := query.ScanFirst(q, &n); err != nil || n == 0 {
			return query.Translate(err)
		}
		ghost, err := s.Ghost(ctx)
		if err != nil || ghost.ID == id {
			return err
		}
		for _, text := range []string{
			"UPDATE issues SET author_id = ? WHERE author_id = ?",
			"UPDATE merge_requests SET author_id = ? WHERE author_id = ?",
			"UPDATE epics SET author_id = ? WHERE author_id = ?",
			"UPDATE epic_notes SET author_id = ? WHERE author_id = ?",
			"UPDATE notes SET author_id = ? WHERE author_id = ?",
			"UPDATE snippets SET author_id = ? WHERE author_id = ? AND project_id IS NOT NULL",
			"UPDATE todos SET author_id = ? WHERE author_id = ?",
			// The ghost user gives each emoji once. The user's other reactions are deleted with the user.
			"UPDATE award_emoji SET user_id = ? WHERE user_id = ? AND NOT EXISTS (SELECT 1 FROM award_emoji g WHERE " +
				"g.awardable_type = award_emoji.awardable_type " +
				"AND g.awardable_id = award_emoji.awardable_id AND g.name = award_emoji.name AND g.user_id IN " +
				"(SELECT id FROM users WHERE kind = 'ghost'))",
		} {
			if err := s.db.Write(ctx).Exec(text, ghost.ID, id).Error; err != nil {
				return query.Translate(err)
			}
		}
		return nil
	})
}

// deleteRow deletes the row of a user. The issues that they wrote are deleted with it, so the open issue counts of
// those projects are computed again.
func (s Users) deleteRow(ctx context.Context, id int64) error {
	var projects []int64
	if err := s.db.Write(ctx).Raw("SELECT DISTINCT project_id FROM issues WHERE author_id = ? AND state = ?", id, model.Opened).
		Scan(&projects).Error; err != nil {
		return query.Translate(err)
	}
	wrote := "author_id = ?"
	gone := map[string]string{"issues": wrote, "merge_requests": wrote, "notes": wrote, "snippets": wrote, "epics": wrote}
	if err := s.deleteRowsAboutAll(ctx, gone, id); err != nil {
		return err
	}
	if err := s.db.Write(ctx).Where("id = ?", id).Delete(&model.User{}).Error; err != nil || len(projects) == 0 {
		return query.Translate(err)
	}
	const count = "(SELECT count(*) FROM issues WHERE issues.project_id = projects.id AND state = 'opened' AND "
	return query.Translate(s.db.Write(ctx).Exec("UPDATE projects SET open_issues_count = "+count+
		"NOT confidential), open_confidential_issues_count = "+count+"confidential) WHERE id IN ?", projects).Error)
}
