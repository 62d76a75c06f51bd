package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// maxCopiedNotes is the largest number of notes that are copied with an issue. An issue cannot have as many.
const maxCopiedNotes = 5000

// Copy copies the notes of an issue or merge request to another one, in new threads. Internal notes are copied only if
// internal is set.
func (s Notes) Copy(ctx context.Context, kind string, from, to, projectID int64, internal bool) error {
	q := s.db.Write(ctx).Where("noteable_type = ? AND noteable_id = ?", kind, from)
	if !internal {
		q = q.Where("NOT internal")
	}
	rows, err := query.Find[model.Note](q.Order("id").Limit(maxCopiedNotes), 0)
	if err != nil || len(rows) == 0 {
		return query.Translate(err)
	}
	threads, said := map[string]string{}, 0
	for i := range rows {
		row := &rows[i]
		if threads[row.DiscussionID] == "" {
			threads[row.DiscussionID] = newThreadID()
		}
		row.ID, row.NoteableID, row.ProjectID, row.DiscussionID = 0, &to, projectID, threads[row.DiscussionID]
		if !row.System {
			said++
		}
	}
	if err := s.db.Write(ctx).CreateInBatches(&rows, someRows).Error; err != nil {
		return query.Translate(err)
	}
	return query.Translate(s.db.Write(ctx).Table(tableOf(kind)).Where("id = ?", to).UpdateColumn("user_notes_count", said).Error)
}
