package store

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// Snippets holds the snippets.
type Snippets struct{ *base }

const snippet = "Snippet"

// onSnippets names the table of snippets and the project column that says who can see them.
var onSnippets = issuable{kind: model.OnSnippet, table: "snippets", level: "snippets_access_level"}

// Create adds a snippet.
func (s Snippets) Create(ctx context.Context, row *model.Snippet) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// Get returns a snippet.
func (s Snippets) Get(ctx context.Context, id int64) (model.SnippetRow, error) {
	row, err := query.Take[model.Snippet](s.db.Read(ctx).Where("id = ?", id), snippet)
	if err != nil {
		return model.SnippetRow{}, err
	}
	rows, err := s.with(ctx, []model.Snippet{row})
	if err != nil {
		return model.SnippetRow{}, err
	}
	return rows[0], nil
}

// ByID returns the snippets with these ids, keyed by id.
func (s Snippets) ByID(ctx context.Context, wanted map[int64]bool) (map[int64]model.SnippetRow, error) {
	found, err := byID(ctx, s.base, wanted, func(row *model.Snippet) int64 { return row.ID })
	if err != nil {
		return nil, err
	}
	plain := make([]model.Snippet, 0, len(found))
	for _, row := range found {
		plain = append(plain, *row)
	}
	rows, err := s.with(ctx, plain)
	all := make(map[int64]model.SnippetRow, len(rows))
	for _, row := range rows {
		all[row.Snippet.ID] = row
	}
	return all, err
}

// with adds the authors and projects, with one query each.
func (s Snippets) with(ctx context.Context, plain []model.Snippet) ([]model.SnippetRow, error) {
	people, places := map[int64]bool{}, map[int64]bool{}
	for _, row := range plain {
		people[row.AuthorID] = true
		if row.ProjectID != nil {
			places[*row.ProjectID] = true
		}
	}
	authors, err := Users(s).shown(ctx, people)
	if err != nil {
		return nil, err
	}
	projects, err := byID(ctx, s.base, places, func(p *model.Project) int64 { return p.ID })
	if err != nil {
		return nil, err
	}
	rows := make([]model.SnippetRow, len(plain))
	for i, row := range plain {
		rows[i] = model.SnippetRow{Snippet: row, Author: *authors[row.AuthorID], Project: of(projects, row.ProjectID)}
	}
	return rows, nil
}

// SnippetFilter says which snippets a list shows.
type SnippetFilter struct {
	AuthorID  int64 // 0 for any author
	ProjectID int64 // 0 for personal snippets and those of any project
	Public    bool  // only public personal snippets
	Storage   string
	After     *time.Time // created at or after
	Before    *time.Time
	Everyone  bool   // the reader's role lets them see all snippets of the project
	Search    string // a part of the title, of the description or of a file name
	Asc       bool   // the oldest first
}

// List returns one page of the snippets that a reader can see, newest first.
func (s Snippets) List(ctx context.Context, f SnippetFilter, r *Reader, p Page) ([]model.SnippetRow, Total, error) {
	q := s.db.Read(ctx).Order("snippets.id DESC")
	if f.Asc {
		q = s.db.Read(ctx).Order("snippets.id")
	}
	if f.Search != "" {
		q = searchSnippets(q, f.Search)
	}
	if f.AuthorID != 0 {
		q = q.Where("snippets.author_id = ?", f.AuthorID)
	}
	if f.ProjectID != 0 {
		q = q.Where("snippets.project_id = ?", f.ProjectID)
	}
	if f.Public {
		q = q.Where("snippets.visibility = ? AND snippets.project_id IS NULL", model.Public)
	}
	if f.Storage != "" {
		q = q.Where("snippets.repository_storage = ?", f.Storage)
	}
	if f.After != nil {
		q = q.Where("snippets.created_at >= ?", f.After.UTC())
	}
	if f.Before != nil {
		q = q.Where("snippets.created_at <= ?", f.Before.UTC())
	}
	if !f.Everyone && !f.Public {
		seen, args := visibleSnippet(f, r, s.today())
		q = q.Where(seen, args...)
	}
	plain, total, err := query.List[model.Snippet](q, p)
	if err != nil || len(plain) == 0 {
		return nil, total, err
	}
	rows, err := s.with(ctx, plain)
	return rows, total, err
}

// searchSnippets limits a query to the snippets whose title, description or file names contain a term. File names are stored
// as JSON, so a term that has only characters of its syntax is not searched in them.
func searchSnippets(q *gorm.DB, term string) *gorm.DB {
	like, where := likeAny(term), `lower(snippets.title) LIKE ? ESCAPE '\' OR lower(snippets.description) LIKE ? ESCAPE '\'`
	text, err := json.Marshal(term)
	if err != nil || strings.Trim(term, `[],"`) == "" {
		return q.Where("("+where+")", like, like)
	}
	return q.Where("("+where+` OR lower(snippets.files) LIKE ? ESCAPE '\')`, like, like, likeAny(strings.Trim(string(text), `"`)))
}

// visibleSnippet returns a condition for the snippets that a reader can see. In projects whose snippets the reader can
// see, and among personal snippets, these are the reader's own and those that their visibility opens to the reader.
// Members of a project see all its snippets.
func visibleSnippet(f SnippetFilter, r *Reader, day time.Time) (string, []any) {
	open := atLeast("snippets.visibility", widestVisible(r))
	var own []any
	if r != nil {
		if r.Admin {
			return "TRUE", nil
		}
		open, own = "("+open+" OR snippets.author_id = ?)", []any{r.UserID}
	}
	if f.ProjectID != 0 {
		return open, own // the caller has checked that the reader can see the snippets of the project
	}
	projects, args := readableProjects(onSnippets, r, day)
	text := "((snippets.project_id IS NULL OR snippets.project_id IN (" + projects + ")) AND " + open
	args = append(args, own...)
	if r != nil {
		member, more := projectWithRole("projects", r.UserID, model.Guest, day)
		text += " OR snippets.project_id IN (SELECT projects.id FROM projects WHERE projects.snippets_access_level <> 'disabled' AND " +
			member + ")"
		args = append(args, more...)
	}
	return text + ")", args
}

// Update changes the given columns of a snippet.
func (s Snippets) Update(ctx context.Context, id int64, set map[string]any) error {
	res := s.db.Write(ctx).Model(&model.Snippet{}).Where("id = ?", id).Updates(set)
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{Resource: snippet}
	}
	return query.Translate(res.Error)
}

// Delete removes a snippet with its notes and emoji, unless it was changed after the given time. Its repository is
// removed later.
func (s Snippets) Delete(ctx context.Context, row model.Snippet, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, row, snippet, unchangedSince); err != nil {
			return err
		}
		return s.deleteRowsAbout(ctx, model.OnSnippet, row.ID)
	})
}
