package members

import (
	"context"

	"svc/gen"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

// ListGroupMembers lists the direct members of a group.
// GET /groups/{id}/members
func (m *Members) ListGroupMembers(
	ctx context.Context, req gen.ListGroupMembersRequestObject,
) (gen.ListGroupMembersResponseObject, error) {
	p := req.Params
	rows, headers, err := m.list(ctx, m.group(req.ID), listQuery{false, p.Query, p.UserIds, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMembers200JSONResponse{
		Body: rows, Headers: gen.ListGroupMembers200ResponseHeaders(headers),
	}, nil
}

// ListProjectMembers lists the direct members of a project.
// GET /projects/{id}/members
func (m *Members) ListProjectMembers(
	ctx context.Context, req gen.ListProjectMembersRequestObject,
) (gen.ListProjectMembersResponseObject, error) {
	p := req.Params
	rows, headers, err := m.list(ctx, m.project(req.ID), listQuery{false, p.Query, p.UserIds, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMembers200JSONResponse{
		Body: rows, Headers: gen.ListProjectMembers200ResponseHeaders(headers),
	}, nil
}

var kind = pagination.Kind{Name: "Member"}

// listQuery holds the filter and the pagination parameters of a list of members.
type listQuery struct {
	inherited    bool
	query        *string
	userIDs      *[]int64
	number, size *int64
}

// list returns one page of the members of a group or project.
func (m *Members) list(ctx context.Context, find finder, w listQuery) ([]gen.Member, pagination.Headers, error) {
	in, err := find(ctx, read)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.pages.Offset(ctx, kind, w.number, w.size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	f := in.Filter(w.inherited)
	if w.query != nil {
		f.Query = *w.query
	}
	if w.userIDs != nil {
		f.UserIDs = *w.userIDs
	}
	rows, total, err := m.store.Members.List(ctx, f, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, m.show.Member(seesEmail(ctx))), window.Headers(total), nil
}
