package store

import (
	"context"
	"time"

	"svc/store/internal/query"
	"svc/store/model"
)

// AwardEmoji holds the emoji that users give to issues, merge requests and notes.
type AwardEmoji struct{ *base }

// List returns one page of the emoji of an issue, merge request or note with the users who gave them, the oldest first.
func (s AwardEmoji) List(ctx context.Context, kind string, id int64, p Page) ([]model.AwardRow, Total, error) {
	rows, total, err := query.List[model.AwardEmoji](
		s.db.Read(ctx).Where("awardable_type = ? AND awardable_id = ?", kind, id).Order("id"),
		p,
	)
	if err != nil {
		return nil, total, err
	}
	out, err := s.withUsers(ctx, rows)
	return out, total, err
}

// Get returns an emoji of an issue, merge request or note by the id of the award.
func (s AwardEmoji) Get(ctx context.Context, kind string, id, award int64) (model.AwardRow, error) {
	row, err := query.Take[model.AwardEmoji](
		s.db.Read(ctx).Where("id = ? AND awardable_type = ? AND awardable_id = ?", award, kind, id),
		"",
	)
	if err != nil {
		return model.AwardRow{}, err
	}
	rows, err := s.withUsers(ctx, []model.AwardEmoji{row})
	if err != nil {
		return model.AwardRow{}, err
	}
	return rows[0], nil
}

// FindOf returns the emoji with the given name that a user has given to an issue, merge request or note.
func (s AwardEmoji) FindOf(ctx context.Context, kind string, id, userID int64, name string) (model.AwardEmoji, error) {
	return query.Take[model.AwardEmoji](s.db.Read(ctx).
		Where("awardable_type = ? AND awardable_id = ? AND user_id = ? AND name = ?", kind, id, userID, name), "")
}

// Find returns an emoji reaction, whatever it is on.
func (s AwardEmoji) Find(ctx context.Context, id int64) (model.AwardEmoji, error) {
	return query.Take[model.AwardEmoji](s.db.Read(ctx).Where("id = ?", id), "Award Emoji")
}

// Create adds an emoji. It returns a *ConflictError if the user has given it already.
func (s AwardEmoji) Create(ctx context.Context, a *model.AwardEmoji) error {
	return query.Translate(s.db.Write(ctx).Create(a).Error)
}

// Delete removes an emoji, unless it was changed after the given time.
func (s AwardEmoji) Delete(ctx context.Context, a model.AwardEmoji, unchangedSince *time.Time) error {
	return query.DeleteOne(ctx, s.db, a, "", unchangedSince)
}

func (s AwardEmoji) withUsers(ctx context.Context, rows []model.AwardEmoji) ([]model.AwardRow, error) {
	wanted := map[int64]bool{}
	for _, row := range rows {
		wanted[row.UserID] = true
	}
	people, err := Users(s).shown(ctx, wanted)
	if err != nil {
		return nil, err
	}
	out := make([]model.AwardRow, len(rows))
	for i, row := range rows {
		out[i] = model.AwardRow{Award: row, User: *people[row.UserID]}
	}
	return out, nil
}

// subtractVotes subtracts the thumbs of a user from the vote counts of issues, merge requests and epics. It is called before the
// user is deleted, because the user's emoji are deleted with the user.
func (s AwardEmoji) subtractVotes(ctx context.Context, userID int64) error {
	for kind, table := range voteTables {
		for name, column := range map[string]string{"thumbsup": "upvotes", "thumbsdown": "downvotes"} {
			err := s.db.Write(ctx).Exec("UPDATE "+table+" SET "+column+" = "+column+
				" - 1 WHERE id IN (SELECT awardable_id FROM award_emoji WHERE user_id = ? AND awardable_type = ? AND name = ?)",
				userID, kind, name).Error
			if err != nil {
				return query.Translate(err)
			}
		}
	}
	return nil
}
