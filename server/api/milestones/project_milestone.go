package milestones

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
)

// ListProjectMilestones lists milestones.
// GET /projects/{id}/milestones
func (m *Milestones) ListProjectMilestones(
	ctx context.Context, req gen.ListProjectMilestonesRequestObject,
) (gen.ListProjectMilestonesResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.list(ctx, in, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMilestones200JSONResponse{Body: rows, Headers: gen.ListProjectMilestones200ResponseHeaders(headers)}, nil
}

// CreateProjectMilestone creates a milestone.
// POST /projects/{id}/milestones
func (m *Milestones) CreateProjectMilestone(
	ctx context.Context, req gen.CreateProjectMilestoneRequestObject,
) (gen.CreateProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.AdminMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.create(ctx, in, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMilestone201JSONResponse(shown), nil
}

// GetProjectMilestone shows a milestone.
// GET /projects/{id}/milestones/{milestone_id}
func (m *Milestones) GetProjectMilestone(
	ctx context.Context, req gen.GetProjectMilestoneRequestObject,
) (gen.GetProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err != nil {
		return nil, err
	}
	row, err := m.get(ctx, in, req.MilestoneID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectMilestone200JSONResponse(m.presentOne(row)), nil
}

// UpdateProjectMilestone changes a milestone.
// PUT /projects/{id}/milestones/{milestone_id}
func (m *Milestones) UpdateProjectMilestone(
	ctx context.Context, req gen.UpdateProjectMilestoneRequestObject,
) (gen.UpdateProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.AdminMilestone)
	if err != nil {
		return nil, err
	}
	shown, err := m.update(ctx, in, req.MilestoneID, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectMilestone200JSONResponse(shown), nil
}

// DeleteProjectMilestone deletes a milestone.
// DELETE /projects/{id}/milestones/{milestone_id}
func (m *Milestones) DeleteProjectMilestone(
	ctx context.Context, req gen.DeleteProjectMilestoneRequestObject,
) (gen.DeleteProjectMilestoneResponseObject, error) {
	in, _, err := m.project(ctx, req.ID, access.AdminMilestone)
	if err != nil {
		return nil, err
	}
	err = m.delete(ctx, in, req.MilestoneID, req.Params.IfUnmodifiedSince)
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectMilestone204Response{}, nil
}

// ListProjectMilestoneIssues lists the issues of a milestone.
// GET /projects/{id}/milestones/{milestone_id}/issues
func (m *Milestones) ListProjectMilestoneIssues(
	ctx context.Context, req gen.ListProjectMilestoneIssuesRequestObject,
) (gen.ListProjectMilestoneIssuesResponseObject, error) {
	in, row, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err == nil && !row.ReadsIssues() { // a project without issues can have milestones, for merge requests
		err = apierr.Forbidden()
	}
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.issues(ctx, in, req.MilestoneID, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMilestoneIssues200JSONResponse{
		Body: rows, Headers: gen.ListProjectMilestoneIssues200ResponseHeaders(headers),
	}, nil
}

// ListProjectMilestoneMergeRequests lists the merge requests of a milestone.
// GET /projects/{id}/milestones/{milestone_id}/merge_requests
func (m *Milestones) ListProjectMilestoneMergeRequests(
	ctx context.Context, req gen.ListProjectMilestoneMergeRequestsRequestObject,
) (gen.ListProjectMilestoneMergeRequestsResponseObject, error) {
	in, row, err := m.project(ctx, req.ID, access.ReadMilestone)
	if err == nil && !row.ReadsMergeRequests() {
		err = apierr.Forbidden()
	}
	if err != nil {
		return nil, err
	}
	rows, headers, err := m.mergeRequests(ctx, in, req.MilestoneID, req.Params)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMilestoneMergeRequests200JSONResponse{
		Body: rows, Headers: gen.ListProjectMilestoneMergeRequests200ResponseHeaders(headers),
	}, nil
}
