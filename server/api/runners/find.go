package runners

import (
	"context"

	"svc/server/platform/apierr"
	"svc/store/model"
)

// find returns a runner that the caller can see or, with manage set, may manage. Everybody can see instance runners.
func (r *Runners) find(ctx context.Context, id int64, manage bool) (row model.Runner, manages bool, err error) {
	row, sees, manages, err := r.runners.FindWithAccess(ctx, id)
	switch {
	case err != nil:
		return row, false, err
	case manage && !manages, !manage && !sees && row.RunnerType != model.InstanceRunner:
		return row, false, apierr.Forbidden("No access granted")
	}
	return row, manages, nil
}

// findVisible returns a runner that works for one of the caller's projects or groups.
func (r *Runners) findVisible(ctx context.Context, id int64) (model.Runner, error) {
	row, sees, _, err := r.runners.FindWithAccess(ctx, id)
	if err == nil && !sees {
		err = apierr.Forbidden("No access granted")
	}
	return row, err
}
