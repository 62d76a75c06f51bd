package mergerequests

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/store/model"
)

// CreateProjectMergeRequest creates a merge request from a branch of this project.
// POST /projects/{id}/merge_requests
func (m *MergeRequests) CreateProjectMergeRequest(
	ctx context.Context, req gen.CreateProjectMergeRequestRequestObject,
) (gen.CreateProjectMergeRequestResponseObject, error) {
	source, target, err := m.findProjects(ctx, req.ID, req.Body.TargetProjectID)
	if err != nil {
		return nil, err
	}
	prepared, err := m.service.Prepare(ctx, source, target, newFrom(*req.Body))
	if err != nil {
		return nil, err
	}
	created, err := m.service.Create(ctx, prepared)
	if err != nil {
		return nil, err
	}
	shown, err := m.presentOne(ctx, target, created.IID)
	return gen.CreateProjectMergeRequest201JSONResponse(shown), err
}

// findProjects finds the source project and the target project of a new merge request. It refuses callers who may not
// create the merge request.
func (m *MergeRequests) findProjects(
	ctx context.Context, ref string, into *int64,
) (source, target model.ProjectRow, err error) {
	source, err = m.access.Project(ctx, ref, access.CreateMergeRequest)
	if err != nil {
		return source, target, err
	}
	if into == nil || *into == source.Project.ID {
		return source, source, m.service.CheckMayCreate(ctx, source, source)
	}
	if err := m.service.CheckMayCreate(ctx, source, source); err != nil {
		return source, target, err
	}
	target, err = m.access.Project(ctx, strconv.FormatInt(*into, 10), access.CreateMergeRequest)
	if err != nil {
		return source, target, err
	}
	return source, target, m.service.CheckMayCreate(ctx, source, target)
}
