package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// usersOfProject selects the users who have a role in a project, directly or through groups.
// Arguments: project, today; project, today; project, today, today; project, today, today.
const usersOfProject = `
SELECT m.user_id FROM members m WHERE m.source_type = 'Project' AND m.source_id = ? AND (m.expires_at IS NULL OR m.expires_at > ?)
UNION SELECT m.user_id FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id
  JOIN members m ON m.source_type = 'Namespace' AND m.source_id = a.ancestor_id
 WHERE p.id = ? AND m.access_level >= 10 AND (m.expires_at IS NULL OR m.expires_at > ?)
UNION SELECT m.user_id FROM projects p JOIN namespace_ancestors a ON a.descendant_id = p.namespace_id
  JOIN group_links l ON l.group_id = a.ancestor_id JOIN namespace_ancestors b ON b.descendant_id = l.shared_with_group_id
  JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id
 WHERE p.id = ? AND m.access_level >= 10 AND l.access_level >= 10 AND (m.expires_at IS NULL OR m.expires_at > ?)
 	AND (l.expires_at IS NULL OR l.expires_at > ?)
UNION SELECT m.user_id FROM project_links l JOIN namespace_ancestors b ON b.descendant_id = l.group_id
  JOIN members m ON m.source_type = 'Namespace' AND m.source_id = b.ancestor_id
 WHERE l.project_id = ? AND m.access_level >= 10 AND (m.expires_at IS NULL OR m.expires_at > ?)
 	AND (l.expires_at IS NULL OR l.expires_at > ?)`

// ListUsers returns one page of the active users who have a role in a project, ordered by id.
func (s Projects) ListUsers(ctx context.Context, id int64, search string, skip []int64, p Page) ([]model.User, Total, error) {
	day := s.today()
	q := s.db.Read(ctx).Table("users").Where("state = ?", model.UserActive).
		Where("id IN ("+usersOfProject+")", id, day, id, day, id, day, day, id, day, day)
	if len(skip) > 0 {
		q = q.Where("id NOT IN ?", skip)
	}
	return query.ListFiltered[model.User](namedLike(q, search).Order("id"), p)
}

// namedLike limits a short list of users to those whose name or username contains a term.
func namedLike(q *gorm.DB, term string) *gorm.DB {
	if term = strings.TrimSpace(term); term == "" {
		return q
	}
	like := "%" + likeEscaper.Replace(strings.ToLower(term)) + "%"
	return q.Where(`(lower(users.name) LIKE ? ESCAPE '\' OR lower(users.username) LIKE ? ESCAPE '\')`, like, like)
}

// Languages returns the languages of a project, the largest share first.
func (s Projects) Languages(ctx context.Context, id int64) ([]model.ProjectLanguage, error) {
	var rows []model.ProjectLanguage
	err := s.db.Rows(ctx, "SELECT name, share FROM project_languages WHERE project_id = ? ORDER BY share DESC, name", []any{id},
		func(row query.Scanner) error {
			l := model.ProjectLanguage{ProjectID: id}
			err := row.Scan(&l.Name, &l.Share)
			rows = append(rows, l)
			return err
		})
	return rows, query.Translate(err)
}

// LanguagesByProject returns the languages of projects, the largest share first, keyed by project.
func (s Projects) LanguagesByProject(ctx context.Context, ids []int64) (map[int64][]model.ProjectLanguage, error) {
	rows, err := query.Find[model.ProjectLanguage](
		s.db.Read(ctx).Where("project_id IN ?", ids).Order("share DESC").Order("name"), len(ids))
	found := map[int64][]model.ProjectLanguage{}
	for _, l := range rows {
		found[l.ProjectID] = append(found[l.ProjectID], l)
	}
	return found, query.Translate(err)
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
