package access

import (
	"context"

	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// Restricted reports whether the settings reserve a visibility for administrators, and the caller is none.
func Restricted(ctx context.Context, st *store.Store, to model.Visibility) bool {
	actor := reqctx.Of(ctx).Actor
	return st.Settings.Current().Restricted(to) && (actor == nil || !actor.User.Admin)
}

// AllowsGit reports whether the settings allow a protocol for git: "ssh" or "http".
func (a *Access) AllowsGit(protocol string) bool {
	return a.store.Settings.Current().AllowsGit(protocol)
}

// AllowsPassword reports whether the settings let git over HTTP accept passwords of users.
func (a *Access) AllowsPassword() bool { return a.store.Settings.Current().PasswordForGit }
