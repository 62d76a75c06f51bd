package badges

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/present"
	"svc/store/model"
)

// GetProjectBadge returns a badge of a project.
// GET /projects/{id}/badges/{badge_id}
func (b *Badges) GetProjectBadge(
	ctx context.Context, req gen.GetProjectBadgeRequestObject,
) (gen.GetProjectBadgeResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.ReadBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.get(ctx, in, req.BadgeID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectBadge200JSONResponse(shown), nil
}

// GetGroupBadge returns a badge of a group.
// GET /groups/{id}/badges/{badge_id}
func (b *Badges) GetGroupBadge(
	ctx context.Context, req gen.GetGroupBadgeRequestObject,
) (gen.GetGroupBadgeResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.ReadGroupBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.get(ctx, in, req.BadgeID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupBadge200JSONResponse(shown), nil
}

func (b *Badges) get(ctx context.Context, in owner, id int64) (gen.Badge, error) {
	row, err := b.store.Badges.Get(ctx, in.ResourceOwner, id)
	if err != nil {
		return gen.Badge{}, apierr.OrNotFound(err, "Badge")
	}
	return b.presentOne(ctx, in, row)
}

func (b *Badges) presentOne(ctx context.Context, in owner, row model.Badge) (gen.Badge, error) {
	values, err := b.placeholders(ctx, in, row)
	return present.Badge(values)(row), err
}
