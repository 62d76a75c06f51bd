package jobtokenscopes

import (
	"context"
	"errors"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
	"svc/store"
)

// CreateProjectJobTokenScopeAllowlist allows the job tokens of another project to access a project.
// POST /projects/{id}/job_token_scope/allowlist
func (s *JobTokenScopes) CreateProjectJobTokenScopeAllowlist(
	ctx context.Context, req gen.CreateProjectJobTokenScopeAllowlistRequestObject,
) (gen.CreateProjectJobTokenScopeAllowlistResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.ChangeJobTokenScope)
	if err != nil {
		return nil, err
	}
	other, err := s.access.Project(ctx, strconv.FormatInt(req.Body.TargetProjectID, 10), access.ReadProject)
	if err != nil {
		return nil, err
	}
	if other.Project.ID == project.Project.ID {
		return nil, alreadyAdded("Target project is already in the job token scope")
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := scopeChange(project.Project, "job_token_scope_project_added", "Added a project to the job token scope")
		c.Add = other.Project.FullPath
		return c, s.store.JobTokenScopes.AllowProject(ctx, project.Project.ID, other.Project.ID)
	})
	if err != nil {
		return nil, explainConflict(err, "Target project is already in the job token scope")
	}
	return gen.CreateProjectJobTokenScopeAllowlist201JSONResponse{
		SourceProjectID: project.Project.ID, TargetProjectID: other.Project.ID,
	}, nil
}

// DeleteProjectJobTokenScopeAllowlist removes another project from the allowlist.
// DELETE /projects/{id}/job_token_scope/allowlist/{target_project_id}
func (s *JobTokenScopes) DeleteProjectJobTokenScopeAllowlist(
	ctx context.Context, req gen.DeleteProjectJobTokenScopeAllowlistRequestObject,
) (gen.DeleteProjectJobTokenScopeAllowlistResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.ChangeJobTokenScope)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := scopeChange(project.Project, "job_token_scope_project_removed", "Removed a project from the job token scope")
		c.Remove = "project " + strconv.FormatInt(req.TargetProjectID, 10)
		return c, s.store.JobTokenScopes.DenyProject(
			ctx, project.Project.ID, req.TargetProjectID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince),
		)
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectJobTokenScopeAllowlist204Response{}, nil
}

// explainConflict turns a conflict into a 400 with the message already. It returns other errors unchanged.
func explainConflict(err error, already string) error {
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return alreadyAdded(already)
	}
	return err
}

func alreadyAdded(text string) error { return apierr.BadRequest(text) }
