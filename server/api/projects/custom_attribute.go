package projects

import (
	"context"
	"unicode/utf8"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
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
	window, err := p.pages.Offset(ctx, pagination.Kind{Name: "ProjectCustomAttribute"}, req.Params.Page, req.Params.PerPage)
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
	rules := fieldErrors{}
	if utf8.RuneCountInString(a.Key) > 255 {
		rules.add("key", "is too long (maximum is 255 characters)")
	}
	switch {
	case a.Value == "":
		rules.add("value", "can't be blank")
	case utf8.RuneCountInString(a.Value) > 10000:
		rules.add("value", "is too long (maximum is 10000 characters)")
	}
	if err := rules.err(); err != nil {
		return nil, err
	}
	err = events.Audited(ctx, p.store, func(ctx context.Context) (events.Change, error) {
		c := events.OfProject(row.Project, "custom_attribute_set", "Set custom attribute")
		c.Target = events.Target{Type: "CustomAttribute", ID: a.Key, Details: a.Key}
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
		c.Target = events.Target{Type: "CustomAttribute", ID: req.Key, Details: req.Key}
		return c, p.store.ProjectAttributes.Delete(ctx, row.Project.ID, req.Key, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectCustomAttribute204Response{}, nil
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
