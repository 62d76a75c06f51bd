package access

import (
	"context"
	"strconv"
	"strings"

	"svc/server/apierr"
	"svc/server/request"
	"svc/store"
	"svc/store/model"
)

// Person finds the user that a path names by id or username; text of digits only is an id.
func Person(ctx context.Context, st *store.Store, ref string) (model.User, error) {
	if strings.Trim(ref, "0123456789") != "" {
		return st.Users.GetByUsername(ctx, ref)
	}
	id, err := strconv.ParseInt(ref, 10, 64)
	if err != nil {
		return model.User{}, apierr.NotFound("User")
	}
	return st.Users.Get(ctx, id)
}

// Profile is Person for what a private profile hides. Profiles of blocked users are hidden as well; the owner and
// administrators see all.
func Profile(ctx context.Context, st *store.Store, ref string) (model.User, error) {
	u, err := Person(ctx, st, ref)
	if err != nil {
		return u, err
	}
	actor := request.Of(ctx).Actor
	if actor != nil && (actor.User.ID == u.ID || actor.User.Admin) {
		return u, nil
	}
	if u.PrivateProfile || Shut(u.State) {
		return model.User{}, apierr.NotFound("User")
	}
	return u, nil
}

// Shut tells whether somebody has shut an account: unlike a deactivated one it does not open by signing in.
func Shut(state model.UserState) bool {
	return state != model.UserActive && state != model.UserDeactivated
}
