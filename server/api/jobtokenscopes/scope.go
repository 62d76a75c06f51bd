package jobtokenscopes

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/events"
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

func scopeChange(p model.Project, kind, message string) events.Change {
	e := events.Project(p)
	return events.Change{Type: kind, Entity: e, Target: e.AsTarget(), Message: message}
}
