package environments

import (
	"context"
	"time"

	"svc/gen"
	"svc/server/domain/ci/protectedenvironment"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/reqctx"
)

// ofProject returns a project as the owner of protected environments.
func (e *Environments) ofProject(ctx context.Context, ref string, ability access.Ability) (protectedenvironment.Owner, error) {
	row, err := e.access.Project(ctx, ref, ability)
	return protectedenvironment.Owner{Project: &row.Project}, err
}

// listProtected returns one page of the protected environments of a project or group.
func (e *Environments) listProtected(
	ctx context.Context, o protectedenvironment.Owner, number, size *int64, paging *gen.Pagination,
) ([]gen.ProtectedEnvironment, pagination.Headers, error) {
	window, err := pagination.OffsetOnly(ctx, e.pages, "ProtectedEnvironment", number, size, paging)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	rows, total, err := e.protected.List(ctx, o, window.Page)
	if err != nil {
		return nil, pagination.Headers{}, err
	}
	shown, err := e.presentProtected(ctx, rows)
	return shown, window.Headers(total), err
}

// updateProtected changes a protected environment of a project or group and presents it.
func (e *Environments) updateProtected(
	ctx context.Context, o protectedenvironment.Owner, name string, b gen.ProtectedEnvironmentUpdate,
) (gen.ProtectedEnvironment, error) {
	found, err := e.protected.Find(ctx, o, name)
	if err != nil {
		return gen.ProtectedEnvironment{}, err
	}
	change := protectionChange(b.DeployAccessLevels, b.ApprovalRules, b.RequiredApprovalCount)
	return e.presentOne(ctx)(e.protected.Apply(ctx, o, found, change))
}

// deleteProtected removes the protection of an environment of a project or group.
func (e *Environments) deleteProtected(ctx context.Context, o protectedenvironment.Owner, name string, since *time.Time) error {
	found, err := e.protected.Find(ctx, o, name)
	if err != nil {
		return err
	}
	return e.protected.Delete(ctx, o, found, since)
}

// ListProjectProtectedEnvironments lists the protected environments of a project.
// GET /projects/{id}/protected_environments
func (e *Environments) ListProjectProtectedEnvironments(
	ctx context.Context, req gen.ListProjectProtectedEnvironmentsRequestObject,
) (gen.ListProjectProtectedEnvironmentsResponseObject, error) {
	owner, err := e.ofProject(ctx, req.ID, access.ReadProtectedEnvironment)
	if err != nil {
		return nil, err
	}
	rows, headers, err := e.listProtected(ctx, owner, req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectProtectedEnvironments200JSONResponse{
		Body: rows, Headers: gen.ListProjectProtectedEnvironments200ResponseHeaders(headers),
	}, nil
}

// GetProjectProtectedEnvironment shows a protected environment of a project.
// GET /projects/{id}/protected_environments/{name}
func (e *Environments) GetProjectProtectedEnvironment(
	ctx context.Context, req gen.GetProjectProtectedEnvironmentRequestObject,
) (gen.GetProjectProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofProject(ctx, req.ID, access.ReadProtectedEnvironment)
	if err != nil {
		return nil, err
	}
	shown, err := e.presentOne(ctx)(e.protected.Find(ctx, owner, req.Name))
	if err != nil {
		return nil, err
	}
	return gen.GetProjectProtectedEnvironment200JSONResponse(shown), nil
}

// CreateProjectProtectedEnvironment protects an environment of a project.
// POST /projects/{id}/protected_environments
func (e *Environments) CreateProjectProtectedEnvironment(
	ctx context.Context, req gen.CreateProjectProtectedEnvironmentRequestObject,
) (gen.CreateProjectProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofProject(ctx, req.ID, access.AdminProtectedEnvironment)
	if err != nil {
		return nil, err
	}
	b := req.Body
	change := protectionChange(&b.DeployAccessLevels, b.ApprovalRules, b.RequiredApprovalCount)
	shown, err := e.presentOne(ctx)(e.protected.Create(ctx, owner, b.Name, change))
	if err != nil {
		return nil, err
	}
	return gen.CreateProjectProtectedEnvironment201JSONResponse(shown), nil
}

// UpdateProjectProtectedEnvironment changes a protected environment of a project.
// PUT /projects/{id}/protected_environments/{name}
func (e *Environments) UpdateProjectProtectedEnvironment(
	ctx context.Context, req gen.UpdateProjectProtectedEnvironmentRequestObject,
) (gen.UpdateProjectProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofProject(ctx, req.ID, access.AdminProtectedEnvironment)
	if err != nil {
		return nil, err
	}
	shown, err := e.updateProtected(ctx, owner, req.Name, *req.Body)
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectProtectedEnvironment200JSONResponse(shown), nil
}

// DeleteProjectProtectedEnvironment removes the protection of an environment of a project.
// DELETE /projects/{id}/protected_environments/{name}
func (e *Environments) DeleteProjectProtectedEnvironment(
	ctx context.Context, req gen.DeleteProjectProtectedEnvironmentRequestObject,
) (gen.DeleteProjectProtectedEnvironmentResponseObject, error) {
	owner, err := e.ofProject(ctx, req.ID, access.AdminProtectedEnvironment)
	if err != nil {
		return nil, err
	}
	since := reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince)
	if err := e.deleteProtected(ctx, owner, req.Name, since); err != nil {
		return nil, err
	}
	return gen.DeleteProjectProtectedEnvironment204Response{}, nil
}
