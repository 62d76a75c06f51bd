package labels

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectLabels lists the labels of a project.
// GET /projects/{id}/labels
func (l *Labels) ListProjectLabels(
	ctx context.Context, req gen.ListProjectLabelsRequestObject,
) (gen.ListProjectLabelsResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.ReadLabel)
	if err != nil {
		return nil, err
	}
	q := req.Params
	rows, headers, err := l.list(ctx, in, query{q.WithCounts, q.IncludeAncestorGroups, q.Search, q.Page, q.PerPage, q.Pagination})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectLabels200JSONResponse{
		Body:    present.All(rows, present.Label(wire.Value(q.WithCounts))),
		Headers: gen.ListProjectLabels200ResponseHeaders(headers),
	}, nil
}

// CreateProjectLabel creates a label in a project.
// POST /projects/{id}/labels
func (l *Labels) CreateProjectLabel(
	ctx context.Context, req gen.CreateProjectLabelRequestObject,
) (gen.CreateProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.create(
		ctx, in, model.Label{Name: req.Body.Name, Color: req.Body.Color, Description: req.Body.Description.Ptr()},
		req.Body.Priority.Ptr(),
	)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectLabel201JSONResponse(present.Label(false)(row)), nil
}

// UpdateProjectLabels changes the label of a project that the body names.
// PUT /projects/{id}/labels
func (l *Labels) UpdateProjectLabels(
	ctx context.Context, req gen.UpdateProjectLabelsRequestObject,
) (gen.UpdateProjectLabelsResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
	if err != nil {
		return nil, err
	}
	ref, err := labelRef(req.Body.LabelID, req.Body.Name)
	if err != nil {
		return nil, err
	}
	row, err := l.update(ctx, in, ref, change{
		req.Body.NewName, req.Body.Color, req.Body.Description, req.Body.Priority.IsSet(), req.Body.Priority.Ptr(),
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectLabels200JSONResponse(present.Label(false)(row)), nil
}

// DeleteProjectLabels deletes the label of a project that a parameter names.
// DELETE /projects/{id}/labels
func (l *Labels) DeleteProjectLabels(
	ctx context.Context, req gen.DeleteProjectLabelsRequestObject,
) (gen.DeleteProjectLabelsResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
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
	return gen.DeleteProjectLabels204Response{}, nil
}

// GetProjectLabel returns a label of a project.
// GET /projects/{id}/labels/{name}
func (l *Labels) GetProjectLabel(ctx context.Context, req gen.GetProjectLabelRequestObject) (gen.GetProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.ReadLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.get(ctx, in, req.Name, req.Params.IncludeAncestorGroups == nil || *req.Params.IncludeAncestorGroups)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectLabel200JSONResponse(present.Label(false)(row)), nil
}

// UpdateProjectLabel changes a label of a project.
// PUT /projects/{id}/labels/{name}
func (l *Labels) UpdateProjectLabel(
	ctx context.Context, req gen.UpdateProjectLabelRequestObject,
) (gen.UpdateProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.update(ctx, in, req.Name, change{
		req.Body.NewName, req.Body.Color, req.Body.Description, req.Body.Priority.IsSet(), req.Body.Priority.Ptr(),
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectLabel200JSONResponse(present.Label(false)(row)), nil
}

// DeleteProjectLabel deletes a label of a project.
// DELETE /projects/{id}/labels/{name}
func (l *Labels) DeleteProjectLabel(
	ctx context.Context, req gen.DeleteProjectLabelRequestObject,
) (gen.DeleteProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
	if err != nil {
		return nil, err
	}
	if err := l.delete(ctx, in, req.Name, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectLabel204Response{}, nil
}

// SubscribeProjectLabel subscribes the caller to a label of a project.
// POST /projects/{id}/labels/{name}/subscribe
func (l *Labels) SubscribeProjectLabel(
	ctx context.Context, req gen.SubscribeProjectLabelRequestObject,
) (gen.SubscribeProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.FollowLabel)
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
	return gen.SubscribeProjectLabel201JSONResponse(present.Label(false)(row)), nil
}

// UnsubscribeProjectLabel unsubscribes the caller from a label of a project.
// POST /projects/{id}/labels/{name}/unsubscribe
func (l *Labels) UnsubscribeProjectLabel(
	ctx context.Context, req gen.UnsubscribeProjectLabelRequestObject,
) (gen.UnsubscribeProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.FollowLabel)
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
	return gen.UnsubscribeProjectLabel201JSONResponse(present.Label(false)(row)), nil
}

// UpdateProjectLabelPromote turns a label of a project into a label of its group.
// PUT /projects/{id}/labels/{name}/promote
func (l *Labels) UpdateProjectLabelPromote(
	ctx context.Context, req gen.UpdateProjectLabelPromoteRequestObject,
) (gen.UpdateProjectLabelPromoteResponseObject, error) {
	in, row, err := l.project(ctx, req.ID, access.PromoteLabel)
	if err != nil {
		return nil, err
	}
	if row.Place.Kind != model.NamespaceGroup {
		return nil, apierr.Refused("The project does not belong to a group")
	}
	if _, _, err := l.access.Group(ctx, strconv.FormatInt(row.Place.ID, 10), access.AdminGroupLabel); err != nil {
		return nil, err
	}
	found, err := l.store.Labels.Get(ctx, in.ResourceOwner, req.Name, false)
	if err != nil {
		return nil, err
	}
	made, err := l.store.Labels.Promote(ctx, found.Label, row.Place.ID)
	if err != nil {
		return nil, err
	}
	shown, err := l.get(ctx, in, itoa(made.ID), true)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectLabelPromote200JSONResponse(present.Label(false)(shown)), nil
}
