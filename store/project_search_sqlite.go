package store

import (
	"context"
	"strings"
)

// sqliteProjectSearch holds for projects whose name or path holds a phrase: the table project_search finds parts of three
// and more characters.
const sqliteProjectSearch = "id IN (SELECT rowid FROM project_search WHERE project_search MATCH ?)"

// manyProjects is when a term is so frequent that a page is full sooner by walking along the list's order than by
// sorting all that the index finds.
const manyProjects = 2000

// isFrequent tells whether many projects hold a term. Only the index knows letters beyond ASCII whatever their case, so
// a term with such letters always goes through it.
func (s Projects) isFrequent(ctx context.Context, term string) (bool, error) {
	if strings.ContainsFunc(term, func(r rune) bool { return r > 0x7f }) {
		return false, nil
	}
	var n int64
	err := one(s.read(ctx).Raw("SELECT count(*) FROM (SELECT 1 FROM project_search WHERE project_search MATCH ? LIMIT ?)", phrase(term), manyProjects), &n)
	return n >= manyProjects, translate(err)
}
