package access

import (
	"context"
	"slices"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// Allow returns the caller if they have an ability on the instance: 401 for nobody, 403 for too little.
func Allow(ctx context.Context, ability Ability) (*reqctx.Actor, error) {
	actor := reqctx.Of(ctx).Actor
	role, known := Instance[ability]
	switch {
	case !known:
		return nil, apierr.Forbidden()
	case role == Anyone:
		return actor, nil
	case actor == nil:
		return nil, apierr.Unauthorized()
	case role == Administrator && !actor.User.Admin:
		return nil, apierr.Forbidden()
	}
	return actor, nil
}

// CheckState refuses accounts that may not be used.
func CheckState(u model.Caller) error {
	switch u.State {
	case model.UserActive:
		return nil
	case model.UserDeactivated:
		return apierr.Forbidden("Your account has been deactivated by your administrator. Please log back in to reactivate your account.")
	case model.UserPendingApproval:
		return apierr.Forbidden("Your account is pending approval from your administrator and hence blocked.")
	default:
		return apierr.Forbidden("Your account has been blocked.")
	}
}

// CheckScope refuses a token that has none of the scopes that an operation accepts. Sessions carry no scopes, and an
// operation that lists none accepts any token.
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

// Accepted widens the least scopes of an operation to all that it accepts: api always, read_api for reading.
func Accepted(least []string, reads bool) []string {
	if len(least) == 0 {
		return nil
	}
	accepted := []string{"api"}
	if reads {
		accepted = append(accepted, "read_api")
	}
	for _, scope := range least {
		if !slices.Contains(accepted, scope) {
			accepted = append(accepted, scope)
		}
	}
	return accepted
}

// Scopes are all that a token may carry.
var Scopes = []string{
	"api", "read_api", "read_user", "create_runner", "manage_runner", "k8s_proxy", "read_repository", "write_repository",
	"read_registry", "write_registry", "read_observability", "write_observability", "ai_features", "sudo", "admin_mode",
	"read_service_ping",
}

// Offered are the scopes that open something here; pages offer only these. The others are for things that the service does not
// have (a registry, observability data, AI, an enforced admin mode, usage figures); tokens may carry them, so that programs
// which ask for them go on.
var Offered = []string{
	"api", "read_api", "read_user", "create_runner", "manage_runner", "k8s_proxy", "read_repository", "write_repository", "sudo", "openid", "profile", "email",
}

// AdministratorScopes open nothing to others, so others' tokens cannot carry them.
var AdministratorScopes = []string{"sudo", "admin_mode", "read_service_ping"}

// MayCarry tells whether a token of a user may carry all these scopes.
func MayCarry(admin bool, scopes []string) bool {
	for _, scope := range scopes {
		if !slices.Contains(Scopes, scope) || (!admin && slices.Contains(AdministratorScopes, scope)) {
			return false
		}
	}
	return true
}
