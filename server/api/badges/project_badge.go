package badges

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ListProjectBadges lists the badges of a project.
// GET /projects/{id}/badges
func (b *Badges) ListProjectBadges(
	ctx context.Context, req gen.ListProjectBadgesRequestObject,
) (gen.ListProjectBadgesResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.ReadBadge)
	if err != nil {
		return nil, err
	}
	rows, headers, err := b.list(ctx, in, req.Params.Name, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectBadges200JSONResponse{Body: rows, Headers: gen.ListProjectBadges200ResponseHeaders(headers)}, nil
}

// CreateProjectBadge creates a badge in a project.
// POST /projects/{id}/badges
func (b *Badges) CreateProjectBadge(
	ctx context.Context, req gen.CreateProjectBadgeRequestObject,
) (gen.CreateProjectBadgeResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectBadge201JSONResponse(shown), nil
}

// GetProjectBadgesRender renders the URLs of a badge that does not exist yet, with the values of a project.
// GET /projects/{id}/badges/render
func (b *Badges) GetProjectBadgesRender(
	ctx context.Context, req gen.GetProjectBadgesRenderRequestObject,
) (gen.GetProjectBadgesRenderResponseObject, error) {
	in, err := b.project(ctx, req.ID, access.AdminBadge)
	if err != nil {
		return nil, err
	}
	shown, err := b.render(ctx, in, req.Params.LinkURL, req.Params.ImageURL)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectBadgesRender200JSONResponse(shown), nil
}

// GetProjectBadge returns a badge of a project.
// GET /projects/{id}/badges/{badge_id}
func (b *Badges) GetProjectBadge(ctx context.Context, req gen.GetProjectBadgeRequestObject) (gen.GetProjectBadgeResponseObject, error) {
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
