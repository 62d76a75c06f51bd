package store

import (
	"context"
	"strings"

	"gorm.io/gorm"
)

// search limits a list to projects whose name or path contains a term. If namespaces is set, it compares the full path
// and the full name instead.
func (s Projects) search(ctx context.Context, q *gorm.DB, term string, namespaces bool) *gorm.DB {
	term = strings.TrimSpace(term)
	like := "%" + likeEscaper.Replace(strings.ToLower(term)) + "%"
	switch {
	case term == "":
		return q
	case namespaces:
		return q.Where(`(lower(full_path) LIKE ? ESCAPE '\' OR lower(full_name) LIKE ? ESCAPE '\')`, like, like)
	case s.Postgres() || short(term):
		return q.Where(projectNames, like, like)
	}
	often, err := s.isFrequent(ctx, term)
	if err != nil {
		q.AddError(err) //nolint:errcheck // it is what is returned when the query runs
		return q
	}
	if often {
		return q.Where(projectNames, like, like)
	}
	return q.Where(sqliteProjectSearch, phrase(term))
}

// projectNames is a condition for projects whose name or path contains a term. On PostgreSQL, trigram indexes find
// terms of three or more characters. If many names contain the term, the planner walks along the order of the list
// instead, as SQLite always does.
const projectNames = `(lower(name) LIKE ? ESCAPE '\' OR lower(path) LIKE ? ESCAPE '\')`
