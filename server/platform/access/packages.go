package access

import (
	"context"
	"slices"
	"strconv"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// packageScopes are the scopes of deploy tokens that give abilities about packages.
var packageScopes = map[Ability]string{ReadPackage: "read_package_registry", CreatePackage: "write_package_registry"}

// DeployToken returns the active deploy token with a secret. An empty username matches every token. It returns a
// *store.NotFoundError if there is no such token.
func (a *Access) DeployToken(ctx context.Context, username, token string) (model.DeployToken, error) {
	digest := secret.Digest(token)
	if username == "" {
		return a.store.DeployTokens.GetByDigest(ctx, digest)
	}
	return a.store.DeployTokens.Authenticate(ctx, digest, username)
}

// ProjectForDeployToken returns a project, given by id or full path, if a deploy token gives the ability in it. In a
// project that the token does not belong to, it gives what everybody has.
func (a *Access) ProjectForDeployToken(
	ctx context.Context, t model.DeployToken, ref string, ability Ability,
) (model.ProjectRow, error) {
	if err := CheckPackageScope(t, ability); err != nil {
		return model.ProjectRow{}, err
	}
	id, err := strconv.ParseInt(ref, 10, 64)
	if err != nil {
		id = 0
	}
	row, err := a.store.Projects.Get(ctx, id, ref, &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return model.ProjectRow{}, apierr.NotFound("Project")
	}
	if err != nil {
		return model.ProjectRow{}, err
	}
	covered, err := a.store.DeployTokens.Covers(ctx, t, row.Project.ID)
	switch {
	case err != nil:
		return model.ProjectRow{}, err
	case !covered:
		return a.Project(ctx, ref, ability)
	case row.Project.PackageRegistryAccessLevel == model.FeatureDisabled || row.Project.Archived && !Abilities[Project][ability].Archived:
		return model.ProjectRow{}, apierr.Forbidden()
	}
	row.Admin = false
	return row, nil
}

// GroupForDeployToken returns a group, given by id or full path, in which a deploy token looks for packages: one that
// everybody can see, the group of the token, or one above or below it.
func (a *Access) GroupForDeployToken(ctx context.Context, t model.DeployToken, ref string) (model.Namespace, error) {
	group, _, err := a.Group(ctx, ref, ReadGroupPackage)
	if err == nil {
		return group, nil
	}
	id, parseErr := strconv.ParseInt(ref, 10, 64)
	if parseErr != nil {
		id = 0
	}
	group, _, err = a.store.Namespaces.GetGroup(ctx, id, ref, &store.Reader{Admin: true})
	if err != nil {
		return group, apierr.OrNotFound(err, "Group")
	}
	related, err := a.store.DeployTokens.RelatesTo(ctx, t, group.ID)
	if err == nil && !related {
		err = apierr.NotFound("Group")
	}
	return group, err
}

// CheckPackageScope refuses a deploy token without the scope of an ability.
func CheckPackageScope(t model.DeployToken, ability Ability) error {
	scope, known := packageScopes[ability]
	if !known {
		return apierr.Forbidden()
	}
	if !slices.Contains(t.ScopeList(), scope) {
		return apierr.InsufficientScope(scope)
	}
	return nil
}

// PackageScope returns the scope of a list of packages in which the caller may read packages, without its projects.
func PackageScope(ctx context.Context) store.PackageScope {
	scope := store.PackageScope{Reader: Reader(ctx)}
	if actor := reqctx.Of(ctx).Actor; actor != nil && actor.Job != nil {
		scope.JobProjectID = actor.Job.ProjectID
	}
	return scope
}
