package projects

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
)

// ListProjectCustomAttributes lists a project's custom attributes by key.
// GET /projects/{id}/custom_attributes
func (p *Projects) ListProjectCustomAttributes(
	ctx context.Context, req gen.ListProjectCustomAttributesRequestObject,
) (gen.ListProjectCustomAttributesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminAttribute)
	if err != nil {
		return nil, err
	}
	kind := pagination.Kind{Name: "ProjectCustomAttribute"}
	window, err := p.pages.Offset(ctx, kind, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.ProjectAttributes.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectCustomAttributes200JSONResponse{
		Body:    present.All(rows, present.ProjectAttribute),
		Headers: gen.ListProjectCustomAttributes200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetProjectCustomAttribute shows a custom attribute of a project.
// GET /projects/{id}/custom_attributes/{key}
func (p *Projects) GetProjectCustomAttribute(
	ctx context.Context, req gen.GetProjectCustomAttributeRequestObject,
) (gen.GetProjectCustomAttributeResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminAttribute)
	if err != nil {
		return nil, err
	}
	found, err := p.store.ProjectAttributes.Get(ctx, row.Project.ID, req.Key)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetProjectCustomAttribute200JSONResponse(present.ProjectAttribute(found)), nil
}

// attach adds the custom attributes to the projects if the caller is an administrator and asked for them. It runs one
// query for all projects.
func (p *Projects) attach(ctx context.Context, shown []gen.Project, wanted *bool) error {
	actor := reqctx.Of(ctx).Actor
	if !wire.Value(wanted) || actor == nil || !actor.User.Admin {
		return nil
	}
	ids := make([]int64, len(shown))
	for i := range shown {
		ids[i] = shown[i].ID
	}
	rows, err := p.store.ProjectAttributes.ListByProjects(ctx, ids...)
	for i := range shown {
		of := present.All(rows[shown[i].ID], present.ProjectAttribute)
		shown[i].CustomAttributes = &of
	}
	return err
}
