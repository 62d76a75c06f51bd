package labels

import (
	"context"

	"svc/gen"
	"svc/server/domain/label"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
)

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
	row, err := l.update(ctx, in, ref, label.Change{
		Name: req.Body.NewName, Color: req.Body.Color, Description: req.Body.Description, Priority: req.Body.Priority,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectLabels200JSONResponse(present.Label(false)(row)), nil
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
	row, err := l.update(ctx, in, ref, label.Change{
		Name: req.Body.NewName, Color: req.Body.Color, Description: req.Body.Description,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupLabels200JSONResponse(present.GroupLabel(false)(row)), nil
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

// labelRef returns the label that the older form of an operation names by its ID or name.
func labelRef(id, name *string) (string, error) {
	switch {
	case id != nil:
		return *id, nil
	case name != nil:
		return *name, nil
	}
	return "", apierr.BadParameter("label_id, name are missing, exactly one parameter must be provided")
}
