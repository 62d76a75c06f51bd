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
	var b, beheld model.User
	var whole, shown model.InstanceVariable
	var p model.Project
	var row model.ProjectRow
	alone, beside := strings.NewReplacer("projects.", ""), strings.NewReplacer("place.", "place_", "owner.", "owner_", "origin.", "origin_")
	return map[string]HandWritten{
		"user":           {userColumns, &u, userFields(&u), true},
		"basic user":     {basicUserColumns, &b, basicUserFields(&b), false},
		"shown user":     {shownUserColumns, &beheld, shownUserFields(&beheld), false},
		"project":        {alone.Replace(projectColumns), &p, projectFields(&p), true},
		"place":          {beside.Replace(placeColumns), &row, placeFields(&row), false},
		"origin":         {beside.Replace(originColumns), &row, originFields(&row.Origin), false},
		"caller":         {callerColumns, &c, callerFields(&c), true},
		"variable":       {variableRow, &whole, variableRowFields(&whole), true},
		"variable shown": {variableColumns, &shown, variableFields(&shown), false},
	}
}

// NameSearch is the query that finds users by part of a name, with the term written into it.
func NameSearch(s *Store, term string) string {
	find := sqliteNames
	if s.postgres {
		find = postgresNames
	}
	c := find(term)
	for _, arg := range c.args {
		c.text = strings.Replace(c.text, "?", "'"+arg.(string)+"'", 1)
	}
	return "users.id IN (" + c.text + ")"
}

// First is the first row of a hot query.
func First(ctx context.Context, s *Store, query string, args []any, dest ...any) error {
	return s.first(ctx, query, args, dest...)
}

// AuthorOfGone is who is shown as the author of an issue that was removed since its id was read, and as a user who was.
func AuthorOfGone(ctx context.Context, s *Store, id int64) (issue, user *model.User, err error) {
	people, err := s.peopleOf(ctx, onIssues, []int64{id})
	if err != nil {
		return nil, nil, err
	}
	users, err := s.Users.shown(ctx, map[int64]bool{id: true})
	return people[id].Author, users[id], err
}

// Numbered is a query as PostgreSQL wants it.
func Numbered(query string) string { return numbered(query) }

// ProjectSearch is the condition that finds projects by a term, with the term written into it.
func ProjectSearch(ctx context.Context, s *Store, term string) string {
	q := s.Projects.search(ctx, s.read(ctx).Session(&gorm.Session{DryRun: true}), term, false)
	text := q.Find(&[]model.Project{}).Statement
	_, where, _ := strings.Cut(s.reader.Dialector.Explain(text.SQL.String(), text.Vars...), "WHERE ")
	return where
}

// MigrateOneByOne applies all migrations to an empty database, which otherwise would begin with the whole schema.
func MigrateOneByOne(ctx context.Context, st *Store) error {
	_, err := st.migrateTables(ctx)
	return err
}

// Execute runs one statement, outside of transactions unless the context carries one.
func Execute(ctx context.Context, s *Store, statement string, args ...any) error {
	return translate(s.write(ctx).Exec(statement, args...).Error)
}

// Written is the first row of a hot statement that writes.
func Written(ctx context.Context, s *Store, query string, args []any, dest ...any) error {
	return s.firstWritten(ctx, query, args, dest...)
}

// Unavailable is true for failures of the database as such.
func Unavailable(err error) bool { return isUnavailable(err) }
