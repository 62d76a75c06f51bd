package members

import (
	"context"
	"slices"
	"strconv"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// CreateGroupInvitation invites email addresses to a group. It adds users who have such an address right away.
// POST /groups/{id}/invitations
func (m *Members) CreateGroupInvitation(
	ctx context.Context, req gen.CreateGroupInvitationRequestObject,
) (gen.CreateGroupInvitationResponseObject, error) {
	came, err := m.invite(ctx, m.group(req.ID), *req.Body)
	return gen.CreateGroupInvitation201JSONResponse(came), err
}

// CreateProjectInvitation invites email addresses to a project. It adds users who have such an address right away.
// POST /projects/{id}/invitations
func (m *Members) CreateProjectInvitation(
	ctx context.Context, req gen.CreateProjectInvitationRequestObject,
) (gen.CreateProjectInvitationResponseObject, error) {
	came, err := m.invite(ctx, m.project(req.ID), *req.Body)
	return gen.CreateProjectInvitation201JSONResponse(came), err
}

// invite invites each address and adds each user separately, so that one refusal does not affect the others.
func (m *Members) invite(ctx context.Context, find finder, b gen.InvitationCreate) (gen.MemberBatch, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return gen.MemberBatch{}, err
	}
	addresses, ids, err := invited(b)
	if err != nil {
		return gen.MemberBatch{}, err
	}
	row, err := in.NewMember(ctx, model.Access(b.AccessLevel), dayOf(b.ExpiresAt))
	if err != nil {
		return gen.MemberBatch{}, err
	}
	refused := map[string]string{}
	if err := m.members.InviteEach(ctx, in, addresses, row, refused); err != nil {
		return gen.MemberBatch{}, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		_, err := strconv.ParseInt(id, 10, 64)
		if err != nil {
			refused[id] = "user_id is invalid"
		}
		return err != nil
	})
	people, err := m.findUsers(ctx, ids, true)
	if err != nil {
		return gen.MemberBatch{}, err
	}
	err = m.members.AddEach(ctx, in, ids, people, row, refused)
	return batch(refused), err
}

// invited returns the email addresses and the user IDs in the request.
func invited(b gen.InvitationCreate) (addresses, ids []string, err error) {
	if b.Email == nil && b.UserID == nil {
		return nil, nil, apierr.BadParameter("email, user_id are missing, at least one parameter must be provided")
	}
	if b.Email != nil {
		if addresses, err = checkCount("email", *b.Email); err != nil {
			return nil, nil, err
		}
	}
	if b.UserID != nil {
		ids, err = checkCount("user_id", *b.UserID)
	}
	return addresses, ids, err
}
