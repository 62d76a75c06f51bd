package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
)

// sqliteProjectSearch is a condition for projects whose name or path contains a phrase. The table project_search finds
// terms of three or more characters.
const sqliteProjectSearch = "id IN (SELECT rowid FROM project_search WHERE project_search MATCH ?)"

// manyProjects is the number of matches above which walking along the order of the list fills a page sooner than
// sorting all matches of the index.
const manyProjects = 2000

// isFrequent reports whether many projects contain a term. Only the index ignores the case of letters beyond ASCII, so
// it returns false for a term with such letters.
func (s Projects) isFrequent(ctx context.Context, term string) (bool, error) {
	if strings.ContainsFunc(term, func(r rune) bool { return r > 0x7f }) {
		return false, nil
	}
	var n int64
	err := query.ScanFirst(s.db.Read(ctx).Raw(
		"SELECT count(*) FROM (SELECT 1 FROM project_search WHERE project_search MATCH ? LIMIT ?)", phrase(term), manyProjects,
	), &n)
	return n >= manyProjects, query.Translate(err)
}
