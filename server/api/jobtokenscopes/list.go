package jobtokenscopes

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
)

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
	if err != nil {
		return 0, pagination.Window{}, err
	}
	window, err := pagination.OffsetOnly(ctx, s.pages, name, number, size, paging)
	return project.Project.ID, window, err
}
