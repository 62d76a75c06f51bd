package store

import (
	"context"
	"time"

	"svc/store/model"
)

// Events are what users did.
type Events struct{ *base }

// quiet is how long a project counts as active after it was last said to be.
const quiet = time.Hour

// Create writes what a user did in a project, and notes at most once an hour that the project is active.
func (s Events) Create(ctx context.Context, p model.Project, e *model.Event) error {
	e.ProjectID = &p.ID
	if err := translate(s.write(ctx).Create(e).Error); err != nil {
		return err
	}
	if e.CreatedAt.Sub(p.LastActivityAt) < quiet {
		return nil
	}
	res := s.write(ctx).Model(&model.Project{}).Where("id = ? AND last_activity_at < ?", p.ID, e.CreatedAt.Add(-quiet))
	return translate(res.UpdateColumn("last_activity_at", e.CreatedAt).Error)
}
