package labels

import (
	"context"

	"svc/gen"
	"svc/server/domain/label"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// CreateProjectLabel creates a label in a project.
// POST /projects/{id}/labels
func (l *Labels) CreateProjectLabel(
	ctx context.Context, req gen.CreateProjectLabelRequestObject,
) (gen.CreateProjectLabelResponseObject, error) {
	in, _, err := l.project(ctx, req.ID, access.AdminLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.labels.Create(ctx, in.ResourceOwner, label.New{
		Name: req.Body.Name, Color: req.Body.Color, Description: req.Body.Description.Ptr(),
		Priority: req.Body.Priority.Ptr(),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectLabel201JSONResponse(present.Label(false)(row)), nil
}

// CreateGroupLabel creates a label in a group.
// POST /groups/{id}/labels
func (l *Labels) CreateGroupLabel(
	ctx context.Context, req gen.CreateGroupLabelRequestObject,
) (gen.CreateGroupLabelResponseObject, error) {
	in, err := l.group(ctx, req.ID, access.AdminGroupLabel)
	if err != nil {
		return nil, err
	}
	row, err := l.labels.Create(ctx, in.ResourceOwner, label.New{
		Name: req.Body.Name, Color: req.Body.Color, Description: req.Body.Description.Ptr(),
	})
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupLabel201JSONResponse(present.GroupLabel(false)(row)), nil
}
