package applications

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
)

// DeleteApplication deletes an application and all its tokens.
// DELETE /applications/{id}
func (a *Applications) DeleteApplication(
	ctx context.Context, req gen.DeleteApplicationRequestObject,
) (gen.DeleteApplicationResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminApplication); err != nil {
		return nil, err
	}
	err := events.Audited(ctx, a.store, func(ctx context.Context) (events.Change, error) {
		row, err := a.store.OAuthApplications.Get(ctx, req.ID)
		if err != nil {
			return events.Change{}, err
		}
		err = a.store.OAuthApplications.Delete(ctx, req.ID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince))
		return events.Application(events.Instance, row, "application_deleted", "Removed application"), err
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteApplication204Response{}, nil
}
