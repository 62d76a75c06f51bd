package members

import (
	"context"

	"svc/gen"
	"svc/server/platform/apierr"
	"svc/store/model"
)

// CreateGroupMember adds one user to a group, or several separated by commas.
// POST /groups/{id}/members
func (m *Members) CreateGroupMember(
	ctx context.Context, req gen.CreateGroupMemberRequestObject,
) (gen.CreateGroupMemberResponseObject, error) {
	body, err := m.create(ctx, m.group(req.ID), *req.Body)
	return created{body}, err
}

// CreateProjectMember adds one user to a project, or several separated by commas.
// POST /projects/{id}/members
func (m *Members) CreateProjectMember(
	ctx context.Context, req gen.CreateProjectMemberRequestObject,
) (gen.CreateProjectMemberResponseObject, error) {
	body, err := m.create(ctx, m.project(req.ID), *req.Body)
	return created{body}, err
}

// create adds one or several users. The response for one user is the member; the response for several is the result for
// each user.
func (m *Members) create(ctx context.Context, find finder, b gen.MemberCreate) (any, error) {
	in, err := find(ctx, manage)
	if err != nil {
		return nil, err
	}
	names, err := userRefs(b)
	if err != nil {
		return nil, err
	}
	row, err := in.NewMember(ctx, model.Access(b.AccessLevel), dayOf(b.ExpiresAt))
	if err != nil {
		return nil, err
	}
	if b.MemberRoleID != nil {
		if err := m.members.CheckRole(ctx, in, *b.MemberRoleID, row.AccessLevel); err != nil {
			return nil, err
		}
		row.MemberRoleID = b.MemberRoleID
	}
	people, err := m.findUsers(ctx, names, b.UserID != nil)
	if err != nil {
		return nil, err
	}
	if len(names) > 1 {
		refused := map[string]string{}
		err := m.members.AddEach(ctx, in, names, people, row, refused)
		return batch(refused), err
	}
	u, found := people[names[0]]
	if !found {
		return nil, apierr.NotFound("User")
	}
	if err := m.members.Add(ctx, in, u, row); err != nil {
		return nil, err
	}
	return m.shown(ctx, in, u.ID, false)
}
