package members

import (
	"context"

	"svc/gen"
	"svc/server/access"
	"svc/server/apierr"
	"svc/server/page"
	"svc/server/present"
	"svc/server/request"
	"svc/store"
	"svc/store/model"
)

var kind = page.Kind{Name: "Member"}

// ListGroupMembers lists those who were added to the group itself.
// GET /groups/{id}/members
func (m *Members) ListGroupMembers(ctx context.Context, req gen.ListGroupMembersRequestObject) (gen.ListGroupMembersResponseObject, error) {
	p := req.Params
	rows, headers, err := m.list(ctx, req.ID, false, p.Query, p.UserIds, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMembers200JSONResponse{Body: rows, Headers: gen.ListGroupMembers200ResponseHeaders(headers)}, nil
}

// ListGroupMembersAll lists also those of the groups above.
// GET /groups/{id}/members/all
func (m *Members) ListGroupMembersAll(ctx context.Context, req gen.ListGroupMembersAllRequestObject) (gen.ListGroupMembersAllResponseObject, error) {
	p := req.Params
	rows, headers, err := m.list(ctx, req.ID, true, p.Query, p.UserIds, p.Page, p.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMembersAll200JSONResponse{Body: rows, Headers: gen.ListGroupMembersAll200ResponseHeaders(headers)}, nil
}

func (m *Members) list(ctx context.Context, ref string, inherited bool, query *string, userIDs *[]int64, number, size *int64) ([]gen.Member, page.Headers, error) {
	group, _, err := m.access.Group(ctx, ref, access.ReadGroupMember)
	if err != nil {
		return nil, page.Headers{}, err
	}
	window, err := m.pages.Offset(ctx, kind, number, size)
	if err != nil {
		return nil, page.Headers{}, err
	}
	f := of(group, inherited)
	if query != nil {
		f.Query = *query
	}
	if userIDs != nil {
		f.UserIDs = *userIDs
	}
	rows, total, err := m.store.Members.List(ctx, f, window.Page)
	if err != nil {
		return nil, page.Headers{}, err
	}
	return present.All(rows, m.show.Member(seesEmail(ctx))), window.Headers(total), nil
}

// GetGroupMember shows a member of the group itself.
// GET /groups/{id}/members/{user_id}
func (m *Members) GetGroupMember(ctx context.Context, req gen.GetGroupMemberRequestObject) (gen.GetGroupMemberResponseObject, error) {
	row, err := m.get(ctx, req.ID, req.UserID, false)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupMember200JSONResponse(row), nil
}

// GetGroupMembersAll shows a member, also one of the groups above.
// GET /groups/{id}/members/all/{user_id}
func (m *Members) GetGroupMembersAll(ctx context.Context, req gen.GetGroupMembersAllRequestObject) (gen.GetGroupMembersAllResponseObject, error) {
	row, err := m.get(ctx, req.ID, req.UserID, true)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupMembersAll200JSONResponse(row), nil
}

func (m *Members) get(ctx context.Context, ref string, userID int64, inherited bool) (gen.Member, error) {
	group, _, err := m.access.Group(ctx, ref, access.ReadGroupMember)
	if err != nil {
		return gen.Member{}, err
	}
	row, err := m.store.Members.Get(ctx, of(group, inherited), userID)
	if err != nil {
		return gen.Member{}, missing(err)
	}
	return m.show.Member(seesEmail(ctx))(row), nil
}

// UpdateGroupMember changes a member's role or expiry.
// PUT /groups/{id}/members/{user_id}
func (m *Members) UpdateGroupMember(ctx context.Context, req gen.UpdateGroupMemberRequestObject) (gen.UpdateGroupMemberResponseObject, error) {
	group, _, err := m.access.Group(ctx, req.ID, access.AdminGroupMember)
	if err != nil {
		return nil, err
	}
	set := map[string]any{"access_level": model.Access(req.Body.AccessLevel)}
	if req.Body.ExpiresAt.IsSet() {
		day, err := expiry(req.Body.ExpiresAt.Ptr())
		if err != nil {
			return nil, err
		}
		set["expires_at"] = day
	}
	if err := m.store.Members.Update(ctx, model.SourceGroup, group.ID, req.UserID, set); err != nil {
		return nil, missing(explain(err))
	}
	row, err := m.store.Members.Get(ctx, of(group, false), req.UserID)
	if err != nil {
		return nil, missing(err)
	}
	return gen.UpdateGroupMember200JSONResponse(m.show.Member(seesEmail(ctx))(row)), nil
}

// DeleteGroupMember removes a member; everybody may remove themselves.
// DELETE /groups/{id}/members/{user_id}
func (m *Members) DeleteGroupMember(ctx context.Context, req gen.DeleteGroupMemberRequestObject) (gen.DeleteGroupMemberResponseObject, error) {
	ability := access.AdminGroupMember
	if actor := request.Of(ctx).Actor; actor != nil && actor.User.ID == req.UserID {
		ability = access.LeaveGroup
	}
	group, _, err := m.access.Group(ctx, req.ID, ability)
	if err != nil {
		return nil, err
	}
	since := request.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := m.store.Members.Remove(ctx, model.SourceGroup, group.ID, req.UserID, since); err != nil {
		return nil, missing(explain(err))
	}
	return gen.DeleteGroupMember204Response{}, nil
}

func of(group model.Namespace, inherited bool) store.MemberFilter {
	return store.MemberFilter{SourceType: model.SourceGroup, SourceID: group.ID, Inherited: inherited}
}

// seesEmail: addresses of members are shown to administrators.
func seesEmail(ctx context.Context) bool {
	actor := request.Of(ctx).Actor
	return actor != nil && actor.User.Admin
}

// missing is a member who is not there, in a group that is.
func missing(err error) error {
	if store.IsNotFound(err) {
		return apierr.RecordNotFound()
	}
	return err
}
