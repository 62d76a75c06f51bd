package store

import (
	"context"
	"strings"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// This file exports internals to the tests of this package, which are in package store_test because storetest imports
// store.

// Migrations are the numbered SQL files.
var Migrations = migrations

// MakeOld makes what was found ahead too old to be used.
func (a *Ahead) MakeOld() {
	found := *a.found.Load()
	found.at = found.at.Add(-2 * maxAheadAge)
	a.found.Store(&found)
}

// HandWritten is a handwritten list of columns with the destination of each.
type HandWritten struct {
	Columns string
	Row     any // the struct that Fields points into
	Fields  []any
	Whole   bool // every field must be in the list
}

// AllHandWritten returns all handwritten lists of columns.
func AllHandWritten() map[string]HandWritten {
	var u model.User
	var c model.Caller
	var b, beheld, listed model.User
	var pipe, pipeline model.Pipeline
	var whole, shown model.InstanceVariable
	var p model.Project
	var i model.Issue
	var m model.MergeRequest
	var note model.Note
	var plan model.Milestone
	var event model.Event
	var audit model.AuditEvent
	var owned model.OwnedVariable
	var rule model.ApprovalRule
	var n model.Namespace
	var token model.OAuthToken
	var row model.ProjectRow
	alone, beside := strings.NewReplacer("projects.", ""), strings.NewReplacer("place.", "place_", "owner.", "owner_", "origin.", "origin_")
	return map[string]HandWritten{
		"user":           {userColumns, &u, userFields(&u), true},
		"listed user":    {listedUserColumns, &listed, listedUserFields(&listed), false},
		"pipeline":       {pipelineListed, &pipe, pipelineListedFields(&pipe), false},
		"whole pipeline": {strings.ReplaceAll(wholePipelineColumns, "p.", ""), &pipeline, wholePipelineFields(&pipeline), true},
		"basic user":     {basicUserColumns, &b, basicUserFields(&b), false},
		"shown user":     {shownUserColumns, &beheld, shownUserFields(&beheld), false},
		"project":        {alone.Replace(projectColumns), &p, projectFields(&p), true},
		"place":          {beside.Replace(placeColumns), &row, placeFields(&row), false},
		"origin":         {beside.Replace(originColumns), &row, originFields(&row.Origin), false},
		"OAuth token":    {oauthTokenColumns, &token, oauthTokenFields(&token), true},
		"namespace":      {namespaceColumns, &n, namespaceFields(&n), true},
		"issue":          {issueColumns, &i, issueFields(&i), true},
		"merge request":  {mergeRequestColumns, &m, mergeRequestFields(&m), true},
		"note":           {noteColumns, &note, noteFields(&note), true},
		"milestone":      {milestoneColumns, &plan, milestoneFields(&plan), true},
		"event":          {strings.ReplaceAll(eventColumns, "e.", ""), &event, eventFields(&event), true},
		"audit event":    {auditColumns, &audit, auditFields(&audit), true},
		"approval rule":  {approvalRuleColumns, &rule, approvalRuleFields(&rule), true},
		"owned variable": {ownedColumns, &owned, ownedFields(&owned), true},
		"caller":         {callerColumns, &c, callerFields(&c), true},
		"variable":       {variableRow, &whole, variableRowFields(&whole), true},
		"variable shown": {variableColumns, &shown, variableFields(&shown), false},
	}
}

// NameSearch returns the query that finds users by part of a name, with the term written into it.
func NameSearch(s *Store, term string) string {
	find := sqliteNames
	if s.Postgres() {
		find = postgresNames
	}
	c := find(term)
	for _, arg := range c.args {
		c.text = strings.Replace(c.text, "?", "'"+arg.(string)+"'", 1)
	}
	return "users.id IN (" + c.text + ")"
}

// First reads the first row of a statement.
func First(ctx context.Context, s *Store, statement string, args []any, dest ...any) error {
	return s.db.Row(ctx, statement, args, dest...)
}

// AuthorOfGone returns the author that is shown for an issue whose author was removed after the issue was read, and the user
// that is shown for such a user.
func AuthorOfGone(ctx context.Context, s *Store, id int64) (issue, user *model.User, err error) {
	rows := []model.IssueRow{{Issue: model.Issue{ID: id, AuthorID: id}}}
	if err := s.Issues.complete(ctx, rows, nil); err != nil {
		return nil, nil, err
	}
	users, err := s.Users.shown(ctx, map[int64]bool{id: true})
	return rows[0].Author, users[id], err
}

// Numbered returns a query with PostgreSQL's numbered parameters.
func Numbered(statement string) string { return query.NumberPlaceholders(statement) }

// ProjectSearch returns the condition that finds projects by a term, with the term written into it.
func ProjectSearch(ctx context.Context, s *Store, term string) string {
	q := s.Projects.search(ctx, s.db.Read(ctx).Session(&gorm.Session{DryRun: true}), ProjectFilter{Search: term})
	text := q.Find(&[]model.Project{}).Statement
	_, where, _ := strings.Cut(s.db.Read(ctx).Dialector.Explain(text.SQL.String(), text.Vars...), "WHERE ")
	return where
}

// MigrateOneByOne applies all migrations to an empty database. Migrate would begin with the whole schema instead.
func MigrateOneByOne(ctx context.Context, st *Store) error {
	_, err := st.migrateTables(ctx)
	return err
}

// Execute runs one statement, outside of transactions unless the context carries one.
func Execute(ctx context.Context, s *Store, statement string, args ...any) error {
	return query.Translate(s.db.Write(ctx).Exec(statement, args...).Error)
}

// Written reads the first row that a writing statement returns.
func Written(ctx context.Context, s *Store, statement string, args []any, dest ...any) error {
	return s.db.WriteRow(ctx, statement, args, dest...)
}

// Unavailable reports whether an error means that the database itself is unavailable.
func Unavailable(err error) bool { return query.IsUnavailable(err) }

// IssuePlan returns the plan of SQLite for the ids of a page of issues. long says that the list has more rows than are counted.
func IssuePlan(ctx context.Context, s *Store, scope IssuableScope, f IssueFilter, long bool) (string, error) {
	l := s.Issues.list(ctx, scope, f)
	if long && !l.inOrder() {
		l = l.walked()
	}
	page := l.page(l.found(), Page{Limit: 20})
	var plan strings.Builder
	err := s.db.Rows(ctx, "EXPLAIN QUERY PLAN "+page.text, page.args, func(row query.Scanner) error {
		var id, parent, unused int
		var detail string
		err := row.Scan(&id, &parent, &unused, &detail)
		plan.WriteString(detail + "\n")
		return err
	})
	return plan.String(), err
}

// Later runs a statement that may wait for the next one.
func Later(ctx context.Context, s *Store, statement string, args ...any) error {
	return s.later(ctx, statement, args...)
}

// Together runs several statements that read.
func Together(ctx context.Context, s *Store, readings func() []query.Reading) error {
	return query.Translate(s.db.RowsTogether(ctx, readings))
}
