package badges

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
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

// ListGroupBadges lists the badges of a group.
// GET /groups/{id}/badges
func (b *Badges) ListGroupBadges(
	ctx context.Context, req gen.ListGroupBadgesRequestObject,
) (gen.ListGroupBadgesResponseObject, error) {
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

func (b *Badges) list(
	ctx context.Context, in owner, name *string, number, size *int64, paging *gen.Pagination,
) ([]gen.Badge, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, b.pages, "Badge", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := b.store.Badges.List(ctx, in.ResourceOwner, name, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	values, err := b.placeholders(ctx, in, rows...)
	return present.All(rows, present.Badge(values)), window.Headers(total), err
}
