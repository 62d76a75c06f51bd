package labels

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
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

// get finds a label, with the subscription of the caller.
func (l *Labels) get(ctx context.Context, in owner, ref string, ancestors bool) (model.LabelRow, error) {
	return l.store.Labels.Get(ctx, in.ResourceOwner, ref, store.LabelFilter{Ancestors: ancestors, UserID: callerID(ctx)})
}

// callerID returns the user ID of the caller, or 0 for an anonymous one.
func callerID(ctx context.Context) int64 {
	if actor := reqctx.Of(ctx).Actor; actor != nil {
		return actor.User.ID
	}
	return 0
}
