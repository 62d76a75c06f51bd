package deploytokens

import (
	"context"

	"svc/gen"
	"svc/server/domain/deploytoken"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/clock"
)

// CreateProjectDeployToken creates a deploy token in a project.
// POST /projects/{id}/deploy_tokens
func (d *DeployTokens) CreateProjectDeployToken(
	ctx context.Context, req gen.CreateProjectDeployTokenRequestObject,
) (gen.CreateProjectDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfProject(ctx, req.ID, access.AdminProjectToken)
	if err != nil {
		return nil, err
	}
	shown, err := d.create(ctx, src, *req.Body)
	return gen.CreateProjectDeployToken201JSONResponse(shown), err
}

// CreateGroupDeployToken creates a deploy token in a group.
// POST /groups/{id}/deploy_tokens
func (d *DeployTokens) CreateGroupDeployToken(
	ctx context.Context, req gen.CreateGroupDeployTokenRequestObject,
) (gen.CreateGroupDeployTokenResponseObject, error) {
	src, err := d.access.TokensOfGroup(ctx, req.ID, access.AdminGroupToken)
	if err != nil {
		return nil, err
	}
	shown, err := d.create(ctx, src, *req.Body)
	return gen.CreateGroupDeployToken201JSONResponse(shown), err
}

// create creates a deploy token and presents it with its secret.
func (d *DeployTokens) create(
	ctx context.Context, src access.TokenSource, b gen.DeployTokenCreate,
) (gen.DeployTokenWithToken, error) {
	draft := deploytoken.Draft{Name: b.Name, Username: b.Username.Ptr()}
	for _, scope := range b.Scopes {
		draft.Scopes = append(draft.Scopes, string(scope))
	}
	if ends := b.ExpiresAt.Ptr(); ends != nil {
		draft.ExpiresAt = &ends.Time
	}
	row, secret, err := d.tokens.Create(ctx, src, draft)
	if err != nil {
		return gen.DeployTokenWithToken{}, err
	}
	return present.DeployTokenWithToken(row, secret, clock.Now(ctx)), nil
}
