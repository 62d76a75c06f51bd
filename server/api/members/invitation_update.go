package members

import (
	"context"

	"svc/gen"
	"svc/server/domain/member"
	"svc/server/platform/present"
	"svc/store/model"
)

// UpdateGroupInvitation changes the role or the expiry date of an invitation.
// PUT /groups/{id}/invitations/{email}
func (m *Members) UpdateGroupInvitation(
	ctx context.Context, req gen.UpdateGroupInvitationRequestObject,
) (gen.UpdateGroupInvitationResponseObject, error) {
	shown, err := m.updateInvitation(ctx, m.group(req.ID), req.Email, *req.Body)
	return gen.UpdateGroupInvitation200JSONResponse(shown), err
}

// UpdateProjectInvitation changes the role or the expiry date of an invitation.
// PUT /projects/{id}/invitations/{email}
func (m *Members) UpdateProjectInvitation(
	ctx context.Context, req gen.UpdateProjectInvitationRequestObject,
) (gen.UpdateProjectInvitationResponseObject, error) {
	shown, err := m.updateInvitation(ctx, m.project(req.ID), req.Email, *req.Body)
	return gen.UpdateProjectInvitation200JSONResponse(shown), err
}

func (m *Members) updateInvitation(
	ctx context.Context, find finder, address string, b gen.InvitationUpdate,
) (gen.Invitation, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return gen.Invitation{}, err
	}
	row, err := m.members.UpdateInvitation(ctx, in, address, member.InvitationChange{
		Role: (*model.Access)(b.AccessLevel), SetExpiry: b.ExpiresAt.IsSet(), Expires: dayOf(b.ExpiresAt),
	})
	if err != nil {
		return gen.Invitation{}, err
	}
	return present.Invitation(row), nil
}
