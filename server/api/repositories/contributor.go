package repositories

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/pagination"
	"svc/store"
)

// ListProjectRepositoryContributors lists the authors of the commits of a repository.
// GET /projects/{id}/repository/contributors
func (r *Repositories) ListProjectRepositoryContributors(
	ctx context.Context, req gen.ListProjectRepositoryContributorsRequestObject,
) (gen.ListProjectRepositoryContributorsResponseObject, error) {
	project, repo, err := r.read(ctx, req.ID)
	if err != nil {
		return nil, err
	}
	window, err := r.pages.Offset(ctx, pagination.Kind{Name: "Contributor"}, req.Params.Page, req.Params.PerPage)
	if err != nil {
		return nil, err
	}
	authors, err := r.authors(ctx, repo, wire.Value(req.Params.Ref))
	if err != nil {
		return nil, err
	}
	order := gen.ContributorOrderCommits
	if req.Params.OrderBy != nil {
		order = *req.Params.OrderBy
	}
	authors = sortAuthors(authors, order, req.Params.Sort != nil && *req.Params.Sort == gen.SortDesc)
	total := store.Total{Count: int64(len(authors)), Known: len(authors) <= store.CountCap}
	authors = authors[min(window.Offset, len(authors)):]
	if len(authors) > window.Limit {
		authors, total.More = authors[:window.Limit], true
	}
	body, err := r.withLines(
		ctx, project.ID, authors,
		wire.Value(req.Params.Ref) == "" || req.Params.Ref != nil && *req.Params.Ref == project.DefaultBranch,
	)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryContributors200JSONResponse{
		Body: body, Headers: gen.ListProjectRepositoryContributors200ResponseHeaders(window.Headers(total)),
	}, nil
}
