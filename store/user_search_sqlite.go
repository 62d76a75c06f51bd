package store

import "strings"

// sqliteNameSearch holds for users whose name or username holds the term. The table user_search finds parts of three
// and more characters; of shorter terms only the beginning counts.
func sqliteNameSearch(term string) (string, []any) {
	if short(term) {
		after := term + lastRune
		return "(lower(name) >= lower(?) AND lower(name) < lower(?)) OR (lower(username) >= lower(?) AND lower(username) < lower(?))",
			[]any{term, after, term, after}
	}
	phrase := `"` + strings.ReplaceAll(term, `"`, `""`) + `"`
	return "id IN (SELECT rowid FROM user_search WHERE user_search MATCH ?)", []any{phrase}
}
