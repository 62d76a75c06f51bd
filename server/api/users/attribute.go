package users

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListUserCustomAttributes lists a user's custom attributes by key.
// GET /users/{id}/custom_attributes
func (u *Users) ListUserCustomAttributes(
	ctx context.Context, req gen.ListUserCustomAttributesRequestObject,
) (gen.ListUserCustomAttributesResponseObject, error) {
	if _, err := u.findAsAdmin(ctx, req.ID); err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, u.pages, "UserCustomAttribute", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := u.store.CustomAttributes.List(ctx, req.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListUserCustomAttributes200JSONResponse{
		Body:    present.All(rows, present.CustomAttribute),
		Headers: gen.ListUserCustomAttributes200ResponseHeaders(window.Headers(total)),
	}, nil
}

// GetUserCustomAttribute shows a custom attribute of a user.
// GET /users/{id}/custom_attributes/{key}
func (u *Users) GetUserCustomAttribute(
	ctx context.Context, req gen.GetUserCustomAttributeRequestObject,
) (gen.GetUserCustomAttributeResponseObject, error) {
	if _, err := u.findAsAdmin(ctx, req.ID); err != nil {
		return nil, err
	}
	row, err := u.store.CustomAttributes.Get(ctx, req.ID, req.Key)
	if err != nil {
		return nil, apierr.OrNotFound(err)
	}
	return gen.GetUserCustomAttribute200JSONResponse(present.CustomAttribute(row)), nil
}
