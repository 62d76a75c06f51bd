package members

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"svc/gen"
	"svc/server/domain/account"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
	"svc/store/secret"
)

var invitationKind = pagination.Kind{Name: "Invitation"}

// ListGroupInvitations lists the open invitations of a group.
// GET /groups/{id}/invitations
func (m *Members) ListGroupInvitations(
	ctx context.Context, req gen.ListGroupInvitationsRequestObject,
) (gen.ListGroupInvitationsResponseObject, error) {
	rows, headers, err := m.invitations(ctx, m.group(req.ID), req.Params.Query, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupInvitations200JSONResponse{Body: rows, Headers: gen.ListGroupInvitations200ResponseHeaders(headers)}, nil
}

// ListProjectInvitations lists the open invitations of a project.
// GET /projects/{id}/invitations
func (m *Members) ListProjectInvitations(
	ctx context.Context, req gen.ListProjectInvitationsRequestObject,
) (gen.ListProjectInvitationsResponseObject, error) {
	rows, headers, err := m.invitations(ctx, m.project(req.ID), req.Params.Query, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectInvitations200JSONResponse{Body: rows, Headers: gen.ListProjectInvitations200ResponseHeaders(headers)}, nil
}

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

func (m *Members) invitations(
	ctx context.Context, find finder, query *string, number, size *int64,
) ([]gen.Invitation, pagination.Headers, error) {
	in, err := find(ctx, readApplicants)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	window, err := m.pages.Offset(ctx, invitationKind, number, size)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	part := ""
	if query != nil {
		part = *query
	}
	rows, total, err := m.store.Invitations.List(ctx, in.kind, in.id, part, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	return present.All(rows, present.Invitation), window.Headers(total), nil
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
	row, err := in.newMember(ctx, model.Access(b.AccessLevel), b.ExpiresAt.Ptr())
	if err != nil {
		return gen.MemberBatch{}, err
	}
	refused := map[string]string{}
	for _, address := range addresses {
		if err := recordRefusal(refused, address, explainInvitation(m.inviteAddress(ctx, in, address, row))); err != nil {
			return gen.MemberBatch{}, err
		}
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
	err = m.addEach(ctx, in, ids, people, row, refused)
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

// inviteAddress adds the user who has confirmed the address, or stores an invitation if there is no such user. The
// invitation only has the digest of its random token. Nobody knows the token until mail can deliver it.
func (m *Members) inviteAddress(ctx context.Context, in source, address string, row model.Member) error {
	broken := account.FieldErrors{}
	if account.CheckEmail(broken, "email", address); len(broken) > 0 {
		return apierr.BadParameter("Invite email is invalid")
	}
	return m.store.Tx(ctx, func(ctx context.Context) error {
		i := model.Invitation{
			SourceType: row.SourceType, SourceID: row.SourceID, Email: address, AccessLevel: row.AccessLevel, ExpiresAt: row.ExpiresAt,
			CreatedByID: row.CreatedByID, TokenDigest: secret.Digest(secret.Random()),
		}
		userID, err := m.store.Invitations.Create(ctx, &i)
		if err != nil {
			return err
		}
		if userID == 0 {
			c := in.invitation(address, "invitation_created", "Invited a mail address")
			c.Add = row.AccessLevel.String()
			return events.Audit(ctx, m.store, c)
		}
		row.UserID = userID
		return m.join(ctx, in, &row)
	})
}

func explainInvitation(err error) error {
	var taken *store.ConflictError
	switch {
	case !errors.As(err, &taken):
		return err
	case taken.Constraint == "invitations_source":
		return apierr.BadParameter("Invite email has already been taken")
	}
	return apierr.BadParameter("User already exists in source")
}

func (m *Members) updateInvitation(ctx context.Context, find finder, address string, b gen.InvitationUpdate) (gen.Invitation, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return gen.Invitation{}, err
	}
	set := map[string]any{}
	if b.AccessLevel != nil {
		role := model.Access(*b.AccessLevel)
		if err := in.checkGrant(role); err != nil {
			return gen.Invitation{}, err
		}
		set["access_level"] = role
	}
	if b.ExpiresAt.IsSet() {
		day, err := expiry(b.ExpiresAt.Ptr())
		if err != nil {
			return gen.Invitation{}, err
		}
		set["expires_at"] = day
	}
	if len(set) == 0 {
		return gen.Invitation{}, apierr.BadParameter("access_level, expires_at are missing, at least one parameter must be provided")
	}
	var row model.InvitationRow
	err = events.Audited(ctx, m.store, func(ctx context.Context) (events.Change, error) {
		row, err = m.store.Invitations.Update(ctx, in.kind, in.id, address, in.role, set)
		return in.invitation(address, "invitation_updated", "Changed invitation"), err
	})
	if err != nil {
		return gen.Invitation{}, apierr.OrNotFound(explain(err))
	}
	return present.Invitation(row), nil
}

func (m *Members) deleteInvitation(ctx context.Context, find finder, address string, unmodifiedSince *string) error {
	in, err := find(ctx, manage)
	if err != nil {
		return err
	}
	err = events.Audited(ctx, m.store, func(ctx context.Context) (events.Change, error) {
		err := m.store.Invitations.Delete(ctx, in.kind, in.id, address, in.role, reqctx.UnmodifiedSince(unmodifiedSince))
		return in.invitation(address, "invitation_deleted", "Withdrew invitation"), err
	})
	return apierr.OrNotFound(explain(err))
}
