package labels

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/domain/label"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

// UpdateProjectLabel changes a label of a project.
// PUT /projects/{id}/labels/{name}
func (l *Labels) UpdateProjectLabel(
	ctx context.Context, req gen.UpdateProjectLabelRequestObject,
) (gen.UpdateProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.update(ctx, in, req.Name, label.Change{
		Name: req.Body.NewName, Color: req.Body.Color, Description: req.Body.Description, Priority: req.Body.Priority,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectLabel200JSONResponse(present.Label(false)(row)), nil
}

// UpdateGroupLabel changes a label of a group.
// PUT /groups/{id}/labels/{name}
func (l *Labels) UpdateGroupLabel(
	ctx context.Context, req gen.UpdateGroupLabelRequestObject,
) (gen.UpdateGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.update(ctx, in, req.Name, label.Change{
		Name: req.Body.NewName, Color: req.Body.Color, Description: req.Body.Description,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupLabel200JSONResponse(present.GroupLabel(false)(row)), nil
}

// update changes a label, and reads it again.
func (l *Labels) update(ctx context.Context, in owner, ref string, c label.Change) (model.LabelRow, error) {
	changed, err := l.labels.Apply(ctx, in.ResourceOwner, ref, c)
	if err != nil {
		return model.LabelRow{}, err
	}
	return l.get(ctx, in, strconv.FormatInt(changed.ID, 10), true)
}
