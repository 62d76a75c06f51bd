package access

import (
	"context"
	"slices"

	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

// ProjectByDeployToken returns the project at a path for a client that reads the repository with a deploy token and its username.
// known is false if they do not belong to a deploy token; the other results are then empty.
func (a *Access) ProjectByDeployToken(ctx context.Context, username, token, path string) (row model.ProjectRow, known bool, err error) {
	t, err := a.store.DeployTokens.Authenticate(ctx, secret.Digest(token), username)
	if store.IsNotFound(err) {
		return model.ProjectRow{}, false, nil
	}
	if err != nil {
		return model.ProjectRow{}, true, err
	}
	if !slices.Contains(t.ScopeList(), "read_repository") {
		return model.ProjectRow{}, true, apierr.InsufficientScope("read_repository")
	}
	row, err = a.store.Projects.Get(ctx, 0, path, &store.Reader{Admin: true})
	if store.IsNotFound(err) {
		return model.ProjectRow{}, true, apierr.NotFound("Project")
	}
	if err != nil {
		return model.ProjectRow{}, true, err
	}
	covered, err := a.store.DeployTokens.Covers(ctx, t, row.Project.ID)
	switch {
	case err != nil:
		return model.ProjectRow{}, true, err
	case !covered: // like anybody else, they can read public projects
		row, err = a.Project(ctx, path, ReadCode)
		return row, true, err
	case row.Project.RepositoryAccessLevel == model.FeatureDisabled:
		return model.ProjectRow{}, true, apierr.Forbidden()
	}
	row.Admin = false
	return row, true, nil
}
