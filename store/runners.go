package store

import (
	"context"

	"svc/store/model"
)

// Runners are who runs jobs.
type Runners struct{ *base }

// Create keeps a new runner.
func (s Runners) Create(ctx context.Context, r *model.Runner) error {
	return translate(s.write(ctx).Create(r).Error)
}
