package members

import (
	"context"

	"svc/gen"
	"svc/server/domain/member"
	"svc/server/platform/apierr"
	"svc/server/platform/reqctx"
)

// GetGroupMember returns a direct member of a group.
// GET /groups/{id}/members/{user_id}
func (m *Members) GetGroupMember(
	ctx context.Context, req gen.GetGroupMemberRequestObject,
) (gen.GetGroupMemberResponseObject, error) {
	shown, err := m.get(ctx, m.group(req.ID), req.UserID, false)
	return gen.GetGroupMember200JSONResponse(shown), err
}

// GetProjectMember returns a direct member of a project.
// GET /projects/{id}/members/{user_id}
func (m *Members) GetProjectMember(
	ctx context.Context, req gen.GetProjectMemberRequestObject,
) (gen.GetProjectMemberResponseObject, error) {
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

func (m *Members) get(ctx context.Context, find finder, userID int64, inherited bool) (gen.Member, error) {
	in, err := find(ctx, read)
	if err != nil {
		return gen.Member{}, err
	}
	return m.shown(ctx, in, userID, inherited)
}

// shown reads a member and presents it.
func (m *Members) shown(ctx context.Context, in member.Source, userID int64, inherited bool) (gen.Member, error) {
	row, err := m.store.Members.Get(ctx, in.Filter(inherited), userID)
	if err != nil {
		return gen.Member{}, apierr.OrNotFound(err)
	}
	return m.show.Member(seesEmail(ctx))(row), nil
}

// seesEmail reports whether the caller can see the email addresses of members. Only administrators can.
func seesEmail(ctx context.Context) bool {
	actor := reqctx.Of(ctx).Actor
	return actor != nil && actor.User.Admin
}
