package store

import (
	"context"
	"strings"

	"svc/store/model"

	"gorm.io/gorm"
)

// What the tests of this package look into: they are in package store_test, because storetest imports store.

// Migrations are the numbered SQL files.
var Migrations = migrations

// HandWritten is a list of columns in a query of ours, and where each goes.
type HandWritten struct {
	Columns string
	Row     any // the struct that Fields points into
	Fields  []any
	Whole   bool // every member must be there
}

// AllHandWritten are the lists that are kept by hand.
func AllHandWritten() map[string]HandWritten {
	var u model.User
	var c model.Caller
	var whole, shown model.InstanceVariable
	return map[string]HandWritten{
		"user":           {userColumns, &u, userFields(&u), true},
		"caller":         {callerColumns, &c, callerFields(&c), true},
		"variable":       {variableRow, &whole, variableRowFields(&whole), true},
		"variable shown": {variableColumns, &shown, variableFields(&shown), false},
	}
}

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

// ProjectSearch is the condition that finds projects by a term, with the term written into it.
func ProjectSearch(ctx context.Context, s *Store, term string) string {
	q := s.Projects.search(ctx, s.read(ctx).Session(&gorm.Session{DryRun: true}), term, false)
	text := q.Find(&[]model.Project{}).Statement
	_, where, _ := strings.Cut(s.reader.Dialector.Explain(text.SQL.String(), text.Vars...), "WHERE ")
	return where
}
