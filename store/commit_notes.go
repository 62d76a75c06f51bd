package store

import (
	"context"

	"svc/store/model"
)

// CommitNotes are what people say about commits.
type CommitNotes struct{ *base }

// List returns one page of the notes on a commit with their authors, the oldest first.
func (s CommitNotes) List(ctx context.Context, projectID int64, commit string, p Page) ([]model.CommitNote, Total, error) {
	rows, total, err := list[model.CommitNote](s.read(ctx).Where("project_id = ? AND commit_id = ?", projectID, commit).Order("id"), p)
	if err != nil {
		return nil, total, err
	}
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.AuthorID
	}
	people, err := s.people(ctx, ids)
	for i := range rows {
		rows[i].Author = people[rows[i].AuthorID]
	}
	return rows, total, err
}

// Create adds a note; its author must be loaded.
func (s CommitNotes) Create(ctx context.Context, n *model.CommitNote) error {
	n.AuthorID = n.Author.ID
	return translate(s.write(ctx).Create(n).Error)
}

// people reads users by their ids.
func (b *base) people(ctx context.Context, ids []int64) (map[int64]model.User, error) {
	people := map[int64]model.User{}
	if len(ids) == 0 {
		return people, nil
	}
	rows, err := find[model.User](b.read(ctx).Where("id IN ?", ids), len(ids))
	for _, row := range rows {
		people[row.ID] = row
	}
	return people, translate(err)
}
