package commits

import (
	"context"

	"svc/gen"
	"svc/openapi/wire"
	"svc/server/platform/access"
	"svc/server/platform/pagination"
	"svc/server/platform/present"
	"svc/store"
	"svc/store/git"
	"svc/store/model"
)

// ListProjectRepositoryCommitDiff lists the changes of a commit, file by file.
// GET /projects/{id}/repository/commits/{sha}/diff
func (c *Commits) ListProjectRepositoryCommitDiff(
	ctx context.Context, req gen.ListProjectRepositoryCommitDiffRequestObject,
) (gen.ListProjectRepositoryCommitDiffResponseObject, error) {
	_, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := c.window(ctx, "Diff", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	files, _, err := repo.CommitDiff(ctx, commit)
	if err != nil {
		return nil, err
	}
	rows, total := pagination.PageOf(window, files)
	return gen.ListProjectRepositoryCommitDiff200JSONResponse{
		Body:    present.All(rows, func(f git.FileDiff) gen.Diff { return present.Diff(f, wire.Value(req.Params.Unidiff)) }),
		Headers: gen.ListProjectRepositoryCommitDiff200ResponseHeaders(window.Headers(total)),
	}, nil
}

// window reads the pagination parameters of a list without keyset pagination.
func (c *Commits) window(ctx context.Context, kind string, number, size *int64, paging *gen.Pagination) (pagination.Window, error) {
	if err := pagination.NoKeyset(paging); err != nil {
		return pagination.Window{}, err
	}
	return c.pages.Offset(ctx, pagination.Kind{Name: kind}, number, size)
}

// ListProjectRepositoryCommitRefs lists the branches and tags that have a commit in their history.
// GET /projects/{id}/repository/commits/{sha}/refs
func (c *Commits) ListProjectRepositoryCommitRefs(
	ctx context.Context, req gen.ListProjectRepositoryCommitRefsRequestObject,
) (gen.ListProjectRepositoryCommitRefsResponseObject, error) {
	_, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := c.window(ctx, "Ref", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
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

// GetProjectRepositoryCommitSequence counts a commit and its ancestors.
// GET /projects/{id}/repository/commits/{sha}/sequence
func (c *Commits) GetProjectRepositoryCommitSequence(
	ctx context.Context, req gen.GetProjectRepositoryCommitSequenceRequestObject,
) (gen.GetProjectRepositoryCommitSequenceResponseObject, error) {
	_, repo, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	count, err := repo.Sequence(ctx, commit.ID, wire.Value(req.Params.FirstParent))
	if err != nil {
		return nil, err
	}
	return gen.GetProjectRepositoryCommitSequence200JSONResponse{Count: count}, nil
}

// ListProjectRepositoryCommitMergeRequests lists the merge requests that introduced a commit. The list is empty for
// callers who may not read merge requests.
// GET /projects/{id}/repository/commits/{sha}/merge_requests
func (c *Commits) ListProjectRepositoryCommitMergeRequests(
	ctx context.Context, req gen.ListProjectRepositoryCommitMergeRequestsRequestObject,
) (gen.ListProjectRepositoryCommitMergeRequestsResponseObject, error) {
	row, _, commit, err := c.find(ctx, req.ID, req.Sha, access.ReadCode)
	if err != nil {
		return nil, err
	}
	window, err := c.window(ctx, "MergeRequest", req.Params.Page, req.Params.PerPage, req.Params.Pagination)
	if err != nil {
		return nil, err
	}
	var rows []model.MergeRequestRow
	var total store.Total
	if row.ReadsMergeRequests() {
		if rows, total, err = c.store.MergeRequests.ListByCommit(ctx, row.Project.ID, commit.ID, window.Page); err != nil {
			return nil, err
		}
	} else {
		_, total = pagination.PageOf(window, rows)
	}
	show, err := c.merges.List(ctx, rows, false, row.Project.FullPath)
	if err != nil {
		return nil, err
	}
	return gen.ListProjectRepositoryCommitMergeRequests200JSONResponse{
		Body:    present.All(rows, show.MergeRequest),
		Headers: gen.ListProjectRepositoryCommitMergeRequests200ResponseHeaders(window.Headers(total)),
	}, nil
}
