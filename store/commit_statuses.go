package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// CommitStatuses holds the statuses that other services report for commits.
type CommitStatuses struct{ *base }

// CommitStatusFilter narrows a list of statuses.
type CommitStatusFilter struct {
	Ref, Name string
	All       bool // also statuses that a later one with the same name has replaced
	Desc      bool
}

// List returns one page of the statuses of a commit with their authors, ordered by id.
func (s CommitStatuses) List(
	ctx context.Context, projectID int64, commit string, f CommitStatusFilter, p Page,
) ([]model.CommitStatus, Total, error) {
	q := s.db.Read(ctx).Where("project_id = ? AND commit_id = ?", projectID, commit)
	if f.Ref != "" {
		q = q.Where("ref = ?", f.Ref)
	}
	if f.Name != "" {
		q = q.Where("name = ?", f.Name)
	}
	if !f.All {
		q = q.Where("id IN (SELECT max(id) FROM commit_statuses WHERE project_id = ? AND commit_id = ? GROUP BY ref, name)",
			projectID, commit)
	}
	order := "id"
	if f.Desc {
		order = "id DESC"
	}
	rows, total, err := query.List[model.CommitStatus](q.Order(order), p)
	if err != nil {
		return nil, total, err
	}
	wanted := map[int64]bool{}
	for _, row := range rows {
		wanted[row.AuthorID] = true
	}
	people, err := Users(s).shown(ctx, wanted)
	if err != nil {
		return nil, total, err
	}
	for i := range rows {
		rows[i].Author = *people[rows[i].AuthorID]
	}
	return rows, total, nil
}

// Save stores a status. If the latest status with the same name, ref and commit has not ended, Report changes it;
// otherwise it adds a new one. Fields that are not given keep the values of the changed status.
func (s CommitStatuses) Save(ctx context.Context, c *model.CommitStatus) error {
	c.AuthorID = c.Author.ID
	at, asked := query.Now(), *c
	return s.Tx(ctx, func(ctx context.Context) error {
		query.OnRollback(ctx, func() { *c = asked })
		same := s.db.Write(ctx).Where("project_id = ? AND commit_id = ? AND ref = ? AND name = ?", c.ProjectID, c.CommitID, c.Ref, c.Name)
		last, err := query.Find[model.CommitStatus](same.Order("id DESC").Limit(1), 1)
		if err != nil {
			return query.Translate(err)
		}
		if len(last) == 1 && !last[0].Ended() {
			c.ID, c.CreatedAt, c.StartedAt = last[0].ID, last[0].CreatedAt, last[0].StartedAt
			c.TargetURL, c.Description, c.Coverage = either(c.TargetURL, last[0].TargetURL),
				either(c.Description, last[0].Description), either(c.Coverage, last[0].Coverage)
		}
		if c.StartedAt == nil && c.Status != model.CommitPending {
			c.StartedAt = &at
		}
		if c.Ended() {
			c.FinishedAt = &at
		}
		if c.ID != 0 {
			return query.Translate(s.db.Write(ctx).Save(c).Error)
		}
		return query.Translate(s.db.Write(ctx).Create(c).Error)
	})
}

func either[T any](given, before *T) *T {
	if given != nil {
		return given
	}
	return before
}
