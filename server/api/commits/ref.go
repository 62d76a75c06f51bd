package commits

import (
	"context"

	"svc/gen"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
)

// ListProjectRepositoryCommitRefs lists the branches and tags that have a commit in their history.
// GET /projects/{id}/repository/commits/{sha}/refs
func (c *Commits) ListProjectRepositoryCommitRefs(
	ctx context.Context, req gen.ListProjectRepositoryCommitRefsRequestObject,
) (gen.ListProjectRepositoryCommitRefsResponseObject, error) {
	_, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := pagination.OffsetOnly(ctx, c.pages, "Ref", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	kind := gen.CommitRefKindAll
	if req.Params.Type != nil {
		kind = *req.Params.Type
	}
	var refs []gen.CommitRef
	for _, part := range []struct {
		kind   gen.CommitRefKind
		prefix string
	}{{gen.CommitRefKindBranch, "refs/heads/"}, {gen.CommitRefKindTag, "refs/tags/"}} {
		if kind != gen.CommitRefKindAll && kind != part.kind {
			continue
		}
		names, err := repo.Containing(ctx, commit.ID, part.prefix)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			refs = append(refs, gen.CommitRef{Type: gen.CommitRefType(part.kind), Name: name})
		}
	}
	rows, total := pagination.PageOf(window, refs)
	return gen.ListProjectRepositoryCommitRefs200JSONResponse{
		Body:    append([]gen.CommitRef{}, rows...),
		Headers: gen.ListProjectRepositoryCommitRefs200ResponseHeaders(window.Headers(total)),
	}, nil
}
