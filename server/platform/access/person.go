package access

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// FindUser finds a user by id or username; a text of digits is an id. For a request that writes, a user who is being
// deleted does not exist.
func FindUser(ctx context.Context, st *store.Store, ref string) (model.User, error) {
	u, err := findUser(ctx, st, ref)
	if err != nil {
		return u, err
	}
	return u, CheckWritable(ctx, st, u.ID)
}

// UserByID is Person by id only.
func UserByID(ctx context.Context, st *store.Store, id int64) (model.User, error) {
	u, err := st.Users.Get(ctx, id)
	if err != nil {
		return u, err
	}
	return u, CheckWritable(ctx, st, id)
}

// CheckWritable answers 404 if the request writes and the user is being deleted.
func CheckWritable(ctx context.Context, st *store.Store, userID int64) error {
	if m := reqctx.Of(ctx).Method; m == http.MethodGet || m == http.MethodHead || m == "" {
		return nil
	}
	leaving, err := st.Users.BeingDeleted(ctx, userID)
	if err == nil && leaving {
		err = apierr.NotFound("User")
	}
	return err
}

func findUser(ctx context.Context, st *store.Store, ref string) (model.User, error) {
	if strings.Trim(ref, "0123456789") != "" {
		return st.Users.GetByUsername(ctx, ref)
	}
	id, err := strconv.ParseInt(ref, 10, 64)
	if err != nil {
		return model.User{}, apierr.NotFound("User")
	}
	return st.Users.Get(ctx, id)
}

// Profile is Person for data that a private profile hides. Profiles of blocked users are hidden as well. The user
// themselves and administrators can read every profile.
func Profile(ctx context.Context, st *store.Store, ref string) (model.User, error) {
	u, err := FindUser(ctx, st, ref)
	if err != nil {
		return u, err
	}
	actor := reqctx.Of(ctx).Actor
	if actor != nil && (actor.User.ID == u.ID || actor.User.Admin) {
		return u, nil
	}
	if u.PrivateProfile || IsClosed(u.State) {
		return model.User{}, apierr.NotFound("User")
	}
	return u, nil
}

// IsClosed reports whether an account is closed by a decision of others. Unlike a deactivated account, signing in does not
// reopen it.
func IsClosed(state model.UserState) bool {
	return state != model.UserActive && state != model.UserDeactivated
}
