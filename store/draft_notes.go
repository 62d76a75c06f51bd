package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"

	"gorm.io/gorm"
)

// DraftNotes holds the notes of reviews that were not published yet.
type DraftNotes struct{ *base }

// DraftNoteOrder says how draft notes are sorted.
type DraftNoteOrder struct {
	Column     string // id, created_at or updated_at; empty for id
	Descending bool
}

// List returns one page of the drafts of a user on a merge request. It does not read when they were created and changed.
func (s DraftNotes) List(
	ctx context.Context, mergeRequestID, authorID int64, order DraftNoteOrder, p Page,
) ([]model.DraftNote, Total, error) {
	direction, by := "", ""
	if order.Descending {
		direction = " DESC"
	}
	if order.Column == "created_at" || order.Column == "updated_at" {
		by = order.Column + direction + ", "
	}
	return shortList[model.DraftNote]{
		columns: "id, merge_request_id, author_id, note, commit_id, discussion_id, resolve_discussion, position",
		from:    condition{"draft_notes WHERE merge_request_id = ? AND author_id = ?", []any{mergeRequestID, authorID}},
		order:   by + "id" + direction,
		fields: func(d *model.DraftNote) []any {
			return []any{&d.ID, &d.MergeRequestID, &d.AuthorID, &d.Note, &d.CommitID, &d.DiscussionID, &d.ResolveDiscussion, &d.Position}
		},
	}.page(ctx, s.base, p)
}

// All returns the drafts of a user on a merge request, the oldest first, at most the given number.
func (s DraftNotes) All(ctx context.Context, mergeRequestID, authorID int64, most int) ([]model.DraftNote, error) {
	rows, err := query.Find[model.DraftNote](s.of(ctx, mergeRequestID, authorID).Order("id").Limit(most), 0)
	return rows, query.Translate(err)
}

// Get returns a draft of a user on a merge request.
func (s DraftNotes) Get(ctx context.Context, mergeRequestID, authorID, id int64) (model.DraftNote, error) {
	return query.Take[model.DraftNote](s.of(ctx, mergeRequestID, authorID).Where("id = ?", id), "")
}

// Count counts the drafts of a user on a merge request, up to the given number.
func (s DraftNotes) Count(ctx context.Context, mergeRequestID, authorID int64, most int) (int64, error) {
	return query.CountUpTo[model.DraftNote](s.of(ctx, mergeRequestID, authorID), most)
}

// of limits a query to the drafts of a user on a merge request.
func (s DraftNotes) of(ctx context.Context, mergeRequestID, authorID int64) *gorm.DB {
	return s.db.Read(ctx).Where("merge_request_id = ? AND author_id = ?", mergeRequestID, authorID)
}

// Create adds a draft.
func (s DraftNotes) Create(ctx context.Context, row *model.DraftNote) error {
	return query.Translate(s.db.Write(ctx).Create(row).Error)
}

// Update changes the text and the position of a draft and returns the new row.
func (s DraftNotes) Update(ctx context.Context, row model.DraftNote) (model.DraftNote, error) {
	row.UpdatedAt = s.now()
	res := s.db.Write(ctx).Model(&model.DraftNote{}).Where("id = ?", row.ID).
		UpdateColumns(map[string]any{"note": row.Note, "position": row.Position, "updated_at": row.UpdatedAt})
	if res.Error == nil && res.RowsAffected == 0 {
		return row, &NotFoundError{}
	}
	return row, query.Translate(res.Error)
}

// Delete removes a draft, unless it was changed after the given time.
func (s DraftNotes) Delete(ctx context.Context, row model.DraftNote, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, row, "", unchangedSince)
}
