package badges

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/store/model"
)

// UpdateProjectBadge changes a badge of a project.
// PUT /projects/{id}/badges/{badge_id}
func (b *Badges) UpdateProjectBadge(
	ctx context.Context, req gen.UpdateProjectBadgeRequestObject,
) (gen.UpdateProjectBadgeResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.update(ctx, in, req.BadgeID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectBadge200JSONResponse(shown), nil
}

// UpdateGroupBadge changes a badge of a group.
// PUT /groups/{id}/badges/{badge_id}
func (b *Badges) UpdateGroupBadge(
	ctx context.Context, req gen.UpdateGroupBadgeRequestObject,
) (gen.UpdateGroupBadgeResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.update(ctx, in, req.BadgeID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupBadge200JSONResponse(shown), nil
}

func (b *Badges) update(ctx context.Context, in owner, id int64, body gen.BadgeUpdate) (gen.Badge, error) {
	var row model.Badge
	err := events.AuditedAll(ctx, b.store, func(ctx context.Context) ([]events.Change, error) {
		before, err := b.store.Badges.GetOwn(ctx, in.ResourceOwner, id)
		if err != nil {
			return nil, apierr.OrNotFound(err, "Badge")
		}
		row = before
		if body.LinkURL != nil {
			row.LinkURL = *body.LinkURL
		}
		if body.ImageURL != nil {
			row.ImageURL = *body.ImageURL
		}
		if body.Name.IsSet() {
			row.Name = body.Name.Ptr()
		}
		if err := checkURLs(row); err != nil {
			return nil, err
		}
		err = b.store.Badges.Update(ctx, id, map[string]any{
			"link_url": row.LinkURL, "image_url": row.ImageURL, "name": row.Name,
		})
		return events.Differences(before, row, in.change(row, "badge_updated", "")), err
	})
	if err != nil {
		return gen.Badge{}, err
	}
	return b.presentOne(ctx, in, row)
}
