package profiles

import (
	"context"
	"net/http"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// FollowUser makes the caller follow a user.
// POST /users/{id}/follow
func (p *Profiles) FollowUser(
	ctx context.Context, req gen.FollowUserRequestObject,
) (gen.FollowUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.FollowUser)
	if err != nil {
		return nil, err
	}
	u, err := access.FindUser(ctx, p.store, req.ID)
	switch {
	case err != nil:
		return nil, err
	case u.ID == actor.User.ID:
		return nil, apierr.BadRequest("You cannot follow yourself")
	case access.IsClosed(u.State):
		return nil, apierr.BadRequest("You cannot follow a blocked user")
	}
	changed, err := p.store.UserFollows.Create(ctx, actor.User.ID, u.ID)
	if err != nil {
		return nil, err
	}
	if !changed {
		return notModified{}, nil
	}
	return gen.FollowUser201JSONResponse(p.show.UserBasic(u)), nil
}

// UnfollowUser makes the caller stop following a user.
// POST /users/{id}/unfollow
func (p *Profiles) UnfollowUser(
	ctx context.Context, req gen.UnfollowUserRequestObject,
) (gen.UnfollowUserResponseObject, error) {
	actor, err := access.Allow(ctx, access.FollowUser)
	if err != nil {
		return nil, err
	}
	u, err := access.FindUser(ctx, p.store, req.ID)
	if err != nil {
		return nil, err
	}
	changed, err := p.store.UserFollows.Delete(ctx, actor.User.ID, u.ID)
	if err != nil {
		return nil, err
	}
	if !changed {
		return notModified{}, nil
	}
	return gen.UnfollowUser201JSONResponse(p.show.UserBasic(u)), nil
}

// notModified is the answer to a follow or unfollow that changes nothing.
type notModified struct{}

// VisitFollowUserResponse writes status 304 without a body.
func (notModified) VisitFollowUserResponse(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}

// VisitUnfollowUserResponse writes status 304 without a body.
func (notModified) VisitUnfollowUserResponse(w http.ResponseWriter) error {
	w.WriteHeader(http.StatusNotModified)
	return nil
}
