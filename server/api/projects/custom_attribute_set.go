package projects

import (
	"context"

	"svc/gen"
	"svc/server/domain/customattribute"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// UpdateProjectCustomAttribute sets a custom attribute of a project.
// PUT /projects/{id}/custom_attributes/{key}
func (p *Projects) UpdateProjectCustomAttribute(
	ctx context.Context, req gen.UpdateProjectCustomAttributeRequestObject,
) (gen.UpdateProjectCustomAttributeResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminAttribute)
	if err != nil {
		return nil, err
	}
	a := model.ProjectCustomAttribute{ProjectID: row.Project.ID, Key: req.Key, Value: req.Body.Value}
	if err := customattribute.Check(a.Key, a.Value); err != nil {
		return nil, err
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "custom_attribute_set", "Set custom attribute")
		c.Target = customattribute.Target(a.Key)
		return c, p.store.ProjectAttributes.Put(ctx, &a)
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectCustomAttribute200JSONResponse(present.ProjectAttribute(a)), nil
}

// DeleteProjectCustomAttribute removes a custom attribute from a project.
// DELETE /projects/{id}/custom_attributes/{key}
func (p *Projects) DeleteProjectCustomAttribute(
	ctx context.Context, req gen.DeleteProjectCustomAttributeRequestObject,
) (gen.DeleteProjectCustomAttributeResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.AdminAttribute)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "custom_attribute_deleted", "Removed custom attribute")
		c.Target = customattribute.Target(req.Key)
		since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
		return c, p.store.ProjectAttributes.Delete(ctx, row.Project.ID, req.Key, since)
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectCustomAttribute204Response{}, nil
}
