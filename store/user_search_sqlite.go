package store

import "strings"

// sqliteNameSearch is the ids of users whose name or username holds the term. The table user_search finds parts of three
// and more characters; of shorter terms only the beginning counts.
func sqliteNameSearch(term string) (string, []any) {
	if short(term) {
		const begins = "SELECT id FROM users WHERE lower(%) >= lower(?) AND lower(%) < lower(?)"
		after := term + lastRune
		return strings.ReplaceAll(begins, "%", "name") + " UNION " + strings.ReplaceAll(begins, "%", "username"), []any{term, after, term, after}
	}
	phrase := `"` + strings.ReplaceAll(term, `"`, `""`) + `"`
	return "SELECT rowid FROM user_search WHERE user_search MATCH ?", []any{phrase}
}
