package members

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// DeleteGroupInvitation withdraws an invitation.
// DELETE /groups/{id}/invitations/{email}
func (m *Members) DeleteGroupInvitation(
	ctx context.Context, req gen.DeleteGroupInvitationRequestObject,
) (gen.DeleteGroupInvitationResponseObject, error) {
	err := m.deleteInvitation(ctx, m.group(req.ID), req.Email, req.Params.IfUnmodifiedSince)
	return gen.DeleteGroupInvitation204Response{}, err
}

// DeleteProjectInvitation withdraws an invitation.
// DELETE /projects/{id}/invitations/{email}
func (m *Members) DeleteProjectInvitation(
	ctx context.Context, req gen.DeleteProjectInvitationRequestObject,
) (gen.DeleteProjectInvitationResponseObject, error) {
	err := m.deleteInvitation(ctx, m.project(req.ID), req.Email, req.Params.IfUnmodifiedSince)
	return gen.DeleteProjectInvitation204Response{}, err
}

func (m *Members) deleteInvitation(ctx context.Context, find finder, address string, unmodifiedSince *string) error {
	in, err := find(ctx, manage)
	if err != nil {
		return err
	}
	return m.members.DeleteInvitation(ctx, in, address, reqctx.UnmodifiedSince(unmodifiedSince))
}
