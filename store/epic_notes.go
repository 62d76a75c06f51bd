package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// EpicNotes holds the comments of users on epics, and the system notes about them.
type EpicNotes struct{ *base }

// EpicNoteFilter narrows a list of notes on an epic.
type EpicNoteFilter struct {
	EpicID   int64
	Internal bool   // also internal notes
	Activity string // only_comments or only_activity; otherwise all notes
	OrderBy  string // created_at or updated_at
	Asc      bool
}

// on limits a query to the notes that match the filter.
func (f EpicNoteFilter) on(q *gorm.DB) *gorm.DB {
	q = q.Where("epic_id = ?", f.EpicID)
	if !f.Internal {
		q = q.Where("NOT internal")
	}
	switch f.Activity {
	case "only_comments":
		q = q.Where("NOT system")
	case "only_activity":
		q = q.Where("system")
	}
	return q
}

// Add adds notes to one epic. A note with a discussion id joins that thread; any other note begins a thread. Notes that
// are not system notes are counted in the epic.
func (s EpicNotes) Add(ctx context.Context, rows ...*model.EpicNote) error {
	said := 0
	for _, n := range rows {
		if n.DiscussionID == "" {
			n.DiscussionID = newThreadID()
		}
		if !n.System {
			said++
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if err := s.db.Write(ctx).Create(rows).Error; err != nil || said == 0 {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Model(&model.Epic{}).Where("id = ?", rows[0].EpicID).UpdateColumns(map[string]any{
		"user_notes_count": gorm.Expr("user_notes_count + ?", said), "updated_at": s.now(),
	}).Error)
}

// List returns one page of notes with their authors.
func (s EpicNotes) List(ctx context.Context, f EpicNoteFilter, p Page) ([]model.EpicNoteRow, Total, error) {
	column, direction := "created_at", " DESC"
	if f.OrderBy == "updated_at" {
		column = "updated_at"
	}
	if f.Asc {
		direction = ""
	}
	rows, total, err := query.List[model.EpicNote](f.on(s.db.Read(ctx)).Order(column+direction).Order("id"+direction), p)
	if err != nil {
		return nil, total, err
	}
	out, err := s.withAuthors(ctx, rows)
	return out, total, err
}

// Get returns a note by its id, if it matches the filter.
func (s EpicNotes) Get(ctx context.Context, f EpicNoteFilter, id int64) (model.EpicNoteRow, error) {
	row, err := query.Take[model.EpicNote](f.on(s.db.Read(ctx)).Where("id = ?", id), "")
	if err != nil {
		return model.EpicNoteRow{}, err
	}
	rows, err := s.withAuthors(ctx, []model.EpicNote{row})
	if err != nil {
		return model.EpicNoteRow{}, err
	}
	return rows[0], nil
}

// Threads returns one page of threads with all their notes, the oldest first.
func (s EpicNotes) Threads(ctx context.Context, f EpicNoteFilter, p Page) ([]model.EpicThread, Total, error) {
	heads, total, err := query.List[model.EpicNote](f.on(s.db.Read(ctx)).Select("discussion_id, min(id) AS id").
		Group("discussion_id").Order("min(id)"), p)
	if err != nil || len(heads) == 0 {
		return nil, total, err
	}
	ids, threads := make([]string, len(heads)), make([]model.EpicThread, len(heads))
	place := make(map[string]int, len(heads))
	for i, head := range heads {
		ids[i], threads[i].ID, place[head.DiscussionID] = head.DiscussionID, head.DiscussionID, i
	}
	rows, err := query.Find[model.EpicNote](f.on(s.db.Read(ctx)).Where("discussion_id IN ?", ids).Order("id"), len(heads))
	if err != nil {
		return nil, total, query.Translate(err)
	}
	notes, err := s.withAuthors(ctx, rows)
	for _, row := range notes {
		thread := &threads[place[row.Note.DiscussionID]]
		thread.Notes = append(thread.Notes, row)
	}
	return threads, total, err
}

// Thread returns one thread with all its notes.
func (s EpicNotes) Thread(ctx context.Context, f EpicNoteFilter, id string) (model.EpicThread, error) {
	rows, err := query.Find[model.EpicNote](f.on(s.db.Read(ctx)).Where("discussion_id = ?", id).Order("id"), 1)
	if err == nil && len(rows) == 0 {
		err = &NotFoundError{}
	}
	if err != nil {
		return model.EpicThread{}, query.Translate(err)
	}
	notes, err := s.withAuthors(ctx, rows)
	return model.EpicThread{ID: id, Notes: notes}, err
}

// withAuthors adds the users who wrote notes, in one more statement.
func (s EpicNotes) withAuthors(ctx context.Context, rows []model.EpicNote) ([]model.EpicNoteRow, error) {
	wanted := map[int64]bool{}
	for _, n := range rows {
		wanted[n.AuthorID] = true
	}
	people, err := Users(s).shown(ctx, wanted)
	if err != nil {
		return nil, err
	}
	out := make([]model.EpicNoteRow, len(rows))
	for i, n := range rows {
		out[i] = model.EpicNoteRow{Note: n, Author: *people[n.AuthorID]}
	}
	return out, nil
}

// UpdateBody changes the text of a note.
func (s EpicNotes) UpdateBody(ctx context.Context, id int64, body string) error {
	res := s.db.Write(ctx).Model(&model.EpicNote{}).Where("id = ?", id).
		UpdateColumns(map[string]any{"body": body, "updated_at": s.now()})
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{}
	}
	return query.Translate(res.Error)
}

// StartThread turns a single note into a thread, so that users can reply to it.
func (s EpicNotes) StartThread(ctx context.Context, epicID int64, thread string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.EpicNote{}).
		Where("epic_id = ? AND discussion_id = ? AND note_type IS NULL AND NOT system", epicID, thread).
		UpdateColumn("note_type", model.DiscussionNote).Error)
}

// Remove deletes a note, unless it was changed after the given time.
func (s EpicNotes) Remove(ctx context.Context, n model.EpicNote, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, n, "", unchangedSince); err != nil || n.System {
			return err
		}
		return query.Translate(s.db.Write(ctx).Model(&model.Epic{}).Where("id = ? AND user_notes_count > 0", n.EpicID).
			UpdateColumn("user_notes_count", gorm.Expr("user_notes_count - 1")).Error)
	})
}
