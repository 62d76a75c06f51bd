package store

import (
	"context"
	"strings"

	"gorm.io/gorm"
)

// search limits a list to projects whose name or path contains a term. With SearchNamespaces, it compares the full path
// and the full name instead.
func (s Projects) search(ctx context.Context, q *gorm.DB, f ProjectFilter) *gorm.DB {
	term := strings.TrimSpace(f.Search)
	like := likeAny(term)
	switch {
	case term == "":
		return q
	case f.SearchTexts:
		return s.searchTexts(q, term)
	case f.SearchNamespaces:
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

// searchTexts limits a list to projects whose name, path or description contains a term, or whose full path does if the term
// has a slash.
func (s Projects) searchTexts(q *gorm.DB, term string) *gorm.DB {
	like := likeAny(term)
	where, args := projectNames+` OR lower(description) LIKE ? ESCAPE '\'`, []any{like, like, like}
	if !s.Postgres() && !short(term) { // only the index ignores the case of letters beyond ASCII
		where, args = where+" OR "+sqliteProjectSearch, append(args, phrase(term))
	}
	if strings.Contains(term, "/") {
		where, args = where+` OR lower(full_path) LIKE ? ESCAPE '\'`, append(args, like)
	}
	return q.Where("("+where+")", args...)
}

// projectNames is a condition for projects whose name or path contains a term. On PostgreSQL, trigram indexes find
// terms of three or more characters. If many names contain the term, the planner walks along the order of the list
// instead, as SQLite always does.
const projectNames = `(lower(name) LIKE ? ESCAPE '\' OR lower(path) LIKE ? ESCAPE '\')`
