package members

import (
	"context"

	"svc/gen"
	"svc/server/platform/reqctx"
)

// DeleteGroupAccessRequest denies an access request. Users can withdraw their own request.
// DELETE /groups/{id}/access_requests/{user_id}
func (m *Members) DeleteGroupAccessRequest(
	ctx context.Context, req gen.DeleteGroupAccessRequestRequestObject,
) (gen.DeleteGroupAccessRequestResponseObject, error) {
	err := m.deny(ctx, m.group(req.ID), req.UserID, req.Params.IfUnmodifiedSince)
	return gen.DeleteGroupAccessRequest204Response{}, err
}

// DeleteProjectAccessRequest denies an access request. Users can withdraw their own request.
// DELETE /projects/{id}/access_requests/{user_id}
func (m *Members) DeleteProjectAccessRequest(
	ctx context.Context, req gen.DeleteProjectAccessRequestRequestObject,
) (gen.DeleteProjectAccessRequestResponseObject, error) {
	err := m.deny(ctx, m.project(req.ID), req.UserID, req.Params.IfUnmodifiedSince)
	return gen.DeleteProjectAccessRequest204Response{}, err
}

// deny deletes an access request.
func (m *Members) deny(ctx context.Context, find finder, userID int64, unmodifiedSince *string) error {
	what := manage
	if isCaller(ctx, userID) {
		what = ask
	}
	in, err := find(ctx, what)
	if err != nil {
		return err
	}
	return m.members.Deny(ctx, in, userID, reqctx.UnmodifiedSince(unmodifiedSince))
}
