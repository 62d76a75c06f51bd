package access

import (
	"context"
	"slices"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// Allow returns the caller if they have an ability on the instance. An anonymous caller gets 401, a caller whose role
// is too low gets 403.
func Allow(ctx context.Context, ability Ability) (*reqctx.Actor, error) {
	actor := reqctx.Of(ctx).Actor
	need, known := Abilities[Instance][ability]
	switch {
	case !known:
		return nil, apierr.Forbidden()
	case need.Role == Anyone:
		return actor, nil
	case actor == nil:
		return nil, apierr.Unauthorized()
	case need.Role == Administrator && !actor.User.Admin:
		return nil, apierr.Forbidden()
	}
	return actor, nil
}

// check refuses callers whose role in a group or project, which they can see, is too low.
func (n Need) check(ctx context.Context, role model.Access) error {
	switch {
	case n.Role == SignedIn && reqctx.Of(ctx).Actor == nil:
		return apierr.Unauthorized()
	case n.Role > SignedIn && Role(role) < n.Role:
		return apierr.Forbidden()
	}
	return nil
}

// CheckState refuses callers whose account is not active.
func CheckState(u model.Caller) error {
	switch u.State {
	case model.UserActive:
		return nil
	case model.UserDeactivated:
		return apierr.Inactive("Your account has been deactivated by your administrator. Please log back in to reactivate your account.")
	case model.UserPendingApproval:
		return apierr.Inactive("Your account is pending approval from your administrator and hence blocked.")
	default:
		return apierr.Inactive("Your account has been blocked.")
	}
}

// CheckScope refuses a token that has none of the scopes that an operation accepts. Sessions and job tokens carry no
// scopes, and an operation that lists no scopes accepts any token.
func CheckScope(actor *reqctx.Actor, accepted []string) error {
	if actor.Kind == reqctx.Session || actor.Kind == reqctx.JobToken || len(accepted) == 0 {
		return nil
	}
	for _, scope := range accepted {
		if actor.HasScope(scope) {
			return nil
		}
	}
	return apierr.InsufficientScope(accepted...)
}

// Scopes lists every scope that a personal, project or group access token can have.
var Scopes = []string{
	"api", "read_api", "read_user", "create_runner", "manage_runner", "k8s_proxy", "read_repository", "write_repository",
	"read_registry", "write_registry", "read_observability", "write_observability", "ai_features", "sudo", "admin_mode",
	"read_service_ping",
}

// Offered lists the scopes that have an effect on this service; pages offer only these. The other scopes are for
// features that the service does not have (a registry, observability data, AI, an enforced admin mode, usage figures).
// Tokens may still carry them, so that programs which request them keep working.
var Offered = []string{
	"api", "read_api", "read_user", "create_runner", "manage_runner", "k8s_proxy", "read_repository",
	"write_repository", "sudo", "openid", "profile", "email",
}

// AdministratorScopes have an effect only for administrators, so tokens of other users cannot have them.
var AdministratorScopes = []string{"sudo", "admin_mode", "read_service_ping"}

// MayCarry reports whether a token of a user can have all these scopes.
func MayCarry(admin bool, scopes []string) bool {
	for _, scope := range scopes {
		if !slices.Contains(Scopes, scope) || (!admin && slices.Contains(AdministratorScopes, scope)) {
			return false
		}
	}
	return true
}
