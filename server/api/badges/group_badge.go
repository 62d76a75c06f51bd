package badges

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ListGroupBadges lists the badges of a group.
// GET /groups/{id}/badges
func (b *Badges) ListGroupBadges(ctx context.Context, req gen.ListGroupBadgesRequestObject) (gen.ListGroupBadgesResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.ReadGroupBadge)
	if err != nil {
		return nil, err
	}
	rows, headers, err := b.list(ctx, in, req.Params.Name, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupBadges200JSONResponse{Body: rows, Headers: gen.ListGroupBadges200ResponseHeaders(headers)}, nil
}

// CreateGroupBadge creates a badge in a group.
// POST /groups/{id}/badges
func (b *Badges) CreateGroupBadge(ctx context.Context, req gen.CreateGroupBadgeRequestObject) (gen.CreateGroupBadgeResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupBadge201JSONResponse(shown), nil
}

// GetGroupBadgesRender renders the URLs of a badge that does not exist yet, with the values of a group.
// GET /groups/{id}/badges/render
func (b *Badges) GetGroupBadgesRender(
	ctx context.Context, req gen.GetGroupBadgesRenderRequestObject,
) (gen.GetGroupBadgesRenderResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.render(ctx, in, req.Params.LinkURL, req.Params.ImageURL)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupBadgesRender200JSONResponse(shown), nil
}

// GetGroupBadge returns a badge of a group.
// GET /groups/{id}/badges/{badge_id}
func (b *Badges) GetGroupBadge(ctx context.Context, req gen.GetGroupBadgeRequestObject) (gen.GetGroupBadgeResponseObject, error) {
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

// UpdateGroupBadge changes a badge of a group.
// PUT /groups/{id}/badges/{badge_id}
func (b *Badges) UpdateGroupBadge(ctx context.Context, req gen.UpdateGroupBadgeRequestObject) (gen.UpdateGroupBadgeResponseObject, error) {
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

// DeleteGroupBadge deletes a badge of a group.
// DELETE /groups/{id}/badges/{badge_id}
func (b *Badges) DeleteGroupBadge(ctx context.Context, req gen.DeleteGroupBadgeRequestObject) (gen.DeleteGroupBadgeResponseObject, error) {
	in, err := b.group(ctx, req.ID, access.AdminGroupBadge)
	if err != nil {
		return nil, err
	}
	if err := b.delete(ctx, in, req.BadgeID, req.Params.IfUnmodifiedSince); err != nil {
		return nil, err
	}
	return gen.DeleteGroupBadge204Response{}, nil
}
