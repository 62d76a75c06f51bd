package jobtokenscopes

import (
	"context"
	"strconv"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
	"svc/server/platform/reqctx"
)

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
	return gen.CreateProjectJobTokenScopeGroupsAllowlist201JSONResponse{
		SourceProjectID: project.Project.ID, TargetGroupID: group.ID,
	}, nil
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
