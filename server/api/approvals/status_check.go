package approvals

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/domain/mergerequest/statuscheck"
	"svc/server/domain/mergerequest/statuscheck/manage"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store/model"
)

// ListProjectExternalStatusChecks lists the external status checks of a project.
// GET /projects/{id}/external_status_checks
func (a *Approvals) ListProjectExternalStatusChecks(
	ctx context.Context, req gen.ListProjectExternalStatusChecksRequestObject,
) (gen.ListProjectExternalStatusChecksResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminStatusCheck)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, a.pages, "ExternalStatusCheck", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := a.store.StatusChecks.List(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	shown, err := a.presentChecks(ctx, rows...)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectExternalStatusChecks200JSONResponse{
		Body: shown, Headers: gen.ListProjectExternalStatusChecks200ResponseHeaders(window.Headers(total)),
	}, nil
}

// CreateProjectExternalStatusCheck creates an external status check.
// POST /projects/{id}/external_status_checks
func (a *Approvals) CreateProjectExternalStatusCheck(
	ctx context.Context, req gen.CreateProjectExternalStatusCheckRequestObject,
) (gen.CreateProjectExternalStatusCheckResponseObject, error) {
	row, err := a.access.Project(ctx, req.ID, access.AdminStatusCheck)
	if err != nil {
		return nil, err
	}
	b := req.Body
	made, err := a.checks.Create(ctx, row.Project, manage.Change{
		Name: &b.Name, URL: &b.ExternalURL, Secret: b.SharedSecret, BranchIDs: b.ProtectedBranchIds,
	})
	if err != nil {
		return nil, err
	}
	shown, err := a.presentChecks(ctx, made)
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectExternalStatusCheck201JSONResponse(shown[0]), nil
}

// UpdateProjectExternalStatusCheck changes an external status check.
// PUT /projects/{id}/external_status_checks/{check_id}
func (a *Approvals) UpdateProjectExternalStatusCheck(
	ctx context.Context, req gen.UpdateProjectExternalStatusCheckRequestObject,
) (gen.UpdateProjectExternalStatusCheckResponseObject, error) {
	row, check, err := a.findCheck(ctx, req.ID, req.CheckID)
	if err != nil {
		return nil, err
	}
	b := req.Body
	changed, err := a.checks.Apply(ctx, row.Project, check, manage.Change{
		Name: b.Name, URL: b.ExternalURL, Secret: b.SharedSecret, BranchIDs: b.ProtectedBranchIds,
	})
	if err != nil {
		return nil, err
	}
	shown, err := a.presentChecks(ctx, changed)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectExternalStatusCheck200JSONResponse(shown[0]), nil
}

// DeleteProjectExternalStatusCheck deletes an external status check.
// DELETE /projects/{id}/external_status_checks/{check_id}
func (a *Approvals) DeleteProjectExternalStatusCheck(
	ctx context.Context, req gen.DeleteProjectExternalStatusCheckRequestObject,
) (gen.DeleteProjectExternalStatusCheckResponseObject, error) {
	row, check, err := a.findCheck(ctx, req.ID, req.CheckID)
	if err != nil {
		return nil, err
	}
	if err := a.checks.Delete(ctx, row.Project, check, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)); err != nil {
		return nil, err
	}
	return gen.DeleteProjectExternalStatusCheck204Response{}, nil
}

// findCheck finds a check of a project that the caller may administer.
func (a *Approvals) findCheck(ctx context.Context, project string, id int64) (model.ProjectRow, model.ExternalStatusCheck, error) {
	row, err := a.access.Project(ctx, project, access.AdminStatusCheck)
	if err != nil {
		return row, model.ExternalStatusCheck{}, err
	}
	check, err := a.store.StatusChecks.Get(ctx, row.Project.ID, id)
	return row, check, apierr.OrNotFound(err)
}

// presentChecks presents external status checks.
func (a *Approvals) presentChecks(ctx context.Context, rows ...model.ExternalStatusCheck) ([]gen.ExternalStatusCheck, error) {
	ids := make([]int64, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	branches, err := a.store.StatusChecks.Branches(ctx, ids)
	return present.All(rows, func(row model.ExternalStatusCheck) gen.ExternalStatusCheck {
		return gen.ExternalStatusCheck{
			ID: row.ID, Name: row.Name, ProjectID: row.ProjectID, ExternalURL: row.ExternalURL, Hmac: row.Sealed != nil,
			ProtectedBranches: present.All(branches[row.ID], func(b model.ProtectedBranch) gen.StatusCheckBranch {
				return gen.StatusCheckBranch{
					ID: b.ID, ProjectID: b.ProjectID, Name: b.Name,
					CreatedAt: wire.NewTime(b.CreatedAt), UpdatedAt: wire.NewTime(b.UpdatedAt),
				}
			}),
		}
	}), err
}

// presentCheck presents a check with its status for a merge request.
func presentCheck(r statuscheck.Result) gen.StatusCheck {
	return gen.StatusCheck{ID: r.Check.ID, Name: r.Check.Name, ExternalURL: r.Check.ExternalURL, Status: r.Status}
}

// ListProjectMergeRequestStatusChecks lists the external status checks of a merge request.
// GET /projects/{id}/merge_requests/{merge_request_iid}/status_checks
func (a *Approvals) ListProjectMergeRequestStatusChecks(
	ctx context.Context, req gen.ListProjectMergeRequestStatusChecksRequestObject,
) (gen.ListProjectMergeRequestStatusChecksResponseObject, error) {
	_, mr, err := a.find(ctx, req.ID, req.MergeRequestIid, access.ReadStatusCheck)
	if err != nil {
		return nil, err
	}
	results, err := statuscheck.Load(ctx, a.store, mr)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectMergeRequestStatusChecks200JSONResponse(present.All(results[mr.ID], presentCheck)), nil
}

// RetryProjectMergeRequestStatusCheck asks the service of a failed check again.
// POST /projects/{id}/merge_requests/{merge_request_iid}/status_checks/{check_id}/retry
func (a *Approvals) RetryProjectMergeRequestStatusCheck(
	ctx context.Context, req gen.RetryProjectMergeRequestStatusCheckRequestObject,
) (gen.RetryProjectMergeRequestStatusCheckResponseObject, error) {
	_, mr, err := a.find(ctx, req.ID, req.MergeRequestIid, access.UpdateStatusCheck)
	if err != nil {
		return nil, err
	}
	if err := a.checks.Retry(ctx, mr, req.CheckID); err != nil {
		return nil, err
	}
	return gen.RetryProjectMergeRequestStatusCheck202JSONResponse{Message: "202 Accepted"}, nil
}

// CreateProjectMergeRequestStatusCheckResponse sets the status of an external status check.
// POST /projects/{id}/merge_requests/{merge_request_iid}/status_check_responses
func (a *Approvals) CreateProjectMergeRequestStatusCheckResponse(
	ctx context.Context, req gen.CreateProjectMergeRequestStatusCheckResponseRequestObject,
) (gen.CreateProjectMergeRequestStatusCheckResponseResponseObject, error) {
	_, mr, err := a.find(ctx, req.ID, req.MergeRequestIid, access.UpdateStatusCheck)
	if err != nil {
		return nil, err
	}
	b := req.Body
	result, err := a.checks.Respond(ctx, mr, b.ExternalStatusCheckID, b.Sha, string(b.Status))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectMergeRequestStatusCheckResponse201JSONResponse{
		Sha: b.Sha, Status: result.Status, ExternalStatusCheck: presentCheck(result),
	}, nil
}
