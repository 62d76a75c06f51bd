package members

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/present"
)

// ListUserMemberships lists the groups and projects in which a user is a direct member.
// GET /users/{id}/memberships
func (m *Members) ListUserMemberships(
	ctx context.Context, req gen.ListUserMembershipsRequestObject,
) (gen.ListUserMembershipsResponseObject, error) {
	if _, err := access.Allow(ctx, access.ReadUserMembership); err != nil {
		return nil, err
	}
	user, err := m.store.Users.Get(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := m.pages.Offset(ctx, kind, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	only := ""
	if req.Params.Type != nil {
		only = string(*req.Params.Type)
	}
	rows, total, err := m.store.Members.ListByUser(ctx, user.ID, only, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListUserMemberships200JSONResponse{
		Body:    present.All(rows, present.Membership),
		Headers: gen.ListUserMemberships200ResponseHeaders(window.Headers(total)),
	}, nil
}
