package mergerequests

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/domain/mergerequest"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
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
	input := newFrom(*req.Body)
	rest, actions := note.Split(model.OnMergeRequest, wire.Value(input.Description))
	if len(actions) > 0 {
		input.Description = &rest
	}
	prepared, err := m.service.Prepare(ctx, source, target, input)
	if err != nil {
		return nil, err
	}
	created, err := m.create(ctx, prepared, actions)
	if err != nil {
		return nil, err
	}
	shown, err := m.presentOne(ctx, target, created.IID)
	return gen.CreateProjectMergeRequest201JSONResponse(shown), err
}

// create creates a prepared merge request and runs the quick actions of its description, in one transaction.
func (m *MergeRequests) create(
	ctx context.Context, p mergerequest.Prepared, actions note.QuickActions,
) (created model.MergeRequest, err error) {
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		if created, err = m.service.Create(ctx, p); err != nil {
			return err
		}
		return m.notes.RunQuickActions(ctx, p.Target, model.OnMergeRequest, created.ID, actions)
	})
	return created, m.service.ExplainConflict(ctx, p, err)
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
	if source.Role() < model.Developer {
		return source, target, apierr.Forbidden()
	}
	if into == nil || *into == source.Project.ID {
		return source, source, nil
	}
	target, err = m.access.Project(ctx, strconv.FormatInt(*into, 10), access.CreateMergeRequest)
	if err != nil {
		return source, target, err
	}
	return source, target, m.service.CheckMayPropose(ctx, source, target)
}
