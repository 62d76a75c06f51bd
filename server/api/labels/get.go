package labels

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// GetProjectLabel returns a label of a project.
// GET /projects/{id}/labels/{name}
func (l *Labels) GetProjectLabel(
	ctx context.Context, req gen.GetProjectLabelRequestObject,
) (gen.GetProjectLabelResponseObject, error) {
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

// GetGroupLabel returns a label of a group.
// GET /groups/{id}/labels/{name}
func (l *Labels) GetGroupLabel(
	ctx context.Context, req gen.GetGroupLabelRequestObject,
) (gen.GetGroupLabelResponseObject, error) {
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

// get finds a label, and sets whether the caller is subscribed to it.
func (l *Labels) get(ctx context.Context, in owner, ref string, ancestors bool) (model.LabelRow, error) {
	row, err := l.store.Labels.Get(ctx, in.ResourceOwner, ref, ancestors)
	if err != nil {
		return row, err
	}
	rows := []model.LabelRow{row}
	err = l.loadSubscriptions(ctx, rows)
	return rows[0], err
}

// loadSubscriptions sets which of the labels the caller is subscribed to.
func (l *Labels) loadSubscriptions(ctx context.Context, rows []model.LabelRow) error {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return nil
	}
	ids := make([]int64, len(rows))
	for i := range rows {
		ids[i] = rows[i].Label.ID
	}
	subscribed, err := l.store.Subscriptions.Choices(ctx, model.OnLabel, ids, actor.User.ID)
	for i := range rows {
		rows[i].Subscribed = subscribed[rows[i].Label.ID]
	}
	return err
}
