package members

import (
	"context"

	"svc/gen"
)

// CreateGroupAccessRequest requests access to a group for the caller.
// POST /groups/{id}/access_requests
func (m *Members) CreateGroupAccessRequest(
	ctx context.Context, req gen.CreateGroupAccessRequestRequestObject,
) (gen.CreateGroupAccessRequestResponseObject, error) {
	shown, err := m.ask(ctx, m.group(req.ID))
	return gen.CreateGroupAccessRequest201JSONResponse(shown), err
}

// CreateProjectAccessRequest requests access to a project for the caller.
// POST /projects/{id}/access_requests
func (m *Members) CreateProjectAccessRequest(
	ctx context.Context, req gen.CreateProjectAccessRequestRequestObject,
) (gen.CreateProjectAccessRequestResponseObject, error) {
	shown, err := m.ask(ctx, m.project(req.ID))
	return gen.CreateProjectAccessRequest201JSONResponse(shown), err
}

// ask requests access for the caller.
func (m *Members) ask(ctx context.Context, find finder) (gen.AccessRequest, error) {
	in, err := find(ctx, ask)
	if err != nil {
		return gen.AccessRequest{}, err
	}
	row, err := m.members.RequestAccess(ctx, in)
	if err != nil {
		return gen.AccessRequest{}, err
	}
	return m.show.AccessRequest(row), nil
}
