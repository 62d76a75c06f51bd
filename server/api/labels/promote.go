package labels

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// PromoteProjectLabel turns a label of a project into a label of its group.
// PUT /projects/{id}/labels/{name}/promote
func (l *Labels) PromoteProjectLabel(
	ctx context.Context, req gen.PromoteProjectLabelRequestObject,
) (gen.PromoteProjectLabelResponseObject, error) {
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
	found, err := l.store.Labels.Get(ctx, in.ResourceOwner, req.Name, store.LabelFilter{})
	if err != nil {
		return nil, err
	}
	made, err := l.store.Labels.Promote(ctx, found.Label, row.Place.ID)
	if err != nil {
		return nil, err
	}
	shown, err := l.get(ctx, in, strconv.FormatInt(made.ID, 10), true)
	if err != nil {
		return nil, err
	}
	return gen.PromoteProjectLabel200JSONResponse(present.Label(false)(shown)), nil
}
