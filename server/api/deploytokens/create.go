package deploytokens

import (
	"context"
	"slices"
	"strings"
	"time"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/clock"
	"svc/store/model"
	"svc/store/secret"
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
	now := clock.Now(ctx)
	if broken := check(b); len(broken) > 0 {
		return gen.DeployTokenWithToken{}, apierr.InvalidFields(broken)
	}
	token := secret.NewDeployToken()
	row := model.DeployToken{
		SourceType: src.Type, SourceID: src.ID, Name: b.Name, Username: b.Username.Ptr(), Digest: secret.Digest(token),
		Scopes: scopes(b.Scopes), CreatorID: &reqctx.Of(ctx).Actor.User.ID,
	}
	if ends := b.ExpiresAt.Ptr(); ends != nil {
		at := ends.UTC().Truncate(time.Microsecond) // the precision of both databases
		row.ExpiresAt = &at
	}
	if row.Username != nil && *row.Username == "" {
		row.Username = nil
	}
	err := events.Audited(ctx, d.store, func(ctx context.Context) (events.Change, error) {
		err := d.store.DeployTokens.Create(ctx, &row)
		return tokenChange(src, row, "deploy_token_created", "Created deploy token"), err
	})
	if err != nil {
		return gen.DeployTokenWithToken{}, err
	}
	return present.DeployTokenWithToken(row, token, now), nil
}

// scopes joins the scopes into one text, without duplicates.
func scopes(given []gen.DeployTokenScope) string {
	var out []string
	for _, scope := range given {
		if !slices.Contains(out, string(scope)) {
			out = append(out, string(scope))
		}
	}
	return strings.Join(out, " ")
}

func tokenChange(src access.TokenSource, row model.DeployToken, kind, message string) events.Change {
	return events.Change{
		Type:    kind,
		Entity:  events.Source(src.Type, src.ID, src.Path),
		Target:  events.Target{Type: "DeployToken", ID: row.ID, Details: row.Name},
		Message: message + " with scopes " + row.Scopes,
	}
}
