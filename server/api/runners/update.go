package runners

import (
	"context"

	"svc/gen"
	"svc/server/domain/ci/runner"
	"svc/server/platform/apierr"
)

// UpdateRunner changes a runner.
// PUT /runners/{id}
func (r *Runners) UpdateRunner(
	ctx context.Context, req gen.UpdateRunnerRequestObject,
) (gen.UpdateRunnerResponseObject, error) {
	row, _, err := r.find(ctx, req.ID, true)
	if err != nil {
		return nil, err
	}
	change, err := changeFrom(*req.Body)
	if err != nil {
		return nil, err
	}
	if row, err = r.runners.Apply(ctx, row, change); err != nil {
		return nil, err
	}
	shown, err := r.detail(ctx, row, true)
	if err != nil {
		return nil, err
	}
	return gen.UpdateRunner200JSONResponse(shown), nil
}

func changeFrom(b gen.RunnerUpdate) (runner.Change, error) {
	paused, err := pausedFrom(b.Paused, b.Active)
	return runner.Change{
		Description: b.Description, MaintenanceNote: b.MaintenanceNote, MaximumTimeout: b.MaximumTimeout,
		AccessLevel: (*string)(b.AccessLevel), Tags: b.TagList, Paused: paused, Locked: b.Locked,
		RunUntagged: b.RunUntagged,
	}, err
}

// pausedFrom reads the flag that has two names in a body, and refuses a body with both.
func pausedFrom(paused, active *bool) (*bool, error) {
	switch {
	case active == nil:
		return paused, nil
	case paused != nil:
		return nil, apierr.BadParameter("active, paused are mutually exclusive")
	}
	inactive := !*active
	return &inactive, nil
}
