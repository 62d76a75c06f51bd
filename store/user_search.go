package store

import (
	"strings"
	"unicode/utf8"

	"gorm.io/gorm"
)

// lastRune comes after every character that a name goes on with.
const lastRune = "\U0010FFFF"

// short tells whether a term has too few characters for an index of trigrams.
func short(term string) bool { return utf8.RuneCountInString(term) < 3 }

// search limits a query to users that a term finds: by part of the name or username, or by a whole address.
func (s Users) search(q *gorm.DB, term string, privateEmail bool) *gorm.DB {
	term = strings.TrimSpace(term)
	if term == "" {
		return q
	}
	find := sqliteNameSearch
	if s.postgres {
		find = postgresNameSearch
	}
	text, args := find(term)
	if strings.Contains(term, "@") {
		text += " OR (public_email IS NOT NULL AND lower(public_email) = lower(?))"
		args = append(args, term)
		if privateEmail {
			text += " OR lower(email) = lower(?) OR " + s.byFurtherEmail()
			args = append(args, term, term)
		}
	}
	return q.Where("("+text+")", args...)
}
