package runners

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/clock"
	"svc/store/model"
)

// GetRunner shows a runner.
// GET /runners/{id}
func (r *Runners) GetRunner(ctx context.Context, req gen.GetRunnerRequestObject) (gen.GetRunnerResponseObject, error) {
	row, manages, err := r.find(ctx, req.ID, false)
	if err != nil {
		return nil, err
	}
	shown, err := r.detail(ctx, row, manages)
	if err != nil {
		return nil, err
	}
	return gen.GetRunner200JSONResponse(shown), nil
}

// detail presents a runner with its group and the projects that the caller can see. Only callers who manage the runner
// see its maintenance note.
func (r *Runners) detail(ctx context.Context, row model.Runner, manages bool) (gen.RunnerDetail, error) {
	ids, err := r.store.Runners.ProjectIDs(ctx, row.ID)
	if err != nil {
		return gen.RunnerDetail{}, err
	}
	reader := access.Reader(ctx)
	projects, err := r.store.Runners.ProjectsWithRoles(ctx, ids, reader)
	if err != nil {
		return gen.RunnerDetail{}, err
	}
	var seen []model.Project
	for _, p := range projects {
		if access.SeesProject(p, reader) {
			seen = append(seen, p.Project)
		}
	}
	var group *model.Namespace
	if row.GroupID != nil {
		found, _, err := r.store.Namespaces.GetGroup(ctx, *row.GroupID, "", reader)
		if err != nil {
			return gen.RunnerDetail{}, err
		}
		group = &found
	}
	if !manages {
		row.MaintenanceNote = nil
	}
	return r.show.RunnerDetail(row, seen, group, clock.Now(ctx)), nil
}
