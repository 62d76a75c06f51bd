package users

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/clock"
)

// ListCurrentUserActivities lists the last activity of each user, oldest first.
// GET /user/activities
func (u *Users) ListCurrentUserActivities(
	ctx context.Context, req gen.ListCurrentUserActivitiesRequestObject,
) (gen.ListCurrentUserActivitiesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminUser); err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, u.pages, "User", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	from := clock.Now(ctx).UTC().AddDate(0, -6, 0).Truncate(24 * time.Hour)
	if req.Params.From != nil {
		from = req.Params.From.Time
	}
	rows, total, err := u.store.Users.ListActive(ctx, from, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListCurrentUserActivities200JSONResponse{
		Body:    present.All(rows, present.UserActivity),
		Headers: gen.ListCurrentUserActivities200ResponseHeaders(window.Headers(total)),
	}, nil
}
