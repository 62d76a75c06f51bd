package store

// postgresNameSearch holds for users whose name or username holds the term. Trigram indexes find parts of three and
// more characters; of shorter terms only the beginning counts, for which there are indexes that ignore the collation.
// For a term that many names hold the planner walks along the list's order instead.
func postgresNameSearch(term string) (string, []any) {
	if short(term) {
		after := term + lastRune
		return "(lower(name) ~>=~ lower(?) AND lower(name) ~<~ lower(?)) OR (lower(username) ~>=~ lower(?) AND lower(username) ~<~ lower(?))",
			[]any{term, after, term, after}
	}
	pattern := "%" + likeEscaper.Replace(term) + "%"
	return "lower(name) LIKE lower(?) OR lower(username) LIKE lower(?)", []any{pattern, pattern}
}
