package store

import (
	"context"

	"svc/store/model"
)

// LeaveContributions gives what a user wrote to the ghost user: issues, merge requests, notes, snippets of projects, emoji, and
// what others are asked for in their name. A user without any leaves nothing, and one who is gone neither.
func (s Users) LeaveContributions(ctx context.Context, id int64) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		var n int64
		q := s.write(ctx).Raw("SELECT (SELECT count(*) FROM (SELECT 1 FROM issues WHERE author_id = ? LIMIT 1) AS a) + (SELECT count(*) FROM (SELECT 1 FROM merge_requests WHERE author_id = ? LIMIT 1) AS b) + "+
			"(SELECT count(*) FROM (SELECT 1 FROM notes WHERE author_id = ? LIMIT 1) AS c) + (SELECT count(*) FROM (SELECT 1 FROM award_emoji WHERE user_id = ? LIMIT 1) AS d) + "+
			"(SELECT count(*) FROM (SELECT 1 FROM todos WHERE author_id = ? AND user_id <> ? LIMIT 1) AS e) + "+
			"(SELECT count(*) FROM (SELECT 1 FROM snippets WHERE author_id = ? AND project_id IS NOT NULL LIMIT 1) AS f)", id, id, id, id, id, id, id)
		if err := one(q, &n); err != nil || n == 0 {
			return translate(err)
		}
		ghost, err := s.Ghost(ctx)
		if err != nil || ghost.ID == id {
			return err
		}
		for _, text := range []string{
			"UPDATE issues SET author_id = ? WHERE author_id = ?",
			"UPDATE merge_requests SET author_id = ? WHERE author_id = ?",
			"UPDATE notes SET author_id = ? WHERE author_id = ?",
			"UPDATE snippets SET author_id = ? WHERE author_id = ? AND project_id IS NOT NULL",
			"UPDATE todos SET author_id = ? WHERE author_id = ?",
			// The ghost gives each emoji once; what is left of the user's goes with them.
			"UPDATE award_emoji SET user_id = ? WHERE user_id = ? AND NOT EXISTS (SELECT 1 FROM award_emoji g WHERE g.awardable_type = award_emoji.awardable_type " +
				"AND g.awardable_id = award_emoji.awardable_id AND g.name = award_emoji.name AND g.user_id IN (SELECT id FROM users WHERE kind = 'ghost'))",
		} {
			if err := s.write(ctx).Exec(text, ghost.ID, id).Error; err != nil {
				return translate(err)
			}
		}
		return nil
	})
}

// deleteRow deletes the row of a user. Issues that they wrote go with it, so the projects' numbers of open ones are counted anew.
func (s Users) deleteRow(ctx context.Context, id int64) error {
	var projects []int64
	if err := s.write(ctx).Raw("SELECT DISTINCT project_id FROM issues WHERE author_id = ? AND state = ?", id, model.Opened).Scan(&projects).Error; err != nil {
		return translate(err)
	}
	wrote := "author_id = ?"
	if err := s.forgetAll(ctx, map[string]string{"issues": wrote, "merge_requests": wrote, "notes": wrote}, id); err != nil {
		return err
	}
	if err := s.write(ctx).Where("id = ?", id).Delete(&model.User{}).Error; err != nil || len(projects) == 0 {
		return translate(err)
	}
	const count = "(SELECT count(*) FROM issues WHERE issues.project_id = projects.id AND state = 'opened' AND "
	return translate(s.write(ctx).Exec("UPDATE projects SET open_issues_count = "+count+"NOT confidential), open_confidential_issues_count = "+count+"confidential) WHERE id IN ?", projects).Error)
}
