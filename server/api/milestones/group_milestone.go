package milestones

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
)

// ListGroupMilestones lists milestones.
// GET /groups/{id}/milestones
func (m *Milestones) ListGroupMilestones(
	ctx context.Context, req gen.ListGroupMilestonesRequestObject,
) (gen.ListGroupMilestonesResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.list(ctx, in, gen.ListProjectMilestonesParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMilestones200JSONResponse{Body: rows, Headers: gen.ListGroupMilestones200ResponseHeaders(headers)}, nil
}

// CreateGroupMilestone creates a milestone.
// POST /groups/{id}/milestones
func (m *Milestones) CreateGroupMilestone(
	ctx context.Context, req gen.CreateGroupMilestoneRequestObject,
) (gen.CreateGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.AdminGroupMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateGroupMilestone201JSONResponse(shown), nil
}

// GetGroupMilestone shows a milestone.
// GET /groups/{id}/milestones/{milestone_id}
func (m *Milestones) GetGroupMilestone(
	ctx context.Context, req gen.GetGroupMilestoneRequestObject,
) (gen.GetGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	row, err := m.get(ctx, in, req.MilestoneID)
	if err != nil {
		return nil, err
	}
	return gen.GetGroupMilestone200JSONResponse(m.presentOne(row)), nil
}

// UpdateGroupMilestone changes a milestone.
// PUT /groups/{id}/milestones/{milestone_id}
func (m *Milestones) UpdateGroupMilestone(
	ctx context.Context, req gen.UpdateGroupMilestoneRequestObject,
) (gen.UpdateGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.AdminGroupMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.update(ctx, in, req.MilestoneID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateGroupMilestone200JSONResponse(shown), nil
}

// DeleteGroupMilestone deletes a milestone.
// DELETE /groups/{id}/milestones/{milestone_id}
func (m *Milestones) DeleteGroupMilestone(
	ctx context.Context, req gen.DeleteGroupMilestoneRequestObject,
) (gen.DeleteGroupMilestoneResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.AdminGroupMilestone)
	if err != nil {
		return nil, err
	}
	err = m.delete(ctx, in, req.MilestoneID, req.Params.IfUnmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteGroupMilestone204Response{}, nil
}

// ListGroupMilestoneIssues lists the issues of a milestone.
// GET /groups/{id}/milestones/{milestone_id}/issues
func (m *Milestones) ListGroupMilestoneIssues(
	ctx context.Context, req gen.ListGroupMilestoneIssuesRequestObject,
) (gen.ListGroupMilestoneIssuesResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.issues(ctx, in, req.MilestoneID, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMilestoneIssues200JSONResponse{Body: rows, Headers: gen.ListGroupMilestoneIssues200ResponseHeaders(headers)}, nil
}

// ListGroupMilestoneMergeRequests lists the merge requests of a milestone.
// GET /groups/{id}/milestones/{milestone_id}/merge_requests
func (m *Milestones) ListGroupMilestoneMergeRequests(
	ctx context.Context, req gen.ListGroupMilestoneMergeRequestsRequestObject,
) (gen.ListGroupMilestoneMergeRequestsResponseObject, error) {
	in, err := m.group(ctx, req.ID, access.ReadGroupMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.mergeRequests(ctx, in, req.MilestoneID, gen.ListProjectMilestoneMergeRequestsParams(req.Params))
	if err != nil {
		return nil, err
	}
	return gen.ListGroupMilestoneMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListGroupMilestoneMergeRequests200ResponseHeaders(headers),
	}, nil
}
