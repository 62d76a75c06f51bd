package groups

import (
	"context"

	"svc/gen"
	"svc/server/domain/customattribute"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListGroupCustomAttributes lists a group's custom attributes by key.
// GET /groups/{id}/custom_attributes
func (g *Groups) ListGroupCustomAttributes(
	ctx context.Context, req gen.ListGroupCustomAttributesRequestObject,
) (gen.ListGroupCustomAttributesResponseObject, error) {
	group, _, err := g.access.Group(ctx, req.ID, access.AdminGroupAttribute)
	if err != nil {
		return nil, err
	}
	window, err := g.pages.Offset(ctx, pagination.Kind{Name: "GroupCustomAttribute"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	rows, total, err := g.store.GroupAttributes.List(ctx, group.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupCustomAttributes200JSONResponse{
		Body:    present.All(rows, presentAttribute),
		Headers: gen.ListGroupCustomAttributes200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetGroupCustomAttribute shows a custom attribute of a group.
// GET /groups/{id}/custom_attributes/{key}
func (g *Groups) GetGroupCustomAttribute(
	ctx context.Context, req gen.GetGroupCustomAttributeRequestObject,
) (gen.GetGroupCustomAttributeResponseObject, error) {
	group, _, err := g.access.Group(ctx, req.ID, access.AdminGroupAttribute)
	if err != nil {
		return nil, err
	}
	found, err := g.store.GroupAttributes.Get(ctx, group.ID, req.Key)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetGroupCustomAttribute200JSONResponse(presentAttribute(found)), nil
}

// UpdateGroupCustomAttribute sets a custom attribute of a group.
// PUT /groups/{id}/custom_attributes/{key}
func (g *Groups) UpdateGroupCustomAttribute(
	ctx context.Context, req gen.UpdateGroupCustomAttributeRequestObject,
) (gen.UpdateGroupCustomAttributeResponseObject, error) {
	group, _, err := g.access.Group(ctx, req.ID, access.AdminGroupAttribute)
	if err != nil {
		return nil, err
	}
	a := model.GroupCustomAttribute{GroupID: group.ID, Key: req.Key, Value: req.Body.Value}
	if err := customattribute.Check(a.Key, a.Value); err != nil {
		return nil, err
	}
	err = events.Audited(ctx, g.store, func(ctx context.Context) (events.Change, error) {
		return attributeChange(group, a.Key, "custom_attribute_set", "Set custom attribute"), g.store.GroupAttributes.Put(ctx, &a)
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupCustomAttribute200JSONResponse(presentAttribute(a)), nil
}

// DeleteGroupCustomAttribute removes a custom attribute from a group.
// DELETE /groups/{id}/custom_attributes/{key}
func (g *Groups) DeleteGroupCustomAttribute(
	ctx context.Context, req gen.DeleteGroupCustomAttributeRequestObject,
) (gen.DeleteGroupCustomAttributeResponseObject, error) {
	group, _, err := g.access.Group(ctx, req.ID, access.AdminGroupAttribute)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, g.store, func(ctx context.Context) (events.Change, error) {
		since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
		return attributeChange(group, req.Key, "custom_attribute_deleted", "Removed custom attribute"),
			g.store.GroupAttributes.Delete(ctx, group.ID, req.Key, since)
	})
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.DeleteGroupCustomAttribute204Response{}, nil
}

// attributeChange describes a change of a custom attribute for the audit events.
func attributeChange(group model.Namespace, key, kind, message string) events.Change {
	c := events.OfGroup(group, kind, message)
	c.Target = customattribute.Target(key)
	return c
}

func presentAttribute(a model.GroupCustomAttribute) gen.CustomAttribute {
	return gen.CustomAttribute{Key: a.Key, Value: a.Value}
}
