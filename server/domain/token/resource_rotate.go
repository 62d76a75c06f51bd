package token

import (
	"context"
	"time"

	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/clock"
	"svc/store/model"
)

// RotateResource replaces a token of a group or project and returns the new one with its secret. The caller gets the
// token's role with the secret, so that role must not be higher than the caller's. A bot may not replace the token of
// another bot: otherwise it could stay active after its own token is revoked.
func (s *Service) RotateResource(
	ctx context.Context, src access.TokenSource, id int64, expires *time.Time,
) (model.ResourceToken, string, error) {
	row, err := s.FindResource(ctx, src, id)
	if err != nil {
		return model.ResourceToken{}, "", err
	}
	actor := reqctx.Of(ctx).Actor
	switch {
	case actor.User.Kind == model.UserProjectBot && row.Token.UserID != actor.User.ID:
		return model.ResourceToken{}, "", apierr.Forbidden()
	case row.AccessLevel != nil && *row.AccessLevel > src.Role:
		return model.ResourceToken{}, "", apierr.BadRequest(
			"Not eligible to rotate token with access level higher than the user",
		)
	}
	return s.rotateResource(ctx, src, row, expires)
}

// RotateSelf replaces the token of a group or project that the request was made with.
func (s *Service) RotateSelf(
	ctx context.Context, src access.TokenSource, expires *time.Time,
) (model.ResourceToken, string, error) {
	actor := reqctx.Of(ctx).Actor
	if actor == nil {
		return model.ResourceToken{}, "", apierr.Unauthorized()
	}
	if actor.TokenID == 0 || actor.User.Kind != model.UserProjectBot {
		return model.ResourceToken{}, "", apierr.MethodNotAllowed()
	}
	row, err := s.store.Bots.Token(ctx, src.Source, actor.TokenID)
	if store.IsNotFound(err) || (err == nil && row.Token.UserID != actor.User.ID) {
		return model.ResourceToken{}, "", apierr.Unauthorized()
	}
	if err != nil {
		return model.ResourceToken{}, "", err
	}
	return s.rotateResource(ctx, src, row, expires)
}

// rotateResource replaces a token. The new one keeps the role of the old one.
func (s *Service) rotateResource(
	ctx context.Context, src access.TokenSource, old model.ResourceToken, expires *time.Time,
) (model.ResourceToken, string, error) {
	row, plain, err := s.Rotate(ctx, old.Token, expires, clock.Now(ctx), entityOf(src))
	return model.ResourceToken{Token: row, AccessLevel: old.AccessLevel}, plain, err
}
