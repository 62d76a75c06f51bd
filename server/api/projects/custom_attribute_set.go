package projects

import (
	"context"
	"unicode/utf8"

	"svc/gen"
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
	if err := checkAttribute(a); err != nil {
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
		since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
		return c, p.store.ProjectAttributes.Delete(ctx, row.Project.ID, req.Key, since)
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteProjectCustomAttribute204Response{}, nil
}

// checkAttribute validates a custom attribute.
func checkAttribute(a model.ProjectCustomAttribute) error {
	broken := map[string][]string{}
	if utf8.RuneCountInString(a.Key) > 255 {
		broken["key"] = []string{"is too long (maximum is 255 characters)"}
	}
	switch {
	case a.Value == "":
		broken["value"] = []string{"can't be blank"}
	case utf8.RuneCountInString(a.Value) > 10000:
		broken["value"] = []string{"is too long (maximum is 10000 characters)"}
	}
	if len(broken) > 0 {
		return apierr.InvalidFields(broken)
	}
	return nil
}
