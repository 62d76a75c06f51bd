package store

import (
	"strings"

	"svc/store/model"
)

// What the tests of this package look into: they are in package store_test, because storetest imports store.
var Migrations = migrations

const CallerColumns = callerColumns

func CallerFields(c *model.Caller) []any { return callerFields(c) }

// NameSearch is the query that finds users by part of a name, with the term written into it.
func NameSearch(s *Store, term string) string {
	find := sqliteNameSearch
	if s.postgres {
		find = postgresNameSearch
	}
	text, args := find(term)
	for _, arg := range args {
		text = strings.Replace(text, "?", "'"+arg.(string)+"'", 1)
	}
	return text
}
