package projects

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// presentAlias presents an alias of a project.
func presentAlias(a model.ProjectAlias) gen.ProjectAlias {
	return gen.ProjectAlias{ID: a.ID, ProjectID: a.ProjectID, Name: a.Name}
}

// ListProjectAliases lists the aliases of projects.
// GET /project_aliases
func (p *Projects) ListProjectAliases(
	ctx context.Context, req gen.ListProjectAliasesRequestObject,
) (gen.ListProjectAliasesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminProjectAlias); err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, p.pages, "ProjectAlias", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.ProjectAliases.List(ctx, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectAliases200JSONResponse{
		Body: present.All(rows, presentAlias), Headers: gen.ListProjectAliases200ResponseHeaders(window.Headers(total)),
	}, nil
}

// findAlias finds an alias, for an administrator.
func (p *Projects) findAlias(ctx context.Context, name string) (model.ProjectAlias, error) {
	if _, err := access.Allow(ctx, access.AdminProjectAlias); err != nil {
		return model.ProjectAlias{}, err
	}
	row, err := p.store.ProjectAliases.Get(ctx, name)
	return row, apierr.OrNotFound(err)
}

// GetProjectAlias shows an alias of a project.
// GET /project_aliases/{name}
func (p *Projects) GetProjectAlias(ctx context.Context, req gen.GetProjectAliasRequestObject) (gen.GetProjectAliasResponseObject, error) {
	row, err := p.findAlias(ctx, req.Name)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectAlias200JSONResponse(presentAlias(row)), nil
}

// CreateProjectAlias creates an alias of a project.
// POST /project_aliases
func (p *Projects) CreateProjectAlias(
	ctx context.Context, req gen.CreateProjectAliasRequestObject,
) (gen.CreateProjectAliasResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminProjectAlias); err != nil {
		return nil, err
	}
	row, err := p.access.Project(ctx, req.Body.ProjectID, access.ReadProject)
	if err != nil {
		return nil, err
	}
	made, err := p.aliases.Create(ctx, row.Project, req.Body.Name)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectAlias201JSONResponse(presentAlias(made)), nil
}

// DeleteProjectAlias deletes an alias of a project.
// DELETE /project_aliases/{name}
func (p *Projects) DeleteProjectAlias(
	ctx context.Context, req gen.DeleteProjectAliasRequestObject,
) (gen.DeleteProjectAliasResponseObject, error) {
	row, err := p.findAlias(ctx, req.Name)
	if err != nil {
		return nil, err
	}
	if err := p.aliases.Delete(ctx, row, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectAlias204Response{}, nil
}
