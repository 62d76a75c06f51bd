package members

import (
	"context"

	"svc/gen"
)

// ListGroupMembersAll lists the members of a group, including those of the groups above.
// GET /groups/{id}/members/all
func (m *Members) ListGroupMembersAll(
	ctx context.Context, req gen.ListGroupMembersAllRequestObject,
) (gen.ListGroupMembersAllResponseObject, error) {
	p := req.Params
	rows, headers, err := m.list(ctx, m.group(req.ID), listQuery{true, p.Query, p.UserIds, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMembersAll200JSONResponse{
		Body: rows, Headers: gen.ListGroupMembersAll200ResponseHeaders(headers),
	}, nil
}

// ListProjectMembersAll lists the members of a project, including those of its groups.
// GET /projects/{id}/members/all
func (m *Members) ListProjectMembersAll(
	ctx context.Context, req gen.ListProjectMembersAllRequestObject,
) (gen.ListProjectMembersAllResponseObject, error) {
	p := req.Params
	rows, headers, err := m.list(ctx, m.project(req.ID), listQuery{true, p.Query, p.UserIds, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMembersAll200JSONResponse{
		Body: rows, Headers: gen.ListProjectMembersAll200ResponseHeaders(headers),
	}, nil
}
