package store

import "strings"

// postgresNameSearch is the ids of users whose name or username holds the term. Trigram indexes find parts of three and
// more characters; of shorter terms only the beginning counts, for which there are indexes that ignore the collation.
func postgresNameSearch(term string) (string, []any) {
	if short(term) {
		const begins = "SELECT id FROM users WHERE lower(%) ~>=~ lower(?) AND lower(%) ~<~ lower(?)"
		after := term + lastRune
		return strings.ReplaceAll(begins, "%", "name") + " UNION " + strings.ReplaceAll(begins, "%", "username"), []any{term, after, term, after}
	}
	pattern := "%" + likeEscaper.Replace(term) + "%"
	return `SELECT id FROM users WHERE lower(name) LIKE lower(?) UNION SELECT id FROM users WHERE lower(username) LIKE lower(?)`,
		[]any{pattern, pattern}
}
