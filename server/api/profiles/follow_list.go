package profiles

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// ListUserFollowers lists the followers of a user.
// GET /users/{id}/followers
func (p *Profiles) ListUserFollowers(
	ctx context.Context, req gen.ListUserFollowersRequestObject,
) (gen.ListUserFollowersResponseObject, error) {
	people, headers, err := p.listFollows(
		ctx, req.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage, p.store.UserFollows.Followers,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListUserFollowers200JSONResponse{
		Body: people, Headers: gen.ListUserFollowers200ResponseHeaders(headers),
	}, nil
}

// ListUserFollowing lists the users that a user follows.
// GET /users/{id}/following
func (p *Profiles) ListUserFollowing(
	ctx context.Context, req gen.ListUserFollowingRequestObject,
) (gen.ListUserFollowingResponseObject, error) {
	people, headers, err := p.listFollows(
		ctx, req.ID, req.Params.Pagination, req.Params.Page, req.Params.PerPage, p.store.UserFollows.Following,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListUserFollowing200JSONResponse{
		Body: people, Headers: gen.ListUserFollowing200ResponseHeaders(headers),
	}, nil
}

// listFollows returns one page of a user's followers, or of the users whom that user follows.
func (p *Profiles) listFollows(ctx context.Context, ref string, paging *gen.Pagination, number, size *int64,
	ask func(context.Context, int64, store.Page) ([]model.User, store.Total, error),
) ([]gen.UserBasic, pagination.Headers, error) {
	if _, err := access.Allow(ctx, access.ReadUserFollows); err != nil {
		return nil, pagination.Headers{}, err
	}
	u, err := access.Profile(ctx, p.store, ref)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := pagination.OffsetOnly(ctx, p.pages, "User", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := ask(ctx, u.ID, window.Page)
	return present.All(rows, p.show.UserBasic), window.Headers(total), err
}
