package protections

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store/model"
)

// ListProjectProtectedBranches lists the protected branches of a project.
// GET /projects/{id}/protected_branches
func (p *Protections) ListProjectProtectedBranches(
	ctx context.Context, req gen.ListProjectProtectedBranchesRequestObject,
) (gen.ListProjectProtectedBranchesResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, p.pages, "ProtectedBranch", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	search := ""
	if req.Params.Search != nil {
		search = *req.Params.Search
	}
	rows, total, err := p.store.Protections.ListBranches(ctx, row.Project.ID, search, window.Page)
	if err != nil {
		return nil, err
	}
	shown := present.All(rows, func(r model.ProtectedBranchRow) gen.ProtectedBranch { return present.ProtectedBranch(r.Branch, r.Keys) })
	return gen.ListProjectProtectedBranches200JSONResponse{
		Body: shown, Headers: gen.ListProjectProtectedBranches200ResponseHeaders(window.Headers(total)),
	}, nil
}

// ListProjectProtectedTags lists the protected tags of a project.
// GET /projects/{id}/protected_tags
func (p *Protections) ListProjectProtectedTags(
	ctx context.Context, req gen.ListProjectProtectedTagsRequestObject,
) (gen.ListProjectProtectedTagsResponseObject, error) {
	row, err := p.access.Project(ctx, req.ID, access.ReadProtection)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, p.pages, "ProtectedTag", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	rows, total, err := p.store.Protections.ListTags(ctx, row.Project.ID, window.Page)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectProtectedTags200JSONResponse{
		Body:    present.All(rows, present.ProtectedTag),
		Headers: gen.ListProjectProtectedTags200ResponseHeaders(window.Headers(total)),
	}, nil
}
