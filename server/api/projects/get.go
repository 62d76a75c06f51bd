package projects

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// GetProject shows a project.
// GET /projects/{id}
func (p *Projects) GetProject(
	ctx context.Context, req gen.GetProjectRequestObject,
) (gen.GetProjectResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	if actor := reqctx.Of(ctx).Actor; actor != nil && actor.Job != nil {
		return p.ownProject(row, actor.Job.ProjectID)
	}
	shown, err := p.detail(ctx, row)
	if err != nil {
		return nil, err
	}
	if wire.Value(req.Params.Statistics) && row.Role() >= model.Reporter {
		shown.Statistics = present.ProjectStatistics(row.Project)
	}
	one := []gen.Project{shown}
	if err := p.attach(ctx, one, req.Params.WithCustomAttributes); err != nil {
		return nil, err
	}
	return gen.GetProject200JSONResponse(one[0]), nil
}

// ownProject presents a project to one of its jobs, as a reporter sees it and without roles: the script of a job must
// not learn the settings that its user may see.
func (p *Projects) ownProject(row model.ProjectRow, ofJob int64) (gen.GetProjectResponseObject, error) {
	if row.Project.ID != ofJob {
		return nil, apierr.NotFound("Project")
	}
	row.Direct, row.Inherited, row.Admin = min(row.Role(), model.Reporter), model.NoAccess, false
	shown := p.show.ProjectDetail(row, nil)
	shown.Permissions = nil
	return gen.GetProject200JSONResponse(shown), nil
}

// detail presents a single project to the caller.
func (p *Projects) detail(ctx context.Context, row model.ProjectRow) (gen.Project, error) {
	reader := access.Reader(ctx)
	shares, err := p.store.ProjectLinks.ListByProject(ctx, row.Project.ID, reader)
	if err == nil && row.Admin && reader != nil { // an administrator needs no role, but may have one
		row.Direct, row.Inherited, err = p.store.Projects.Roles(ctx, row.Project.ID, reader)
	}
	return p.show.ProjectDetail(row, shares), err
}

// reload reads a project after a change and presents it.
func (p *Projects) reload(ctx context.Context, id int64) (gen.Project, error) {
	row, err := p.access.Project(ctx, strconv.FormatInt(id, 10), access.ReadProject)
	if err != nil {
		return gen.Project{}, err
	}
	return p.detail(ctx, row)
}
