package jobtokenscopes

import (
	"context"
	"errors"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/apierr"
	"svc/server/platform/events"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/server/platform/reqctx"
	"svc/store"
	"svc/store/model"
)

// GetProjectJobTokenScope reports whether a project limits access by job tokens to its allowlist.
// GET /projects/{id}/job_token_scope
func (s *JobTokenScopes) GetProjectJobTokenScope(
	ctx context.Context, req gen.GetProjectJobTokenScopeRequestObject,
) (gen.GetProjectJobTokenScopeResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.AdminJobTokenScope)
	if err != nil {
		return nil, err
	}
	inbound, err := s.store.JobTokenScopes.Inbound(ctx, project.Project.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetProjectJobTokenScope200JSONResponse{InboundEnabled: inbound}, nil
}

// UpdateProjectJobTokenScope sets whether a project limits access by job tokens to its allowlist.
// PATCH /projects/{id}/job_token_scope
func (s *JobTokenScopes) UpdateProjectJobTokenScope(
	ctx context.Context, req gen.UpdateProjectJobTokenScopeRequestObject,
) (gen.UpdateProjectJobTokenScopeResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.ChangeJobTokenScope)
	if err != nil {
		return nil, err
	}
	err = events.AuditedAll(ctx, s.store, func(ctx context.Context) ([]events.Change, error) {
		before, err := s.store.JobTokenScopes.Inbound(ctx, project.Project.ID)
		if err != nil {
			return nil, err
		}
		c := scopeChange(project.Project, "job_token_scope_updated", "Changed the job token scope")
		c.Field, c.From, c.To = "inbound_enabled", before, req.Body.Enabled
		return []events.Change{c}, s.store.JobTokenScopes.SetInbound(ctx, project.Project.ID, req.Body.Enabled)
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateProjectJobTokenScope204Response{}, nil
}

// ListProjectJobTokenScopeAllowlist lists the projects whose job tokens may access a project.
// GET /projects/{id}/job_token_scope/allowlist
func (s *JobTokenScopes) ListProjectJobTokenScopeAllowlist(
	ctx context.Context, req gen.ListProjectJobTokenScopeAllowlistRequestObject,
) (gen.ListProjectJobTokenScopeAllowlistResponseObject, error) {
	project, window, err := s.window(ctx, req.ID, "Project", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.JobTokenScopes.Projects(ctx, project, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectJobTokenScopeAllowlist200JSONResponse{
		Body:    present.All(rows, s.show.JobTokenProject),
		Headers: gen.ListProjectJobTokenScopeAllowlist200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectJobTokenScopeGroupsAllowlist lists the groups whose job tokens may access a project.
// GET /projects/{id}/job_token_scope/groups_allowlist
func (s *JobTokenScopes) ListProjectJobTokenScopeGroupsAllowlist(
	ctx context.Context, req gen.ListProjectJobTokenScopeGroupsAllowlistRequestObject,
) (gen.ListProjectJobTokenScopeGroupsAllowlistResponseObject, error) {
	project, window, err := s.window(ctx, req.ID, "Group", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := s.store.JobTokenScopes.Groups(ctx, project, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectJobTokenScopeGroupsAllowlist200JSONResponse{
		Body:    present.All(rows, s.show.JobTokenGroup),
		Headers: gen.ListProjectJobTokenScopeGroupsAllowlist200ResponseHeaders(window.Headers(total)),
	}, nil
}

func (s *JobTokenScopes) window(
	ctx context.Context, ref, name string, number, size *int64, paging *gen.Pagination,
) (int64, pagination.Window, error) {
	project, err := s.access.Project(ctx, ref, access.AdminJobTokenScope)
	if err == nil {
		err = pagination.NoKeyset(paging)
	}
	if err != nil {
		return 0, pagination.Window{}, err
	}
	window, err := s.pages.Offset(ctx, pagination.Kind{Name: name}, number, size)
	return project.Project.ID, window, err
}

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

// CreateProjectJobTokenScopeGroupsAllowlist allows the job tokens of the projects of a group to access a project.
// POST /projects/{id}/job_token_scope/groups_allowlist
func (s *JobTokenScopes) CreateProjectJobTokenScopeGroupsAllowlist(
	ctx context.Context, req gen.CreateProjectJobTokenScopeGroupsAllowlistRequestObject,
) (gen.CreateProjectJobTokenScopeGroupsAllowlistResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.ChangeJobTokenScope)
	if err != nil {
		return nil, err
	}
	group, _, err := s.access.Group(ctx, strconv.FormatInt(req.Body.TargetGroupID, 10), access.ReadGroup)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := scopeChange(project.Project, "job_token_scope_group_added", "Added a group to the job token scope")
		c.Add = group.FullPath
		return c, s.store.JobTokenScopes.AllowGroup(ctx, project.Project.ID, group.ID)
	})
	if err != nil {
		return nil, explainConflict(err, "Target group is already in the job token scope")
	}
	return gen.CreateProjectJobTokenScopeGroupsAllowlist201JSONResponse{SourceProjectID: project.Project.ID, TargetGroupID: group.ID}, nil
}

// DeleteProjectJobTokenScopeGroupsAllowlist removes a group from the allowlist.
// DELETE /projects/{id}/job_token_scope/groups_allowlist/{target_group_id}
func (s *JobTokenScopes) DeleteProjectJobTokenScopeGroupsAllowlist(
	ctx context.Context, req gen.DeleteProjectJobTokenScopeGroupsAllowlistRequestObject,
) (gen.DeleteProjectJobTokenScopeGroupsAllowlistResponseObject, error) {
	project, err := s.access.Project(ctx, req.ID, access.ChangeJobTokenScope)
	if err != nil {
		return nil, err
	}
	err = events.Audited(ctx, s.store, func(ctx context.Context) (events.Change, error) {
		c := scopeChange(project.Project, "job_token_scope_group_removed", "Removed a group from the job token scope")
		c.Remove = "group " + strconv.FormatInt(req.TargetGroupID, 10)
		return c, s.store.JobTokenScopes.DenyGroup(
			ctx, project.Project.ID, req.TargetGroupID, reqctx.UnmodifiedSince(req.Params.IfUnmodifiedSince),
		)
	})
	if err != nil {
		return nil, err
	}
	return gen.DeleteProjectJobTokenScopeGroupsAllowlist204Response{}, nil
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

func scopeChange(p model.Project, kind, message string) events.Change {
	e := events.Project(p)
	return events.Change{Type: kind, Entity: e, Target: e.AsTarget(), Message: message}
}
