package members

import (
	"context"
	"slices"
	"strings"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/member"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/model"
)

// billableGroup finds a top-level group whose billable members the caller may manage.
func (m *Members) billableGroup(ctx context.Context, ref string) (member.Source, error) {
	g, role, err := m.access.Group(ctx, ref, access.AdminBillableMember)
	if err == nil && g.ParentID != nil {
		err = apierr.Refused("Only top-level groups have billable members")
	}
	return member.Source{
		Type: model.SourceGroup, ID: g.ID, Role: role, RequestAccessEnabled: g.RequestAccessEnabled, Path: g.FullPath,
	}, err
}

// ListGroupBillableMembers lists the people who take part in a group.
// GET /groups/{id}/billable_members
func (m *Members) ListGroupBillableMembers(
	ctx context.Context, req gen.ListGroupBillableMembersRequestObject,
) (gen.ListGroupBillableMembersResponseObject, error) {
	in, err := m.billableGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "BillableMember", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	f := store.BillableFilter{Search: wire.Value(req.Params.Search), Order: "name"}
	sort := string(wire.Value(req.Params.Sort))
	f.Desc = strings.HasSuffix(sort, "_desc")
	if strings.HasPrefix(sort, "last_activity_on") {
		f.Order = "last_activity_on"
	}
	rows, total, err := m.store.Members.ListBillable(ctx, in.ID, f, window.Page)
	if err != nil {
		return nil, err
	}
	owners, err := m.store.Members.OwnersOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	reader := access.Reader(ctx)
	shown := present.All(rows, func(row model.BillableMember) gen.BillableMember {
		last := len(owners) == 1 && slices.Contains(owners, row.UserID)
		return m.show.BillableMember(row, last, reader != nil && reader.Admin)
	})
	return gen.ListGroupBillableMembers200JSONResponse{
		Body: shown, Headers: gen.ListGroupBillableMembers200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListGroupBillableMemberMemberships lists the memberships of a user in a group, its subgroups and its projects.
// GET /groups/{id}/billable_members/{user_id}/memberships
func (m *Members) ListGroupBillableMemberMemberships(
	ctx context.Context, req gen.ListGroupBillableMemberMembershipsRequestObject,
) (gen.ListGroupBillableMemberMembershipsResponseObject, error) {
	in, err := m.billableGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, m.pages, "Member", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	if _, err := m.members.Billable(ctx, in, req.UserID); err != nil {
		return nil, err
	}
	rows, total, err := m.store.Members.ListBelow(ctx, in.ID, req.UserID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupBillableMemberMemberships200JSONResponse{
		Body:    present.All(rows, m.show.BillableMembership),
		Headers: gen.ListGroupBillableMemberMemberships200ResponseHeaders(window.Headers(total)),
	}, nil
}

// DeleteGroupBillableMember removes a user from a group, its subgroups and its projects.
// DELETE /groups/{id}/billable_members/{user_id}
func (m *Members) DeleteGroupBillableMember(
	ctx context.Context, req gen.DeleteGroupBillableMemberRequestObject,
) (gen.DeleteGroupBillableMemberResponseObject, error) {
	in, err := m.billableGroup(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupBillableMember204Response{}, m.members.RemoveEverywhere(ctx, in, req.UserID)
}
