package members

import (
	"context"
	"slices"
	"strings"

	"svc/gen"
	"svc/server/domain/member/role"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// rolesOfGroup finds a top-level group whose custom roles the caller may manage.
func (m *Members) rolesOfGroup(ctx context.Context, ref string) (*model.Namespace, error) {
	group, _, err := m.access.Group(ctx, ref, access.AdminGroupMemberRole)
	if err == nil && group.ParentID != nil {
		err = apierr.Refused("Only top-level groups have custom roles")
	}
	return &group, err
}

// listRoles returns one page of the custom roles of a group or, for nil, of the instance.
func (m *Members) listRoles(
	ctx context.Context, group *model.Namespace, number, size *int64, paging *gen.Pagination,
) ([]gen.MemberRole, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, m.pages, "MemberRole", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := m.store.MemberRoles.List(ctx, idOf(group), window.Page)
	return present.All(rows, present.MemberRole), window.Headers(total), err
}

func idOf(group *model.Namespace) *int64 {
	if group == nil {
		return nil
	}
	return &group.ID
}

// createRole creates a custom role of a group or, for nil, of the instance.
func (m *Members) createRole(ctx context.Context, group *model.Namespace, b gen.MemberRoleCreate) (gen.MemberRole, error) {
	wanted, refused := permissionsOf(b)
	if len(refused) > 0 {
		slices.Sort(refused)
		return gen.MemberRole{}, apierr.Refused("These permissions are not supported: " + strings.Join(refused, ", "))
	}
	made, err := m.roles.Create(ctx, group, role.Settings{
		Name: b.Name, Description: b.Description, Base: model.Access(b.BaseAccessLevel), Permissions: wanted,
	})
	return present.MemberRole(made), err
}

// deleteRole deletes a custom role of a group or, for nil, of the instance.
func (m *Members) deleteRole(ctx context.Context, group *model.Namespace, id int64, unmodifiedSince *string) error {
	row, err := m.store.MemberRoles.Get(ctx, idOf(group), id)
	if err != nil {
		return apierr.OrNotFound(err)
	}
	return m.roles.Delete(ctx, group, row, reqctx.UnmodifiedSince(unmodifiedSince))
}

// ListMemberRoles lists the custom roles of the instance.
// GET /member_roles
func (m *Members) ListMemberRoles(ctx context.Context, req gen.ListMemberRolesRequestObject) (gen.ListMemberRolesResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminMemberRole); err != nil {
		return nil, err
	}
	rows, headers, err := m.listRoles(ctx, nil, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListMemberRoles200JSONResponse{Body: rows, Headers: gen.ListMemberRoles200ResponseHeaders(headers)}, nil
}

// CreateMemberRole creates a custom role of the instance.
// POST /member_roles
func (m *Members) CreateMemberRole(ctx context.Context, req gen.CreateMemberRoleRequestObject) (gen.CreateMemberRoleResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminMemberRole); err != nil {
		return nil, err
	}
	shown, err := m.createRole(ctx, nil, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateMemberRole201JSONResponse(shown), nil
}

// DeleteMemberRole deletes a custom role of the instance.
// DELETE /member_roles/{member_role_id}
func (m *Members) DeleteMemberRole(ctx context.Context, req gen.DeleteMemberRoleRequestObject) (gen.DeleteMemberRoleResponseObject, error) {
	if _, err := access.Allow(ctx, access.AdminMemberRole); err != nil {
		return nil, err
	}
	err := m.deleteRole(ctx, nil, req.MemberRoleID, req.Params.IfUnmodifiedSince)
	return gen.DeleteMemberRole204Response{}, err
}

// ListGroupMemberRoles lists the custom roles of a group.
// GET /groups/{id}/member_roles
func (m *Members) ListGroupMemberRoles(
	ctx context.Context, req gen.ListGroupMemberRolesRequestObject,
) (gen.ListGroupMemberRolesResponseObject, error) {
	group, err := m.rolesOfGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.listRoles(ctx, group, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMemberRoles200JSONResponse{Body: rows, Headers: gen.ListGroupMemberRoles200ResponseHeaders(headers)}, nil
}

// CreateGroupMemberRole creates a custom role of a group.
// POST /groups/{id}/member_roles
func (m *Members) CreateGroupMemberRole(
	ctx context.Context, req gen.CreateGroupMemberRoleRequestObject,
) (gen.CreateGroupMemberRoleResponseObject, error) {
	group, err := m.rolesOfGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	shown, err := m.createRole(ctx, group, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupMemberRole201JSONResponse(shown), nil
}

// DeleteGroupMemberRole deletes a custom role of a group.
// DELETE /groups/{id}/member_roles/{member_role_id}
func (m *Members) DeleteGroupMemberRole(
	ctx context.Context, req gen.DeleteGroupMemberRoleRequestObject,
) (gen.DeleteGroupMemberRoleResponseObject, error) {
	group, err := m.rolesOfGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	err = m.deleteRole(ctx, group, req.MemberRoleID, req.Params.IfUnmodifiedSince)
	return gen.DeleteGroupMemberRole204Response{}, err
}
