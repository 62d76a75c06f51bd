package store

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// EventFilter narrows a list of events. A field that is not set matches everything.
type EventFilter struct {
	AuthorID   int64   // events of one user
	ProjectID  int64   // or events in one project
	Projects   []int64 // the events of all users in these projects, besides those of the author
	Action     string
	TargetType string
	From       *time.Time
	Until      *time.Time // exclusive
	Asc        bool
	View       model.EventView
}

// fewPlaces is the largest number of projects whose newest events are searched one project at a time. For more
// projects, the query walks along all events, because many of those are in these projects.
const fewPlaces = 64

// placesStep is the multiple to which the number of projects in a statement is rounded up, so that there are few
// different statements.
const placesStep = 8

func (f EventFilter) order(table string) string {
	direction := " DESC"
	if f.Asc {
		direction = ""
	}
	return " ORDER BY " + table + "created_at" + direction + ", " + table + "id" + direction
}

// rest returns the conditions of the filter other than the author and the projects.
func (f EventFilter) rest() condition {
	var c condition
	and := func(text string, args ...any) { c.text, c.args = c.text+" AND "+text, append(c.args, args...) }
	if f.Action != "" {
		and("action = "+opaqueText, f.Action)
		if f.Action != model.EventPushed {
			and("action <> 'pushed'") // the index of events other than pushes needs this condition
		}
	}
	if f.TargetType != "" {
		and("target_type = "+opaqueText+" AND target_type IS NOT NULL", f.TargetType)
	}
	if f.From != nil {
		and("created_at >= ?", f.From.UTC())
	}
	if f.Until != nil {
		and("created_at < ?", f.Until.UTC())
	}
	if !f.View.Open() {
		and(visibleEvent)
	}
	return c
}

// visibleEvent is a condition for the events that a reader sees. The tables no_… list the projects in which the reader
// does not see something.
const visibleEvent = `NOT (events.project_id IN (SELECT id FROM no_place)) AND CASE
  WHEN action = 'pushed' THEN NOT (events.project_id IN (SELECT id FROM no_code))
  WHEN target_type = 'Issue' THEN NOT (events.project_id IN (SELECT id FROM no_issues))
  	AND (NOT (events.project_id IN (SELECT id FROM no_confidential))
    OR EXISTS (SELECT 1 FROM issues i WHERE i.id = events.target_id AND ` + ownOrOpen + `))
  WHEN target_type = 'MergeRequest' THEN NOT (events.project_id IN (SELECT id FROM no_merges))
  WHEN target_type = 'Milestone' THEN NOT (events.project_id IN (SELECT id FROM no_milestones))
  WHEN target_type = 'Snippet' THEN NOT (events.project_id IN (SELECT id FROM no_snippets))
  WHEN target_type = 'WikiPage::Meta' THEN NOT (events.project_id IN (SELECT id FROM no_wikis))
  WHEN target_type IN ('Note', 'DiffNote', 'DiscussionNote') THEN EXISTS (SELECT 1 FROM notes n LEFT
  	JOIN issues i ON n.noteable_type = 'Issue' AND i.id = n.noteable_id
    WHERE n.id = events.target_id AND (NOT n.internal OR NOT (events.project_id IN (SELECT id FROM no_confidential)))
    	AND CASE n.noteable_type
      WHEN 'Issue' THEN NOT (events.project_id IN (SELECT id FROM no_issues)) AND (NOT (events.project_id IN (SELECT id
      	FROM no_confidential)) OR (i.id IS NOT NULL AND ` + ownOrOpen + `))
      WHEN 'MergeRequest' THEN NOT (events.project_id IN (SELECT id FROM no_merges))
      WHEN 'Commit' THEN NOT (events.project_id IN (SELECT id FROM no_code))
      WHEN 'Snippet' THEN NOT (events.project_id IN (SELECT id FROM no_snippets)) AND (NOT (events.project_id IN (SELECT id
      	FROM no_confidential)) OR EXISTS (SELECT 1 FROM snippets t WHERE t.id = n.noteable_id
      	AND (t.visibility = 20 OR t.author_id = (SELECT id FROM reader))))
      ELSE TRUE END)
  ELSE TRUE END`

// ownOrOpen is a condition for the issues that a reader with a role below reporter sees.
const ownOrOpen = `(NOT i.confidential OR i.author_id = (SELECT id FROM reader) OR EXISTS (
      SELECT 1 FROM issue_assignees a WHERE a.issue_id = i.id AND a.user_id = (SELECT id FROM reader)))`

// hiddenTables defines the tables that visibleEvent reads. A reader who sees everything needs none.
func (s Events) hiddenTables(v model.EventView) (condition, error) {
	if v.Open() {
		return condition{}, nil
	}
	c := condition{"WITH reader AS MATERIALIZED (SELECT CAST(? AS bigint) AS id)", []any{v.ReaderID}}
	for _, set := range []struct {
		name string
		ids  []int64
	}{
		{"no_place", v.Hidden},
		{"no_code", v.Code},
		{"no_issues", v.Issues},
		{"no_merges", v.Merges},
		{"no_milestones", v.Milestones},
		{"no_snippets", v.Snippets},
		{"no_wikis", v.Wikis},
		{"no_confidential", v.Confidential},
	} {
		text, err := s.set(set.ids)
		if err != nil {
			return c, err
		}
		c.text += ", " + set.name + " AS MATERIALIZED (" + text.text + ")"
		c.args = append(c.args, text.args...)
	}
	c.text += " "
	return c, nil
}

// set returns a query for the given ids. Its text does not depend on their number.
func (b *base) set(ids []int64) (condition, error) {
	if ids == nil {
		ids = []int64{}
	}
	text, err := json.Marshal(ids)
	if b.Postgres() {
		return condition{"SELECT CAST(value AS bigint) AS id FROM json_array_elements_text(CAST(? AS json))", []any{string(text)}}, err
	}
	return condition{"SELECT value AS id FROM json_each(?)", []any{string(text)}}, err
}

// ids returns a query for the id and created_at of the events in a list. With several projects, it may stop after the
// given number of events of each.
func (s Events) ids(f EventFilter, most int) (condition, error) {
	rest := f.rest()
	walk := func(where string, args ...any) condition {
		return condition{"SELECT id, created_at FROM events WHERE " + where + rest.text + f.order(""), append(args, rest.args...)}
	}
	switch {
	case f.ProjectID != 0:
		return walk("project_id = "+opaqueNumber, f.ProjectID), nil
	case len(f.Projects) == 0:
		return walk("author_id = "+opaqueNumber, f.AuthorID), nil
	}
	theirs, err := s.set(f.Projects)
	if err != nil {
		return theirs, err
	}
	if len(f.Projects) > fewPlaces {
		return walk("(project_id IN ("+theirs.text+") OR author_id = "+opaqueNumber+")", append(theirs.args, f.AuthorID)...), nil
	}
	var all condition
	var parts []string
	part := func(c condition) {
		parts = append(parts, "SELECT id, created_at FROM ("+c.text+" LIMIT "+strconv.Itoa(most)+") AS part")
		all.args = append(all.args, c.args...)
	}
	part(walk("author_id = "+opaqueNumber+" AND project_id NOT IN ("+theirs.text+")", append([]any{f.AuthorID}, theirs.args...)...))
	for i := range (len(f.Projects) + placesStep - 1) / placesStep * placesStep {
		id := int64(0) // matches no project
		if i < len(f.Projects) {
			id = f.Projects[i]
		}
		part(walk("project_id = "+opaqueNumber, id))
	}
	all.text = "SELECT id, created_at FROM (" + strings.Join(parts, " UNION ALL ") + ") AS every" + f.order("")
	return all, nil
}

// List returns one page of events with their authors and targets, and the number of events.
func (s Events) List(ctx context.Context, f EventFilter, p Page) ([]model.EventRow, Total, error) {
	with, err := s.hiddenTables(f.View)
	if err != nil {
		return nil, Total{}, err
	}
	most := maxPageRows
	for most < p.Offset+p.Limit+1 {
		most *= 10
	}
	ids, err := s.ids(f, most)
	if err != nil {
		return nil, Total{}, err
	}
	found := Projects(s).window(ids, p.Limit+1, p.Offset)
	rows := make([]model.EventRow, 0, p.Limit+1)
	statement := with.text + "SELECT " + eventColumns + " FROM (" + found.text +
		") AS page CROSS JOIN events e WHERE e.id = page.id" + f.order("e.")
	err = s.db.LongRows(ctx, statement, append(with.args, found.args...), func(r query.Scanner) error {
		rows = append(rows, model.EventRow{})
		return r.Scan(eventFields(&rows[len(rows)-1].Event)...)
	})
	if err != nil {
		return nil, Total{}, query.Translate(err)
	}
	rows, t, err := query.WithTotal(rows, p, func() (int64, error) { return s.count(ctx, f, with, p.Offset+len(rows)) })
	if err != nil {
		return nil, t, err
	}
	return rows, t, s.complete(ctx, rows)
}

// count counts the events of a list, up to one more than CountCap. At least sure of them are known to exist.
func (s Events) count(ctx context.Context, f EventFilter, with condition, sure int) (n int64, err error) {
	if sure > CountCap {
		return CountCap + 1, nil
	}
	if name := f.name(); name != "" {
		return s.longLists.Count(name, func() (int64, error) { return s.counted(ctx, f, with) })
	}
	return s.counted(ctx, f, with)
}

// name returns a cache key for lists that are equally long for every reader who sees all events. Other lists have no
// name.
func (f EventFilter) name() string {
	if !f.View.Open() || len(f.Projects) > 0 || f.From != nil || f.Until != nil {
		return ""
	}
	return "events " + strconv.FormatInt(f.AuthorID, 10) + " " + strconv.FormatInt(f.ProjectID, 10) + " " + f.Action + " " + f.TargetType
}

func (s Events) counted(ctx context.Context, f EventFilter, with condition) (n int64, err error) {
	ids, err := s.ids(f, CountCap+1)
	if err != nil {
		return 0, err
	}
	statement := with.text + "SELECT count(*) FROM (" + ids.text + " LIMIT " + strconv.Itoa(CountCap+1) + ") AS counted"
	err = s.db.LongRow(ctx, statement, append(with.args, ids.args...), &n)
	return n, query.Translate(err)
}

const eventColumns = "e.id, e.project_id, e.author_id, e.action, e.target_type, e.target_id, e.commit_count, " +
	"e.push_action, e.ref_type, e.commit_from, e.commit_to, e.ref, " +
	"e.commit_title, e.ref_count, e.created_at"

func eventFields(e *model.Event) []any {
	return []any{
		&e.ID, &e.ProjectID, &e.AuthorID, &e.Action, &e.TargetType, &e.TargetID, &e.CommitCount, &e.PushAction, &e.RefType,
		&e.CommitFrom, &e.CommitTo, &e.Ref,
		&e.CommitTitle, &e.RefCount, &e.CreatedAt,
	}
}
