package mergerequests

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/discussion/note"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/store"
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
	mr, span, err := m.newMergeRequest(ctx, source, target, *req.Body)
	if err != nil {
		return nil, err
	}
	parts, err := m.partsOfNew(ctx, target, *req.Body)
	if err != nil {
		return nil, err
	}
	rest, orders := note.Split(model.OnMergeRequest, wire.Value(mr.Description))
	if len(orders) > 0 {
		mr.Description = &rest
	}
	err = m.store.Tx(ctx, func(ctx context.Context) error {
		if err := m.create(ctx, target, &mr, span, parts); err != nil {
			return err
		}
		return m.notes.RunQuickActions(ctx, target, model.OnMergeRequest, mr.ID, orders)
	})
	var taken *store.ConflictError
	if errors.As(err, &taken) && taken.Constraint == "merge_requests_open" {
		err = m.openConflict(ctx, mr)
	}
	if err != nil {
		return nil, err
	}
	shown, err := m.show.One(ctx, target, mr.IID)
	return gen.CreateProjectMergeRequest201JSONResponse(shown.Body()), err
}

// findProjects finds the source project and the target project of a new merge request. It refuses callers who may not create
// the merge request.
func (m *MergeRequests) findProjects(ctx context.Context, ref string, into *int64) (source, target model.ProjectRow, err error) {
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
	same, err := m.store.Projects.SameNetwork(ctx, source.Project.ID, target.Project.ID)
	switch {
	case err != nil:
		return source, target, err
	case !target.MayPropose():
		return source, target, apierr.Forbidden()
	case !same:
		return source, target, invalidMergeRequest("Source project is not a fork of the target project")
	}
	return source, target, nil
}

// openConflict returns the conflict with the open merge request that has the same source and target branch.
func (m *MergeRequests) openConflict(ctx context.Context, mr model.MergeRequest) error {
	iid, err := m.store.MergeRequests.FindOpenIID(ctx, *mr.SourceProjectID, mr.SourceBranch, mr.ProjectID, mr.TargetBranch)
	if err != nil {
		return err
	}
	return &apierr.Error{Status: http.StatusConflict, Body: apierr.Body{
		Message: []string{fmt.Sprintf("Another open merge request already exists for this source branch: !%d", iid)},
	}}
}
