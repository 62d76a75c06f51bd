package members

import (
	"context"

	"svc/gen"
)

// ListGroupMembers lists the direct members of a group.
// GET /groups/{id}/members
func (m *Members) ListGroupMembers(ctx context.Context, req gen.ListGroupMembersRequestObject) (gen.ListGroupMembersResponseObject, error) {
	p := req.Params
	rows, headers, err := m.list(ctx, m.group(req.ID), listQuery{false, p.Query, p.UserIds, p.Page, p.PerPage})
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMembers200JSONResponse{Body: rows, Headers: gen.ListGroupMembers200ResponseHeaders(headers)}, nil
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
	return gen.ListProjectMembers200JSONResponse{Body: rows, Headers: gen.ListProjectMembers200ResponseHeaders(headers)}, nil
}

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
	return gen.ListGroupMembersAll200JSONResponse{Body: rows, Headers: gen.ListGroupMembersAll200ResponseHeaders(headers)}, nil
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
	return gen.ListProjectMembersAll200JSONResponse{Body: rows, Headers: gen.ListProjectMembersAll200ResponseHeaders(headers)}, nil
}

// GetGroupMember returns a direct member of a group.
// GET /groups/{id}/members/{user_id}
func (m *Members) GetGroupMember(ctx context.Context, req gen.GetGroupMemberRequestObject) (gen.GetGroupMemberResponseObject, error) {
	shown, err := m.get(ctx, m.group(req.ID), req.UserID, false)
	return gen.GetGroupMember200JSONResponse(shown), err
}

// GetProjectMember returns a direct member of a project.
// GET /projects/{id}/members/{user_id}
func (m *Members) GetProjectMember(ctx context.Context, req gen.GetProjectMemberRequestObject) (gen.GetProjectMemberResponseObject, error) {
	shown, err := m.get(ctx, m.project(req.ID), req.UserID, false)
	return gen.GetProjectMember200JSONResponse(shown), err
}

// GetGroupMembersAll returns a member of a group or of a group above.
// GET /groups/{id}/members/all/{user_id}
func (m *Members) GetGroupMembersAll(
	ctx context.Context, req gen.GetGroupMembersAllRequestObject,
) (gen.GetGroupMembersAllResponseObject, error) {
	shown, err := m.get(ctx, m.group(req.ID), req.UserID, true)
	return gen.GetGroupMembersAll200JSONResponse(shown), err
}

// GetProjectMembersAll returns a member of a project or of its groups.
// GET /projects/{id}/members/all/{user_id}
func (m *Members) GetProjectMembersAll(
	ctx context.Context, req gen.GetProjectMembersAllRequestObject,
) (gen.GetProjectMembersAllResponseObject, error) {
	shown, err := m.get(ctx, m.project(req.ID), req.UserID, true)
	return gen.GetProjectMembersAll200JSONResponse(shown), err
}

// CreateGroupMember adds one user to a group, or several separated by commas.
// POST /groups/{id}/members
func (m *Members) CreateGroupMember(
	ctx context.Context, req gen.CreateGroupMemberRequestObject,
) (gen.CreateGroupMemberResponseObject, error) {
	body, err := m.create(ctx, m.group(req.ID), *req.Body)
	return created{body}, err
}

// CreateProjectMember adds one user to a project, or several separated by commas.
// POST /projects/{id}/members
func (m *Members) CreateProjectMember(
	ctx context.Context, req gen.CreateProjectMemberRequestObject,
) (gen.CreateProjectMemberResponseObject, error) {
	body, err := m.create(ctx, m.project(req.ID), *req.Body)
	return created{body}, err
}

// UpdateGroupMember changes the role or the expiry date of a member.
// PUT /groups/{id}/members/{user_id}
func (m *Members) UpdateGroupMember(
	ctx context.Context, req gen.UpdateGroupMemberRequestObject,
) (gen.UpdateGroupMemberResponseObject, error) {
	shown, err := m.update(ctx, m.group(req.ID), req.UserID, *req.Body)
	return gen.UpdateGroupMember200JSONResponse(shown), err
}

// UpdateProjectMember changes the role or the expiry date of a member.
// PUT /projects/{id}/members/{user_id}
func (m *Members) UpdateProjectMember(
	ctx context.Context, req gen.UpdateProjectMemberRequestObject,
) (gen.UpdateProjectMemberResponseObject, error) {
	shown, err := m.update(ctx, m.project(req.ID), req.UserID, *req.Body)
	return gen.UpdateProjectMember200JSONResponse(shown), err
}

// DeleteGroupMember removes a member from a group, and by default from its subgroups and projects. Users can remove
// themselves.
// DELETE /groups/{id}/members/{user_id}
func (m *Members) DeleteGroupMember(
	ctx context.Context, req gen.DeleteGroupMemberRequestObject,
) (gen.DeleteGroupMemberResponseObject, error) {
	skip := req.Params.SkipSubresources
	err := m.remove(ctx, m.group(req.ID), req.UserID, skip == nil || !*skip, req.Params.IfUnmodifiedSince)
	return gen.DeleteGroupMember204Response{}, err
}

// DeleteProjectMember removes a member from a project. Users can remove themselves.
// DELETE /projects/{id}/members/{user_id}
func (m *Members) DeleteProjectMember(
	ctx context.Context, req gen.DeleteProjectMemberRequestObject,
) (gen.DeleteProjectMemberResponseObject, error) {
	err := m.remove(ctx, m.project(req.ID), req.UserID, false, req.Params.IfUnmodifiedSince)
	return gen.DeleteProjectMember204Response{}, err
}
