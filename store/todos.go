package store

import (
	"context"
	"maps"
	"slices"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Todos holds the to-do items of users.
type Todos struct{ *base }

const isPending = "state = '" + model.TodoPending + "'" // for the reason see castText

// Add adds to-do items. It skips items that equal a pending item of the same user.
func (s Todos) Add(ctx context.Context, rows []model.Todo) error {
	if len(rows) == 0 {
		return nil
	}
	return query.Translate(s.db.Write(ctx).Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&rows, someRows).Error)
}

// TodoFilter filters a list of to-do items.
type TodoFilter struct {
	State     string
	Action    string
	Type      string // Issue or MergeRequest
	AuthorID  *int64
	ProjectID *int64
	GroupID   *int64
}

// seen limits a query to items whose target the reader can still see.
func (s Todos) seen(q *gorm.DB, r Reader) *gorm.DB {
	scope := IssuableScope{Reader: &r}
	for _, in := range []issuable{onIssues, onMergeRequests} {
		projects, args := scope.projects(in, s.today())
		text := "(target_type <> '" + in.kind + "' OR EXISTS (SELECT 1 FROM " + in.table + " WHERE " + in.table +
			".id = todos.target_id AND " + in.table + ".project_id IN (" + projects + ")"
		if in.kind == model.OnIssue {
			hidden, more := scope.seen(in.table, s.today())
			text, args = text+" AND "+hidden, append(args, more...)
		}
		q = q.Where(text+"))", args...)
	}
	return q
}

// List returns one page of the to-do items of a user, newest first. It leaves out items whose target the user can no
// longer see.
func (s Todos) List(ctx context.Context, f TodoFilter, r Reader, p Page) ([]model.TodoRow, Total, error) {
	q := s.seen(s.db.Read(ctx).Table("todos").Where("user_id = ?", r.UserID), r)
	for _, c := range []struct {
		wanted bool
		text   string
		value  any
	}{
		{f.State != "", "state = " + castText, f.State},
		{f.Action != "", "action_name = ?", f.Action},
		{f.Type != "", "target_type = ?", f.Type},
		{f.AuthorID != nil, "author_id = ?", f.AuthorID},
		{f.ProjectID != nil, "project_id = ?", f.ProjectID},
		{
			f.GroupID != nil,
			"project_id IN (SELECT p.id FROM projects p JOIN namespace_ancestors a ON a.descendant_id = " +
				"p.namespace_id WHERE a.ancestor_id = ?)",
			f.GroupID,
		},
	} {
		if c.wanted {
			q = q.Where(c.text, c.value)
		}
	}
	rows, total, err := query.List[model.Todo](q.Order("id DESC"), p)
	if err != nil {
		return nil, total, err
	}
	out, err := s.complete(ctx, rows, &r)
	return out, total, err
}

// Count counts the pending to-do items of a user.
func (s Todos) Count(ctx context.Context, r Reader) (int64, error) {
	q := s.seen(s.db.Read(ctx).Table("todos").Where("user_id = ? AND "+isPending, r.UserID), r)
	return query.CountUpTo[model.Todo](q, CountCap)
}

// complete adds the projects, authors, targets and notes of to-do items, with one statement for each kind.
func (s Todos) complete(ctx context.Context, rows []model.Todo, r *Reader) ([]model.TodoRow, error) {
	projects, users, targets, said := map[int64]bool{}, map[int64]bool{},
		map[string]map[int64]bool{model.OnIssue: {}, model.OnMergeRequest: {}}, map[int64]bool{}
	for _, row := range rows {
		projects[row.ProjectID], users[row.AuthorID] = true, true
		if of := targets[row.TargetType]; of != nil {
			of[row.TargetID] = true
		}
		if row.NoteID != nil {
			said[*row.NoteID] = true
		}
	}
	places, err := byID(ctx, s.base, projects, func(p *model.Project) int64 { return p.ID })
	if err != nil {
		return nil, err
	}
	people, err := Users(s).shown(ctx, users)
	if err != nil {
		return nil, err
	}
	issues, err := Issues(s).byID(ctx, targets[model.OnIssue], r)
	if err != nil {
		return nil, err
	}
	requests, err := byID(ctx, s.base, targets[model.OnMergeRequest], func(m *model.MergeRequest) int64 { return m.ID })
	if err != nil {
		return nil, err
	}
	notes, err := byID(ctx, s.base, said, func(n *model.Note) int64 { return n.ID })
	if err != nil {
		return nil, err
	}
	out := make([]model.TodoRow, len(rows))
	for i, row := range rows {
		out[i] = model.TodoRow{Todo: row, Project: places[row.ProjectID], Author: people[row.AuthorID]}
		switch row.TargetType {
		case model.OnIssue:
			out[i].Issue = issues[row.TargetID]
		case model.OnMergeRequest:
			out[i].Request = requests[row.TargetID]
		}
		if row.NoteID != nil && notes[*row.NoteID] != nil {
			out[i].Note = &notes[*row.NoteID].Body
		}
	}
	return out, nil
}

// byID returns issues as a reader sees them, keyed by id.
func (s Issues) byID(ctx context.Context, wanted map[int64]bool, r *Reader) (map[int64]*model.IssueRow, error) {
	found := map[int64]*model.IssueRow{}
	if len(wanted) == 0 {
		return found, nil
	}
	rows, err := query.Find[model.IssueRow](s.shown(ctx, r).Where("issues.id IN ?", slices.Collect(maps.Keys(wanted))), len(wanted))
	if err != nil {
		return nil, query.Translate(err)
	}
	if err := s.complete(ctx, rows, r); err != nil {
		return nil, err
	}
	for i := range rows {
		found[rows[i].Issue.ID] = &rows[i]
	}
	return found, nil
}

// Get returns a to-do item of a user.
func (s Todos) Get(ctx context.Context, id int64, r Reader) (model.TodoRow, error) {
	row, err := query.Take[model.Todo](s.seen(s.db.Read(ctx).Table("todos").Where("id = ? AND user_id = ?", id, r.UserID), r), "Todo")
	if err != nil {
		return model.TodoRow{}, err
	}
	rows, err := s.complete(ctx, []model.Todo{row}, &r)
	if err != nil {
		return model.TodoRow{}, err
	}
	return rows[0], nil
}

// Pending returns the pending to-do item of a user for a target. If action is not empty, the item must have that
// action. The bool is false if there is none.
func (s Todos) Pending(ctx context.Context, kind string, id int64, action string, r Reader) (model.TodoRow, bool, error) {
	q := s.db.Read(ctx).Where("user_id = ? AND target_type = ? AND target_id = ? AND "+isPending, r.UserID, kind, id)
	if action != "" {
		q = q.Where("action_name = ?", action)
	}
	row, err := query.Take[model.Todo](q, "Todo")
	if IsNotFound(err) {
		return model.TodoRow{}, false, nil
	}
	if err != nil {
		return model.TodoRow{}, false, err
	}
	rows, err := s.complete(ctx, []model.Todo{row}, &r)
	if err != nil {
		return model.TodoRow{}, false, err
	}
	return rows[0], true, nil
}

// Done marks one to-do item of a user as done, or all of them if id is 0.
func (s Todos) Done(ctx context.Context, userID, id int64) error {
	q := s.db.Write(ctx).Model(&model.Todo{}).Where("user_id = ? AND "+isPending, userID)
	if id != 0 {
		q = q.Where("id = ?", id)
	}
	return query.Translate(q.UpdateColumns(map[string]any{"state": model.TodoDone, "updated_at": s.now()}).Error)
}

// DoneForTarget marks the pending to-do items for a target as done, for one user or, if userID is 0, for all users.
func (s Todos) DoneForTarget(ctx context.Context, kind string, id, userID int64) error {
	text := "UPDATE todos SET state = '" + model.TodoDone + "', updated_at = ? WHERE target_type = ? AND target_id = ? AND " + isPending
	args := []any{s.now(), kind, id}
	if userID != 0 {
		text, args = text+" AND user_id = ?", append(args, userID)
	}
	return s.later(ctx, text, args...)
}
