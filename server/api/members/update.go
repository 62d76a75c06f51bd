package members

import (
	"context"
	"time"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/member"
	"svc/store/model"
)

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

func (m *Members) update(ctx context.Context, find finder, userID int64, b gen.MemberUpdate) (gen.Member, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return gen.Member{}, err
	}
	change := member.Change{
		Role: model.Access(b.AccessLevel), SetExpiry: b.ExpiresAt.IsSet(), Expires: dayOf(b.ExpiresAt),
		SetRole: b.MemberRoleID.IsSet(), RoleID: b.MemberRoleID.Ptr(),
	}
	if err := m.members.Update(ctx, in, userID, change); err != nil {
		return gen.Member{}, err
	}
	return m.shown(ctx, in, userID, false)
}

// dayOf returns the date of an optional field, or nil if it is absent or null.
func dayOf(d wire.Optional[wire.Date]) *time.Time {
	if d.Ptr() == nil {
		return nil
	}
	return &d.Ptr().Time
}
