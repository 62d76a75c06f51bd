package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// Suggestions holds the changes of lines that notes on the diffs of merge requests suggest.
type Suggestions struct{ *base }

// Replace replaces the suggestions of a note.
func (s Suggestions) Replace(ctx context.Context, noteID int64, rows []model.Suggestion) error {
	if err := s.db.Write(ctx).Where("note_id = ?", noteID).Delete(&model.Suggestion{}).Error; err != nil || len(rows) == 0 {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Create(&rows).Error)
}

// OfNotes returns the suggestions of notes, by note and in their order.
func (s Suggestions) OfNotes(ctx context.Context, noteIDs []int64) (map[int64][]model.Suggestion, error) {
	found := map[int64][]model.Suggestion{}
	if len(noteIDs) == 0 {
		return found, nil
	}
	rows, err := query.Find[model.Suggestion](s.db.Read(ctx).Where("note_id IN ?", noteIDs).Order("note_id, id"), len(noteIDs))
	for _, row := range rows {
		found[row.NoteID] = append(found[row.NoteID], row)
	}
	return found, query.Translate(err)
}

// ByIDs returns suggestions with their notes, by id.
func (s Suggestions) ByIDs(ctx context.Context, ids []int64) (map[int64]model.SuggestionRow, error) {
	rows, err := query.Find[model.Suggestion](s.db.Read(ctx).Where("id IN ?", ids), len(ids))
	if err != nil {
		return nil, query.Translate(err)
	}
	return s.withNotes(ctx, rows)
}

// withNotes adds the notes of suggestions.
func (s Suggestions) withNotes(ctx context.Context, rows []model.Suggestion) (map[int64]model.SuggestionRow, error) {
	wanted := map[int64]bool{}
	for _, row := range rows {
		wanted[row.NoteID] = true
	}
	notes, err := byID(ctx, s.base, wanted, func(n *model.Note) int64 { return n.ID })
	if err != nil {
		return nil, err
	}
	found := make(map[int64]model.SuggestionRow, len(rows))
	for _, row := range rows {
		if n := notes[row.NoteID]; n != nil {
			found[row.ID] = model.SuggestionRow{Suggestion: row, Note: *n}
		}
	}
	return found, nil
}

// SetCommit stores the commit that is about to apply suggestions, before the branch moves there.
func (s Suggestions) SetCommit(ctx context.Context, ids []int64, commit string) error {
	return query.Translate(s.db.Write(ctx).Model(&model.Suggestion{}).Where("id IN ? AND NOT applied", ids).
		UpdateColumn("commit_id", commit).Error)
}

// Finish marks the suggestions that these commits apply as applied, and returns those that were not, with their notes.
// It must run in the transaction that ends the push.
func (s Suggestions) Finish(ctx context.Context, commits []string) ([]model.SuggestionRow, error) {
	rows, err := query.Find[model.Suggestion](s.db.Write(ctx).
		Where("commit_id IN ? AND NOT applied", commits).Order("id"), 0)
	if err != nil || len(rows) == 0 {
		return nil, query.Translate(err)
	}
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i], rows[i].Applied = rows[i].ID, true
	}
	if err := s.db.Write(ctx).Model(&model.Suggestion{}).Where("id IN ?", ids).UpdateColumn("applied", true).Error; err != nil {
		return nil, query.Translate(err)
	}
	found, err := s.withNotes(ctx, rows)
	done := make([]model.SuggestionRow, 0, len(rows))
	for _, id := range ids {
		if row, ok := found[id]; ok {
			done = append(done, row)
		}
	}
	return done, err
}
