package access

import (
	"context"

	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// DeployKey returns the caller with a deploy key, given by its SHA-256 fingerprint, for git over SSH. Pushes count as
// pushes of the user who created the key; without that user, the key can only read. It refuses expired keys.
func (a *Authenticator) DeployKey(ctx context.Context, fingerprint string) (*reqctx.Actor, error) {
	k, err := a.store.DeployKeys.GetByFingerprint(ctx, fingerprint)
	if store.IsNotFound(err) || (err == nil && k.ExpiresAt != nil && !k.ExpiresAt.After(clock.Now(ctx))) {
		return nil, apierr.Unauthorized()
	}
	if err != nil {
		return nil, err
	}
	actor := &reqctx.Actor{User: model.Caller{Username: k.Title}, Kind: reqctx.DeployKey, DeployKeyID: k.ID}
	if k.CreatorID == nil {
		return actor, nil
	}
	creator, err := a.store.Users.Get(ctx, *k.CreatorID)
	if store.IsNotFound(err) {
		return actor, nil
	}
	actor.User = creator.Caller()
	return actor, err
}

// ProjectByDeployKey returns the project at a path for a caller with a deploy key: a project of the key, or, for reading, a
// project that everybody may read. To push, the key must be allowed to push, and its creator must still be active. The
// role of the creator decides what the key may do with protected branches and tags.
func (a *Access) ProjectByDeployKey(ctx context.Context, actor *reqctx.Actor, path string, push bool) (model.ProjectRow, error) {
	reader := &store.Reader{UserID: actor.User.ID, Admin: actor.User.Admin, External: actor.User.External}
	row, err := a.store.Projects.Get(ctx, 0, path, reader)
	if store.IsNotFound(err) {
		return row, apierr.NotFound("Project")
	}
	if err != nil {
		return row, err
	}
	known, canPush, err := a.store.DeployKeys.Access(ctx, actor.DeployKeyID, row.Project.ID)
	switch {
	case err != nil:
		return model.ProjectRow{}, err
	case !known && row.Project.CodeVisibility() != model.Public:
		return model.ProjectRow{}, apierr.NotFound("Project")
	case row.Project.RepositoryAccessLevel == model.FeatureDisabled:
		return model.ProjectRow{}, apierr.Forbidden()
	case !push:
		return row, nil
	case !known || !canPush || row.Project.Archived || actor.User.ID == 0 || CheckState(actor.User) != nil:
		return model.ProjectRow{}, apierr.Forbidden()
	}
	row.Direct = max(row.Direct, model.Developer) // the key itself may push, whatever the role of its creator
	return row, nil
}
