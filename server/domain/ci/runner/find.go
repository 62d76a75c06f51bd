package runner

import (
	"context"

	"svc/server/platform/access"
	"svc/store/model"
)

// FindWithAccess returns a runner. sees says whether it works for one of the caller's projects or groups; manages says
// whether the caller may manage it.
func (s *Service) FindWithAccess(ctx context.Context, id int64) (row model.Runner, sees, manages bool, err error) {
	actor, err := access.Allow(ctx, access.ReadRunner)
	if err != nil {
		return row, false, false, err
	}
	if row, err = s.store.Runners.Get(ctx, id); err != nil || actor.User.Admin || row.RunnerType == model.InstanceRunner {
		return row, actor.User.Admin, actor.User.Admin, err
	}
	sees, manages, err = s.store.Runners.Manages(ctx, row, actor.User.ID)
	return row, sees, manages, err
}
