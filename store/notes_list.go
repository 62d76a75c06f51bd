package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// NoteFilter narrows a list of notes.
type NoteFilter struct {
	On       model.Noteable
	Internal bool   // also internal notes
	Activity string // only_comments or only_activity; otherwise all notes
	Diff     bool   // only notes on lines of a diff
	OrderBy  string // created_at or updated_at
	Asc      bool
}

// on limits a query to the notes that match the filter.
func (f NoteFilter) on(q *gorm.DB) *gorm.DB {
	if f.On.Type == model.OnCommit {
		q = q.Where("noteable_type = ? AND project_id = ? AND commit_id = ?", f.On.Type, f.On.ProjectID, f.On.CommitID)
	} else {
		q = q.Where("noteable_type = ? AND noteable_id = ?", f.On.Type, f.On.ID)
	}
	if !f.Internal {
		q = q.Where("NOT internal")
	}
	if f.Diff {
		q = q.Where("note_type = ?", model.DiffNote)
	}
	switch f.Activity {
	case "only_comments":
		q = q.Where("NOT system")
	case "only_activity":
		q = q.Where("system")
	}
	return q
}

// List returns one page of notes with their authors.
func (s Notes) List(ctx context.Context, f NoteFilter, p Page) ([]model.NoteRow, Total, error) {
	column := "created_at"
	if f.OrderBy == "updated_at" {
		column = "updated_at"
	}
	direction := " DESC"
	if f.Asc {
		direction = ""
	}
	rows, total, err := query.List[model.Note](f.on(s.db.Read(ctx)).Order(column+direction).Order("id"+direction), p)
	if err != nil {
		return nil, total, err
	}
	out, err := s.withPeople(ctx, rows)
	return out, total, err
}

// Get returns a note by its id, if it matches the filter.
func (s Notes) Get(ctx context.Context, f NoteFilter, id int64) (model.NoteRow, error) {
	row, err := query.Take[model.Note](f.on(s.db.Read(ctx).Where("id = ?", id)), "")
	if err != nil {
		return model.NoteRow{}, err
	}
	rows, err := s.withPeople(ctx, []model.Note{row})
	if err != nil {
		return model.NoteRow{}, err
	}
	return rows[0], nil
}

// Find returns a note by its id alone.
func (s Notes) Find(ctx context.Context, id int64) (model.Note, error) {
	return query.Take[model.Note](s.db.Read(ctx).Where("id = ?", id), "")
}

// FindAll returns the notes with these ids, the oldest first.
func (s Notes) FindAll(ctx context.Context, ids []int64) ([]model.Note, error) {
	rows, err := query.Find[model.Note](s.db.Read(ctx).Where("id IN ?", ids).Order("id"), len(ids))
	return rows, query.Translate(err)
}

// FirstOfThread returns the first note of a thread.
func (s Notes) FirstOfThread(ctx context.Context, id string) (model.Note, error) {
	return query.Take[model.Note](s.db.Read(ctx).Where("discussion_id = ?", id).Order("id"), "")
}

// Threads returns one page of threads with all their notes, the oldest first.
func (s Notes) Threads(ctx context.Context, f NoteFilter, p Page) ([]model.Thread, Total, error) {
	heads := func() *gorm.DB {
		return f.on(s.db.Read(ctx).Model(&model.Note{})).Select("discussion_id").Group("discussion_id")
	}
	page := heads().Order("min(id)").Limit(p.Limit + 1).Offset(p.Offset)
	found := f.on(s.db.Read(ctx)).Where("discussion_id IN (?)", page).Order("id")
	rows, count, err := query.FindWithTotal[model.Note](found, heads(), p.Limit+1)
	if err != nil {
		return nil, Total{}, err
	}
	threads, total, err := query.WithTotal(byThread(rows), p, count)
	if err != nil || len(threads) == 0 {
		return nil, total, err
	}
	shown, err := s.withPeople(ctx, rows)
	if err != nil {
		return nil, total, err
	}
	place := make(map[string]*model.Thread, len(threads))
	for i := range threads {
		place[threads[i].ID] = &threads[i]
	}
	for _, row := range shown {
		if thread := place[row.Note.DiscussionID]; thread != nil { // nil for the thread after this page
			thread.Notes = append(thread.Notes, row)
		}
	}
	return threads, total, nil
}

// byThread returns the threads of notes, in the order of their first notes, still without the notes.
func byThread(notes []model.Note) []model.Thread {
	var threads []model.Thread
	known := map[string]bool{}
	for _, n := range notes {
		if !known[n.DiscussionID] {
			known[n.DiscussionID] = true
			threads = append(threads, model.Thread{ID: n.DiscussionID})
		}
	}
	return threads
}

// ThreadsBefore counts the threads before the one that a note belongs to, in the order of Threads.
func (s Notes) ThreadsBefore(ctx context.Context, f NoteFilter, noteID int64) (int64, error) {
	q := f.on(s.db.Read(ctx)).Select("discussion_id").Group("discussion_id").
		Having("min(id) < (SELECT min(o.id) FROM notes o WHERE o.discussion_id = (SELECT discussion_id FROM notes WHERE id = ?))", noteID)
	var n int64
	err := s.db.Read(ctx).Table("(?) AS earlier", q.Table("notes")).Count(&n).Error
	return n, query.Translate(err)
}

// Thread returns one thread with all its notes.
func (s Notes) Thread(ctx context.Context, f NoteFilter, id string) (model.Thread, error) {
	rows, err := query.Find[model.Note](f.on(s.db.Read(ctx).Where("discussion_id = ?", id)).Order("id"), 1)
	if err == nil && len(rows) == 0 {
		err = &NotFoundError{}
	}
	if err != nil {
		return model.Thread{}, query.Translate(err)
	}
	notes, err := s.withPeople(ctx, rows)
	return model.Thread{ID: id, Notes: notes}, err
}

// withPeople adds the users who wrote and who resolved notes, in one more statement, and the suggestions of notes on the
// diffs of merge requests, in another one if there are such notes.
func (s Notes) withPeople(ctx context.Context, rows []model.Note) ([]model.NoteRow, error) {
	wanted := map[int64]bool{}
	for _, n := range rows {
		wanted[n.AuthorID] = true
		if n.ResolvedByID != nil {
			wanted[*n.ResolvedByID] = true
		}
	}
	people, err := Users(s).shown(ctx, wanted)
	if err != nil {
		return nil, err
	}
	suggested, err := Suggestions(s).OfNotes(ctx, onDiffs(rows))
	if err != nil {
		return nil, err
	}
	out := make([]model.NoteRow, len(rows))
	for i, n := range rows {
		out[i] = model.NoteRow{
			Note: n, Author: *people[n.AuthorID], ResolvedBy: of(people, n.ResolvedByID), Suggestions: suggested[n.ID],
		}
	}
	return out, nil
}

// onDiffs returns the ids of the notes on the diffs of merge requests.
func onDiffs(rows []model.Note) []int64 {
	var ids []int64
	for _, n := range rows {
		if n.IsOnDiff() {
			ids = append(ids, n.ID)
		}
	}
	return ids
}

// CountOn counts the comments on an issue, merge request or commit, up to the given number.
func (s Notes) CountOn(ctx context.Context, on model.Noteable, most int) (int64, error) {
	return query.CountUpTo[model.Note](NoteFilter{On: on, Internal: true, Activity: "only_comments"}.on(s.db.Read(ctx)), most)
}

// UpdateBody changes the text of a note.
func (s Notes) UpdateBody(ctx context.Context, id int64, body string) error {
	res := s.db.Write(ctx).Model(&model.Note{}).Where("id = ?", id).UpdateColumns(map[string]any{"body": body, "updated_at": s.now()})
	if res.Error == nil && res.RowsAffected == 0 {
		return &NotFoundError{}
	}
	return query.Translate(res.Error)
}

// StartThread turns a single note into a thread, so that users can reply to it.
func (s Notes) StartThread(ctx context.Context, on model.Noteable, thread string) error {
	q := NoteFilter{On: on, Internal: true}.on(s.db.Write(ctx).Model(&model.Note{})).
		Where("discussion_id = ? AND note_type IS NULL AND NOT system", thread)
	return query.Translate(q.UpdateColumns(map[string]any{
		"note_type": model.DiscussionNote, "resolvable": on.Type == model.OnMergeRequest,
	}).Error)
}

// Resolve marks the resolvable notes of a thread, or only one of them, as resolved by a user. If by is nil, it marks
// them as not resolved.
func (s Notes) Resolve(ctx context.Context, on model.Noteable, thread string, only int64, by *int64) error {
	q := NoteFilter{On: on, Internal: true}.on(s.db.Write(ctx).Model(&model.Note{})).Where("discussion_id = ? AND resolvable", thread)
	if only != 0 {
		q = q.Where("id = ?", only)
	}
	var at *time.Time
	if by != nil {
		t := s.now()
		at = &t
		q = q.Where("resolved_at IS NULL") // the first user who resolved it stays
	}
	return query.Translate(q.UpdateColumns(map[string]any{"resolved_by_id": by, "resolved_at": at}).Error)
}

// Remove deletes a note with its emoji and its events, unless it was changed after the given time.
func (s Notes) Remove(ctx context.Context, n model.Note, unchangedSince *time.Time) error {
	return s.Tx(ctx, func(ctx context.Context) error {
		if err := query.DeleteOne(ctx, s.db, n, "", unchangedSince); err != nil {
			return err
		}
		if err := s.db.Write(ctx).Where("awardable_type = ? AND awardable_id = ?", model.OnNote, n.ID).
			Delete(&model.AwardEmoji{}).Error; err != nil {
			return query.Translate(err)
		}
		kinds := []string{model.OnNote, model.DiscussionNote, model.DiffNote}
		if err := s.db.Write(ctx).Where("target_type IN ? AND target_id = ?", kinds, n.ID).Delete(&model.Event{}).Error; err != nil {
			return query.Translate(err)
		}
		table := noteableTables[n.NoteableType]
		if n.System || table == "" {
			return nil
		}
		return query.Translate(s.db.Write(ctx).Table(table).Where("id = ? AND user_notes_count > 0", n.NoteableID).
			UpdateColumn("user_notes_count", gorm.Expr("user_notes_count - 1")).Error)
	})
}
