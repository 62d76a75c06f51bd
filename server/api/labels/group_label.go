package labels

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListGroupLabels lists the labels of a group.
// GET /groups/{id}/labels
func (l *Labels) ListGroupLabels(ctx context.Context, req gen.ListGroupLabelsRequestObject) (gen.ListGroupLabelsResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.ReadGroupLabel)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := l.list(ctx, in, query{q.WithCounts, q.IncludeAncestorGroups, q.Search, q.Page, q.PerPage, q.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupLabels200JSONResponse{
		Body:    present.All(rows, present.GroupLabel(wire.Value(q.WithCounts))),
		Headers: gen.ListGroupLabels200ResponseHeaders(headers),
	}, nil
}

// CreateGroupLabel creates a label in a group.
// POST /groups/{id}/labels
func (l *Labels) CreateGroupLabel(ctx context.Context, req gen.CreateGroupLabelRequestObject) (gen.CreateGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.create(ctx, in, model.Label{Name: req.Body.Name, Color: req.Body.Color, Description: req.Body.Description.Ptr()}, nil)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupLabel201JSONResponse(present.GroupLabel(false)(row)), nil
}

// UpdateGroupLabels changes the label of a group that the body names.
// PUT /groups/{id}/labels
func (l *Labels) UpdateGroupLabels(
	ctx context.Context, req gen.UpdateGroupLabelsRequestObject,
) (gen.UpdateGroupLabelsResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	ref, err := labelRef(req.Body.LabelID, req.Body.Name)
	if err != nil {
		return nil, err
	}
	row, err := l.update(ctx, in, ref, change{name: req.Body.NewName, color: req.Body.Color, description: req.Body.Description})
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupLabels200JSONResponse(present.GroupLabel(false)(row)), nil
}

// DeleteGroupLabels deletes the label of a group that a parameter names.
// DELETE /groups/{id}/labels
func (l *Labels) DeleteGroupLabels(
	ctx context.Context, req gen.DeleteGroupLabelsRequestObject,
) (gen.DeleteGroupLabelsResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	ref, err := labelRef(req.Params.LabelID, req.Params.Name)
	if err != nil {
		return nil, err
	}
	if err := l.delete(ctx, in, ref, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupLabels204Response{}, nil
}

// GetGroupLabel returns a label of a group.
// GET /groups/{id}/labels/{name}
func (l *Labels) GetGroupLabel(ctx context.Context, req gen.GetGroupLabelRequestObject) (gen.GetGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.ReadGroupLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.get(ctx, in, req.Name, req.Params.IncludeAncestorGroups == nil || *req.Params.IncludeAncestorGroups)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupLabel200JSONResponse(present.GroupLabel(false)(row)), nil
}

// UpdateGroupLabel changes a label of a group.
// PUT /groups/{id}/labels/{name}
func (l *Labels) UpdateGroupLabel(ctx context.Context, req gen.UpdateGroupLabelRequestObject) (gen.UpdateGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.update(ctx, in, req.Name, change{name: req.Body.NewName, color: req.Body.Color, description: req.Body.Description})
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupLabel200JSONResponse(present.GroupLabel(false)(row)), nil
}

// DeleteGroupLabel deletes a label of a group.
// DELETE /groups/{id}/labels/{name}
func (l *Labels) DeleteGroupLabel(ctx context.Context, req gen.DeleteGroupLabelRequestObject) (gen.DeleteGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	if err := l.delete(ctx, in, req.Name, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupLabel204Response{}, nil
}

// SubscribeGroupLabel subscribes the caller to a label of a group.
// POST /groups/{id}/labels/{name}/subscribe
func (l *Labels) SubscribeGroupLabel(
	ctx context.Context, req gen.SubscribeGroupLabelRequestObject,
) (gen.SubscribeGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.FollowGroupLabel)
	if err != nil {
		return nil, err
	}
	row, changed, err := l.follow(ctx, in, req.Name, true)
	if err != nil {
		return nil, err
	}
	if !changed {
		return unchanged{}, nil
	}
	return gen.SubscribeGroupLabel201JSONResponse(present.GroupLabel(false)(row)), nil
}

// UnsubscribeGroupLabel unsubscribes the caller from a label of a group.
// POST /groups/{id}/labels/{name}/unsubscribe
func (l *Labels) UnsubscribeGroupLabel(
	ctx context.Context, req gen.UnsubscribeGroupLabelRequestObject,
) (gen.UnsubscribeGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.FollowGroupLabel)
	if err != nil {
		return nil, err
	}
	row, changed, err := l.follow(ctx, in, req.Name, false)
	if err != nil {
		return nil, err
	}
	if !changed {
		return unchanged{}, nil
	}
	return gen.UnsubscribeGroupLabel201JSONResponse(present.GroupLabel(false)(row)), nil
}
