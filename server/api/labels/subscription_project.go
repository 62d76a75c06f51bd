package labels

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

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
