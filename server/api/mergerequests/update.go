package mergerequests

import (
	"context"
	"errors"
	"slices"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
	"svc/store/model"
)

// UpdateProjectMergeRequest changes a merge request.
// PUT /projects/{id}/merge_requests/{merge_request_iid}
func (m *MergeRequests) UpdateProjectMergeRequest(
	ctx context.Context, req gen.UpdateProjectMergeRequestRequestObject,
) (gen.UpdateProjectMergeRequestResponseObject, error) {
	row, found, err := m.findForUpdate(ctx, req.ID, req.MergeRequestIid)
	if err != nil {
		return nil, err
	}
	if err := m.change(ctx, row, found, *req.Body); err != nil {
		return nil, err
	}
	shown, err := m.show.One(ctx, row, found.IID)
	return gen.UpdateProjectMergeRequest200JSONResponse(shown.Body()), err
}

// findForUpdate finds a merge request that the caller may change.
func (m *MergeRequests) findForUpdate(ctx context.Context, project string, iid int64) (model.ProjectRow, model.MergeRequest, error) {
	row, found, err := m.find(ctx, project, iid, access.UpdateMergeRequest)
	if err == nil {
		err = m.checkMayChange(ctx, row, found)
	}
	return row, found, err
}

// checkMayChange refuses callers who may not change a merge request. Developers, the author and the assignees may.
func (m *MergeRequests) checkMayChange(ctx context.Context, row model.ProjectRow, found model.MergeRequest) error {
	me := caller(ctx)
	if row.Role() >= model.Developer || found.AuthorID == me && me != 0 {
		return nil
	}
	assignees, err := m.store.MergeRequests.AssigneeIDs(ctx, found.ID)
	if err == nil && (me == 0 || !slices.Contains(assignees, me)) {
		err = apierr.Forbidden()
	}
	return err
}

// change changes a merge request. The caller must be allowed to change it.
func (m *MergeRequests) change(ctx context.Context, row model.ProjectRow, found model.MergeRequest, body gen.MergeRequestUpdate) error {
	c, err := m.read(ctx, row, found, body)
	if err != nil {
		return err
	}
	if err := m.store.Tx(ctx, func(ctx context.Context) error { return m.apply(ctx, row, c) }); err != nil {
		return m.explain(ctx, found, err)
	}
	return nil
}

// explain turns the conflict with another open merge request into a 409.
func (m *MergeRequests) explain(ctx context.Context, mr model.MergeRequest, err error) error {
	var taken *store.ConflictError
	if !errors.As(err, &taken) || taken.Constraint != "merge_requests_open" {
		return err
	}
	return &apierr.Error{
		Status: 409,
		Body:   apierr.Body{Message: []string{"Another open merge request already exists for this source branch"}},
	}
}
