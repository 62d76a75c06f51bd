package badges

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
)

// DeleteProjectBadge deletes a badge of a project.
// DELETE /projects/{id}/badges/{badge_id}
func (b *Badges) DeleteProjectBadge(
	ctx context.Context, req gen.DeleteProjectBadgeRequestObject,
) (gen.DeleteProjectBadgeResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBadge)
	if err != nil {
		return nil, err
	}
	if err := b.delete(ctx, in, req.BadgeID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteProjectBadge204Response{}, nil
}

// DeleteGroupBadge deletes a badge of a group.
// DELETE /groups/{id}/badges/{badge_id}
func (b *Badges) DeleteGroupBadge(
	ctx context.Context, req gen.DeleteGroupBadgeRequestObject,
) (gen.DeleteGroupBadgeResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBadge)
	if err != nil {
		return nil, err
	}
	if err := b.delete(ctx, in, req.BadgeID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupBadge204Response{}, nil
}

func (b *Badges) delete(ctx context.Context, in owner, id int64, unmodifiedSince *string) error {
	return events.Audited(ctx, b.store, func(ctx context.Context) (events.Change, error) {
		row, err := b.store.Badges.GetOwn(ctx, in.ResourceOwner, id)
		if err != nil {
			return events.Change{}, apierr.OrNotFound(err, "Badge")
		}
		err = b.store.Badges.Delete(ctx, row, reqctx.UnmodifiedSince(unmodifiedSince))
		return in.change(row, "badge_deleted", "Deleted badge"), apierr.OrNotFound(err, "Badge")
	})
}
