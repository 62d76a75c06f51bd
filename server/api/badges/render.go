package badges

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
	"svc/store/model"
)

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

func (b *Badges) render(ctx context.Context, in owner, link, image string) (gen.BadgeRender, error) {
	row := model.Badge{LinkURL: link, ImageURL: image}
	if err := checkURLs(row); err != nil {
		return gen.BadgeRender{}, err
	}
	values, err := b.placeholders(ctx, in, row)
	return present.BadgeRender(values, row), err
}
