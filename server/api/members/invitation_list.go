package members

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

var invitationKind = pagination.Kind{Name: "Invitation"}

// ListGroupInvitations lists the open invitations of a group.
// GET /groups/{id}/invitations
func (m *Members) ListGroupInvitations(
	ctx context.Context, req gen.ListGroupInvitationsRequestObject,
) (gen.ListGroupInvitationsResponseObject, error) {
	rows, headers, err := m.invitations(ctx, m.group(req.ID), req.Params.Query, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupInvitations200JSONResponse{
		Body: rows, Headers: gen.ListGroupInvitations200ResponseHeaders(headers),
	}, nil
}

// ListProjectInvitations lists the open invitations of a project.
// GET /projects/{id}/invitations
func (m *Members) ListProjectInvitations(
	ctx context.Context, req gen.ListProjectInvitationsRequestObject,
) (gen.ListProjectInvitationsResponseObject, error) {
	rows, headers, err := m.invitations(ctx, m.project(req.ID), req.Params.Query, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectInvitations200JSONResponse{
		Body: rows, Headers: gen.ListProjectInvitations200ResponseHeaders(headers),
	}, nil
}

func (m *Members) invitations(
	ctx context.Context, find finder, query *string, number, size *int64,
) ([]gen.Invitation, pagination.Headers, error) {
	in, err := find(ctx, readApplicants)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.pages.Offset(ctx, invitationKind, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.Invitations.List(ctx, in.Type, in.ID, wire.Value(query), window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, present.Invitation), window.Headers(total), nil
}
