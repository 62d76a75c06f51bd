package runners

import (
	"context"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// find returns a runner that the caller can see or, with manage set, may manage. Everybody can see instance runners.
func (r *Runners) find(ctx context.Context, id int64, manage bool) (row model.Runner, manages bool, err error) {
	row, sees, manages, err := r.findWithAccess(ctx, id)
	switch {
	case err != nil:
		return row, false, err
	case manage && !manages, !manage && !sees && row.RunnerType != model.InstanceRunner:
		return row, false, apierr.Forbidden("No access granted")
	}
	return row, manages, nil
}

// findWithAccess returns a runner. sees says whether it works for one of the caller's projects or groups; manages says
// whether the caller may manage it.
func (r *Runners) findWithAccess(ctx context.Context, id int64) (row model.Runner, sees, manages bool, err error) {
	actor, err := access.Allow(ctx, access.ReadRunner)
	if err != nil {
		return row, false, false, err
	}
	if row, err = r.store.Runners.Get(ctx, id); err != nil || actor.User.Admin || row.RunnerType == model.InstanceRunner {
		return row, actor.User.Admin, actor.User.Admin, err
	}
	sees, manages, err = r.store.Runners.Manages(ctx, row, actor.User.ID)
	return row, sees, manages, err
}

// findVisible returns a runner that works for one of the caller's projects or groups.
func (r *Runners) findVisible(ctx context.Context, id int64) (model.Runner, error) {
	row, sees, _, err := r.findWithAccess(ctx, id)
	if err == nil && !sees {
		err = apierr.Forbidden("No access granted")
	}
	return row, err
}
