package store

import (
	"context"

	"svc/store/internal/query"
	"svc/store/model"
)

// CommitStatuses holds the statuses that other services report for commits.
type CommitStatuses struct{ *base }

// Save stores a status. If the latest status with the same name, ref and commit has not ended, Report changes it;
// otherwise it adds a new one. Fields that are not given keep the values of the changed status.
func (s CommitStatuses) Save(ctx context.Context, c *model.CommitStatus) error {
	c.AuthorID = c.Author.ID
	at, asked := s.now(), *c
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
