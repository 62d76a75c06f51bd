package labels

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

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
