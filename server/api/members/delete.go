package members

import (
	"context"

	"svc/gen"
	"svc/server/domain/member"
	"svc/server/platform/reqctx"
)

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

// remove ends a membership. If below is true, it also ends the memberships in the subgroups and projects.
func (m *Members) remove(ctx context.Context, find finder, userID int64, below bool, unmodifiedSince *string) error {
	own, what := isCaller(ctx, userID), manage
	if own {
		what = leave
	}
	in, err := find(ctx, what)
	if err != nil {
		return err
	}
	return m.members.Remove(ctx, in, member.Removal{
		UserID: userID, Own: own, Below: below, UnchangedSince: reqctx.UnmodifiedSince(unmodifiedSince),
	})
}

// isCaller reports whether a user is the caller.
func isCaller(ctx context.Context, userID int64) bool {
	actor := reqctx.Of(ctx).Actor
	return actor != nil && actor.User.ID == userID
}
